/**
 * The rules on the first, the last and each stop of a journey pattern: JOURNEY_PATTERN_4 to 7,
 * JOURNEY_PATTERN_NO_ALIGHTING_ALLOWED_AT_FIRST_STOP, JOURNEY_PATTERN_NO_BOARDING_ALLOWED_AT_LAST_STOP.
 */
import { keptText } from '../xml/kept-text.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun } from './check.ts';
import { idOf } from './children.ts';
import type { NotedPlace } from './finding-list.ts';
import * as rules from './journey-pattern-rules.ts';
import { type PatternStop, PatternStops } from './pattern-stops.ts';
import type { Rule } from './rule.ts';

/** Watches one pattern after the other and checks it at its end, when the order of its stops is known. */
class StopWatch {
  readonly #run: RuleRun;
  readonly #stops = new PatternStops();
  /** Depth of the open pattern, 0 for none. */
  #depth = 0;
  #stop: PatternStop | undefined;

  constructor(run: RuleRun) {
    this.#run = run;
  }

  open({ parent, depth }: OpenElement): void {
    if (parent?.name !== 'journeyPatterns') return;
    this.#depth = depth;
    this.#stops.clear();
  }

  openStop(element: OpenElement): void {
    const isOfPattern = element.depth === this.#depth + 2 && element.parent?.name === 'pointsInSequence';
    this.#stop = isOfPattern && this.#depth > 0 ? this.#stops.add(element) : undefined;
  }

  closeStop(): void {
    this.#stop = undefined;
  }

  noteDisplay({ depth, attributes }: OpenElement): void {
    if (this.#stop && depth === this.#depth + 3) this.#stop.display = attributes.ref ?? '';
  }

  noteAlighting({ depth, text }: OpenElement): void {
    if (this.#stop && depth === this.#depth + 3) this.#stop.forAlighting = isTrue(text);
  }

  noteBoarding({ depth, text }: OpenElement): void {
    if (this.#stop && depth === this.#depth + 3) this.#stop.forBoarding = isTrue(text);
  }

  close(pattern: OpenElement): void {
    if (pattern.depth !== this.#depth) return;
    this.#depth = 0;
    const stops = this.#stops.inOrder();
    const first = stops[0];
    const last = stops.at(-1);
    if (!first || !last) return;
    this.#checkFirst(first, pattern);
    this.#checkLast(last, pattern);
    let before: PatternStop | undefined;
    for (const stop of stops) {
      if (stop.forAlighting === false && stop.forBoarding === false) {
        this.#report(
          rules.JOURNEY_PATTERN_6,
          stop,
          pattern,
          () => 'allows neither boarding nor alighting; expected one of them',
        );
      }
      if (before && stop.display !== undefined && stop.display === before.display) {
        const { display } = stop;
        this.#report(
          rules.JOURNEY_PATTERN_7,
          stop,
          pattern,
          () =>
            `shows ${display}, as the stop before it does; expected a DestinationDisplayRef only where the display changes`,
        );
      }
      before = stop;
    }
  }

  #checkFirst(stop: PatternStop, pattern: OpenElement): void {
    if (stop.display === undefined) {
      this.#report(
        rules.JOURNEY_PATTERN_4,
        stop,
        pattern,
        () => 'is the first and has no DestinationDisplayRef; expected one',
      );
    }
    if (stop.forAlighting !== false) {
      this.#report(
        rules.NO_ALIGHTING_AT_FIRST_STOP,
        stop,
        pattern,
        () => 'is the first and allows alighting; expected <ForAlighting>false</ForAlighting>',
      );
    }
  }

  #checkLast(stop: PatternStop, pattern: OpenElement): void {
    if (stop.display !== undefined) {
      this.#report(
        rules.JOURNEY_PATTERN_5,
        stop,
        pattern,
        () => 'is the last and has a DestinationDisplayRef; expected none',
      );
    }
    if (stop.forBoarding !== false) {
      this.#report(
        rules.NO_BOARDING_AT_LAST_STOP,
        stop,
        pattern,
        () => 'is the last and allows boarding; expected <ForBoarding>false</ForBoarding>',
      );
    }
  }

  #report(rule: Rule, stop: PatternStop, pattern: OpenElement, what: () => string): void {
    const order = Number.isNaN(stop.order) ? '' : ` (order ${stop.order})`;
    this.#run.report(
      rule,
      placeOf(stop, pattern),
      () => `Stop point ${stop.id ?? ''}${order} of JourneyPattern${idOf(pattern)} ${what()}.`,
    );
  }
}

function placeOf({ id, line, column }: PatternStop, pattern: OpenElement): NotedPlace {
  const objectId = id ?? pattern.attributes.id;
  return { line, column, objectId: objectId === undefined ? null : keptText(objectId) };
}

function isTrue(text: string): boolean {
  const said = text.trim();
  return said !== 'false' && said !== '0';
}

const stopsAreInOrder: Check = {
  rules: [
    rules.JOURNEY_PATTERN_4,
    rules.JOURNEY_PATTERN_5,
    rules.JOURNEY_PATTERN_6,
    rules.JOURNEY_PATTERN_7,
    rules.NO_ALIGHTING_AT_FIRST_STOP,
    rules.NO_BOARDING_AT_LAST_STOP,
  ],
  begin(run) {
    const watch = new StopWatch(run);
    return {
      start: {
        JourneyPattern: (pattern) => watch.open(pattern),
        StopPointInJourneyPattern: (stop) => watch.openStop(stop),
        DestinationDisplayRef: (reference) => watch.noteDisplay(reference),
      },
      end: {
        ForAlighting: (element) => watch.noteAlighting(element),
        ForBoarding: (element) => watch.noteBoarding(element),
        StopPointInJourneyPattern: () => watch.closeStop(),
        JourneyPattern: (pattern) => watch.close(pattern),
      },
    };
  },
};

export const patternStopChecks: readonly Check[] = [stopsAreInOrder];
