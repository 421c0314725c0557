/**
 * The frames of a file and which of them have validity conditions: COMPOSITE_FRAME_SITE_FRAME, COMPOSITE_FRAME_1 and
 * 2, COMPOSITE_TIMETABLE_FRAME_IN_COMMON_FILE, RESOURCE_FRAME_IN_LINE_FILE, TIMETABLE_FRAME_IN_COMMON_FILE,
 * SITE_FRAME_IN_…, VALIDITY_CONDITIONS_IN_….
 *
 * A file has either a CompositeFrame with frames inside, or frames alone. The rules on frames alone are checked at
 * the end.
 */
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun } from './check.ts';
import { notedIdOf } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import * as rules from './frame-rules.ts';
import { isWithin } from './reference-kinds.ts';
import type { Rule } from './rule.ts';

interface Frame extends NotedPlace {
  readonly name: string;
  readonly depth: number;
  hasValidity: boolean;
}

const FRAMES = [
  'CompositeFrame',
  'ResourceFrame',
  'ServiceFrame',
  'ServiceCalendarFrame',
  'TimetableFrame',
  'VehicleScheduleFrame',
  'SiteFrame',
] as const;

/** When a file has several frames of one kind alone, each needs validity conditions. */
const SEVERAL: Readonly<Record<'line' | 'common', ReadonlyArray<readonly [string, Rule]>>> = {
  line: [
    ['ServiceFrame', rules.VALIDITY_CONDITIONS_IN_LINE_FILE_2],
    ['ServiceCalendarFrame', rules.VALIDITY_CONDITIONS_IN_LINE_FILE_3],
    ['TimetableFrame', rules.VALIDITY_CONDITIONS_IN_LINE_FILE_4],
    ['VehicleScheduleFrame', rules.VALIDITY_CONDITIONS_IN_LINE_FILE_5],
  ],
  common: [
    ['ResourceFrame', rules.VALIDITY_CONDITIONS_IN_COMMON_FILE_2],
    ['ServiceFrame', rules.VALIDITY_CONDITIONS_IN_COMMON_FILE_3],
    ['ServiceCalendarFrame', rules.VALIDITY_CONDITIONS_IN_COMMON_FILE_4],
  ],
};

/** At least one of them needs validity conditions. */
const ANY: Readonly<Record<'line' | 'common', readonly [readonly string[], Rule]>> = {
  line: [['ServiceFrame', 'ServiceCalendarFrame', 'TimetableFrame'], rules.VALIDITY_CONDITIONS_IN_LINE_FILE_1],
  common: [['ServiceFrame', 'ServiceCalendarFrame'], rules.VALIDITY_CONDITIONS_IN_COMMON_FILE_1],
};

class FrameWatch {
  readonly #run: RuleRun;
  /** Frames directly below dataObjects. */
  readonly #frames: Frame[] = [];
  #dataObjects: NotedPlace = { line: null, column: null, objectId: null };

  constructor(run: RuleRun) {
    this.#run = run;
  }

  openDataObjects(element: OpenElement): void {
    this.#dataObjects = notePlace(element);
  }

  openFrame(element: OpenElement): void {
    const { name, parent, depth } = element;
    if (parent?.name === 'dataObjects') {
      this.#frames.push({ ...notePlace(element), name, depth, hasValidity: false });
    } else if (parent?.name === 'frames' && parent.parent?.name === 'CompositeFrame') this.#openInComposite(element);
  }

  #openInComposite(element: OpenElement): void {
    if (element.name === 'SiteFrame') {
      this.#run.report(
        rules.COMPOSITE_FRAME_SITE_FRAME,
        element,
        () =>
          'CompositeFrame holds a SiteFrame; its stops only serve where the stop register has none. Expected no SiteFrame.',
      );
    }
    if (element.name === 'TimetableFrame') {
      this.#run.report(
        rules.COMPOSITE_TIMETABLE_FRAME_IN_COMMON_FILE,
        element,
        () => 'The CompositeFrame of a common file holds a TimetableFrame; expected journeys in line files only.',
      );
    }
  }

  openValidity(element: OpenElement): void {
    const frame = this.#frames.at(-1);
    if (frame && element.depth === frame.depth + 1) frame.hasValidity = true;
    else if (frame?.name === 'CompositeFrame' && isWithin(element, 'frames')) {
      this.#run.report(
        rules.COMPOSITE_FRAME_2,
        element,
        () =>
          `validityConditions of ${element.parent?.name} stand inside a CompositeFrame; expected them on the CompositeFrame only.`,
      );
    }
  }

  finish(): void {
    const composites = this.#frames.filter(({ name }) => name === 'CompositeFrame');
    if (composites.length === 0) this.#checkSingleFrames();
    this.#checkMisplaced();
    for (const composite of composites.filter(({ hasValidity }) => !hasValidity)) {
      this.#run.report(
        rules.COMPOSITE_FRAME_1,
        composite,
        () => `CompositeFrame${notedIdOf(composite)} does not say when it holds; expected validityConditions.`,
      );
    }
  }

  #checkSingleFrames(): void {
    const { kind } = this.#run;
    const resources = this.#frames.filter(({ name }) => name === 'ResourceFrame').length;
    if (resources !== 1) {
      this.#run.report(
        rules.RESOURCE_FRAME_IN_LINE_FILE,
        this.#dataObjects,
        () => `The file has ${resources} ResourceFrames; expected one.`,
      );
    }
    const [names, anyRule] = ANY[kind];
    if (!this.#frames.some(({ name, hasValidity }) => hasValidity && names.includes(name))) {
      this.#run.report(
        anyRule,
        this.#dataObjects,
        () => `None of the frames says when it holds; expected validityConditions in one of ${names.join(', ')}.`,
      );
    }
    for (const [name, rule] of SEVERAL[kind]) this.#checkSeveral(name, rule);
  }

  /** Frames outside a CompositeFrame, even when the file has one; frames inside are checked where they open. */
  #checkMisplaced(): void {
    this.#reportEach('TimetableFrame', rules.TIMETABLE_FRAME_IN_COMMON_FILE, 'expected journeys in line files only');
    const siteFrame = this.#run.kind === 'line' ? rules.SITE_FRAME_IN_LINE_FILE : rules.SITE_FRAME_IN_COMMON_FILE;
    this.#reportEach('SiteFrame', siteFrame, 'its stops only serve where the stop register has none; expected none');
  }

  #checkSeveral(name: string, rule: Rule): void {
    const frames = this.#frames.filter((frame) => frame.name === name);
    if (frames.length < 2) return;
    for (const frame of frames.filter(({ hasValidity }) => !hasValidity)) {
      this.#run.report(
        rule,
        frame,
        () =>
          `${name}${notedIdOf(frame)} is one of ${frames.length} and does not say when it holds; expected validityConditions.`,
      );
    }
  }

  #reportEach(name: string, rule: Rule, hint: string): void {
    for (const frame of this.#frames.filter((one) => one.name === name)) {
      this.#run.report(rule, frame, () => `The ${this.#run.kind} file has a ${name}; ${hint}.`);
    }
  }
}

const framesAndTheirValidity: Check = {
  rules: Object.values(rules),
  looksIntoSiteFrames: true,
  begin(run) {
    const watch = new FrameWatch(run);
    const openFrame = (element: OpenElement): void => watch.openFrame(element);
    return {
      start: {
        dataObjects: (element) => watch.openDataObjects(element),
        ...Object.fromEntries(FRAMES.map((name) => [name, openFrame])),
        validityConditions(element) {
          if (!isWithin(element, 'SiteFrame')) watch.openValidity(element);
        },
      },
      finish: () => watch.finish(),
    };
  },
};

export const frameChecks: readonly Check[] = [framesAndTheirValidity];
