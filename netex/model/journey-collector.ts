/**
 * Collects ServiceJourneys and their passing times during the scan; for DeadRuns only their pattern.
 * TemplateServiceJourneys are patterns for journeys, so they and their times are left out.
 *
 * Callers: `ModelCollector`. Passing times are most of a file: nothing here makes an object for one.
 */
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Handlers } from './handlers.ts';
import type { KeptNames, NumberedNames } from './kept-names.ts';
import { modelElement } from './model-element.ts';
import { passingTimeHandlers } from './passing-time-handlers.ts';
import { PassingTimes } from './passing-times.ts';
import { submodeHandlers } from './submodes.ts';
import type { DeadRun, JourneyPattern, ServiceJourney } from './timetable-model.ts';

/** A DeadRun, or the part that a ServiceJourney shares with it, before it is joined to its pattern. */
export interface CollectedRun extends DeadRun {
  journeyPatternRef: string | undefined;
  journeyPatternVersion: string | undefined;
  pattern: JourneyPattern | undefined;
}

export interface CollectedJourney extends ServiceJourney, CollectedRun {
  dayTypeRefs: string[];
  lineRef: string | undefined;
  transportMode: string | undefined;
  transportSubmode: string | undefined;
  serviceAlteration: string | undefined;
  timeCount: number;
  pattern: JourneyPattern | undefined;
}

export class JourneyCollector {
  readonly serviceJourneys: CollectedJourney[] = [];
  readonly deadRuns: CollectedRun[] = [];
  readonly passingTimes = new PassingTimes();
  readonly handlers: readonly Handlers[];
  readonly #names: KeptNames;
  #journey: CollectedJourney | undefined;
  #deadRun: CollectedRun | undefined;
  #depth = 0;

  /** Until the join, `stops` of the passing times hold numbers of `stopNames`. */
  constructor(names: KeptNames, stopNames: NumberedNames) {
    this.#names = names;
    this.handlers = [this.#journeyHandlers(), passingTimeHandlers(stopNames, () => this.#openTimes())];
  }

  #journeyHandlers(): Handlers {
    const names = this.#names;
    const finish: ElementHandler = () => {
      this.#journey = this.#deadRun = undefined;
    };
    const direct = (element: OpenElement): CollectedJourney | undefined =>
      element.depth === this.#depth + 1 ? this.#journey : undefined;
    const pattern: ElementHandler = (element) => {
      const run = this.#journey ?? this.#deadRun;
      if (!run || element.depth !== this.#depth + 1) return;
      run.journeyPatternRef = names.keep(element.attributes.ref);
      run.journeyPatternVersion = names.keep(element.attributes.version);
    };
    const refersToLine: ElementHandler = (element) => {
      const journey = direct(element);
      if (journey) journey.lineRef = names.keep(element.attributes.ref);
    };
    const text =
      (field: 'transportMode' | 'serviceAlteration'): ElementHandler =>
      (element) => {
        const journey = direct(element);
        if (journey) journey[field] = names.keep(element.text.trim());
      };
    return {
      start: {
        ServiceJourney: (element) => this.#beginJourney(element),
        DeadRun: (element) => this.#beginDeadRun(element),
        JourneyPatternRef: pattern,
        ServiceJourneyPatternRef: pattern,
        DeadRunJourneyPatternRef: pattern,
        LineRef: refersToLine,
        FlexibleLineRef: refersToLine,
        DayTypeRef: (element) => {
          const { ref: dayType } = element.attributes;
          // Skips those of a condition, which are deeper.
          if (
            this.#journey &&
            dayType !== undefined &&
            element.depth === this.#depth + 2 &&
            element.parent?.name === 'dayTypes'
          )
            this.#journey.dayTypeRefs.push(names.keep(dayType));
        },
      },
      end: {
        TransportMode: text('transportMode'),
        ServiceAlteration: text('serviceAlteration'),
        ...submodeHandlers((element) => {
          if (this.#journey && element.depth === this.#depth + 2)
            this.#journey.transportSubmode = names.keep(element.text.trim());
        }),
        ServiceJourney: finish,
        DeadRun: finish,
      },
    };
  }

  #beginJourney(element: OpenElement): void {
    const journey: CollectedJourney = {
      ...modelElement(element, this.#names),
      journeyPatternRef: undefined,
      journeyPatternVersion: undefined,
      dayTypeRefs: [],
      lineRef: undefined,
      transportMode: undefined,
      transportSubmode: undefined,
      serviceAlteration: undefined,
      firstTime: this.passingTimes.size,
      timeCount: 0,
      pattern: undefined,
    };
    this.serviceJourneys.push(journey);
    this.#journey = journey;
    this.#deadRun = undefined;
    this.#depth = element.depth;
  }

  #beginDeadRun(element: OpenElement): void {
    this.#deadRun = {
      ...modelElement(element, this.#names),
      journeyPatternRef: undefined,
      journeyPatternVersion: undefined,
      pattern: undefined,
    };
    this.deadRuns.push(this.#deadRun);
    this.#journey = undefined;
    this.#depth = element.depth;
  }

  /** The list for the open journey's next passing time. */
  #openTimes(): PassingTimes | undefined {
    if (!this.#journey) return undefined;
    this.#journey.timeCount++;
    return this.passingTimes;
  }
}
