/**
 * Service journeys: SERVICE_JOURNEY_1 to 3, 10 to 14 and 16. Their passing times have a file of their own.
 *
 * Lines, journeys and dated journeys can come in any order of frames: rules that need several are checked at the end.
 */
import { HashSet } from '../dataset/hash-set.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check, ElementHandler, RuleRun } from './check.ts';
import { idOf, notedIdOf } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import * as rules from './service-journey-rules.ts';

/** Journeys are children of the vehicleJourneys of a TimetableFrame. */
export function isServiceJourney(element: OpenElement | undefined): element is OpenElement {
  return element?.name === 'ServiceJourney' && element.parent?.name === 'vehicleJourneys';
}

const framesHaveJourneys: Check = {
  rules: [rules.SERVICE_JOURNEY_1],
  begin(run) {
    let hasJourney = true;
    return {
      start: {
        TimetableFrame() {
          hasJourney = false;
        },
        ServiceJourney(element) {
          if (isServiceJourney(element)) hasJourney = true;
        },
      },
      end: {
        TimetableFrame(element) {
          if (hasJourney) return;
          run.report(
            rules.SERVICE_JOURNEY_1,
            element,
            () => `TimetableFrame${idOf(element)} has no ServiceJourney; expected at least one.`,
          );
        },
      },
    };
  },
};

/** Children that each journey needs itself or by its pattern or line. */
const CHILDREN = ['passingTimes', 'JourneyPatternRef', 'TransportMode', 'TransportSubmode'] as const;
type DescribingChild = (typeof CHILDREN)[number];

const childrenOfJourneys: Check = {
  rules: [
    rules.SERVICE_JOURNEY_2,
    rules.SERVICE_JOURNEY_3,
    rules.SERVICE_JOURNEY_10,
    rules.SERVICE_JOURNEY_11,
    rules.SERVICE_JOURNEY_16,
  ],
  begin(run) {
    let journey: OpenElement | undefined;
    const has: Record<DescribingChild, boolean> = {
      passingTimes: false,
      JourneyPatternRef: false,
      TransportMode: false,
      TransportSubmode: false,
    };
    const note = (child: DescribingChild): ElementHandler => {
      return (element) => {
        if (journey !== undefined && element.parent === journey) has[child] = true;
      };
    };
    return {
      start: {
        ServiceJourney(element) {
          if (!isServiceJourney(element)) return;
          journey = element;
          for (const child of CHILDREN) has[child] = false;
          if (run.isRepeatedId) reportVersions(run, element);
        },
        calls(element) {
          if (journey === undefined || element.parent !== journey) return;
          run.report(
            rules.SERVICE_JOURNEY_2,
            element,
            () => `ServiceJourney${idOf(element.parent ?? element)} has calls; expected passingTimes.`,
          );
        },
        ...Object.fromEntries(CHILDREN.map((child) => [child, note(child)])),
      },
      end: {
        ServiceJourney(element) {
          if (element !== journey) return;
          journey = undefined;
          checkChildren(run, element, has);
        },
      },
    };
  },
};

function reportVersions(run: RuleRun, element: OpenElement): void {
  run.report(
    rules.SERVICE_JOURNEY_16,
    element,
    () => `ServiceJourney${idOf(element)} is there before, in another version; expected one version.`,
  );
}

function checkChildren(run: RuleRun, element: OpenElement, has: Readonly<Record<DescribingChild, boolean>>): void {
  const journey = (): string => `ServiceJourney${idOf(element)}`;
  if (!has.passingTimes)
    run.report(rules.SERVICE_JOURNEY_3, element, () => `${journey()} has no passingTimes; expected them.`);
  if (!has.JourneyPatternRef)
    run.report(rules.SERVICE_JOURNEY_10, element, () => `${journey()} has no JourneyPatternRef; expected one.`);
  if (has.TransportMode === has.TransportSubmode) return;
  const [given, missing] = has.TransportMode
    ? ['TransportMode', 'TransportSubmode']
    : ['TransportSubmode', 'TransportMode'];
  run.report(
    rules.SERVICE_JOURNEY_11,
    element,
    () => `${journey()} has a ${given} of its own but no ${missing}; expected both or none.`,
  );
}

const operators: Check = {
  rules: [rules.SERVICE_JOURNEY_12],
  begin(run) {
    const without: NotedPlace[] = [];
    let lineHasOperator = false;
    let hasOperator = false;
    return {
      start: {
        ServiceJourney() {
          hasOperator = false;
        },
        OperatorRef({ parent }) {
          const around = parent?.parent?.name;
          if (parent?.name === 'ServiceJourney') hasOperator = true;
          else if ((parent?.name === 'Line' || parent?.name === 'FlexibleLine') && around === 'lines')
            lineHasOperator = true;
        },
      },
      end: {
        ServiceJourney(element) {
          if (!hasOperator && !lineHasOperator && isServiceJourney(element)) without.push(notePlace(element));
        },
      },
      finish() {
        if (lineHasOperator) return;
        for (const place of without) {
          run.report(
            rules.SERVICE_JOURNEY_12,
            place,
            () => `Neither ServiceJourney${notedIdOf(place)} nor its line has an OperatorRef; expected one of them to.`,
          );
        }
      },
    };
  },
};

interface JourneyInCalendar extends NotedPlace {
  readonly high: number;
  readonly low: number;
  readonly hasDayTypes: boolean;
}

const calendars: Check = {
  rules: [rules.SERVICE_JOURNEY_13, rules.SERVICE_JOURNEY_14],
  begin(run) {
    const journeys: JourneyInCalendar[] = [];
    const dated = new HashSet();
    let hasDayTypes = false;
    return {
      start: {
        ServiceJourney() {
          hasDayTypes = false;
        },
        DayTypeRef({ parent }) {
          if (parent?.name === 'dayTypes' && parent.parent?.name === 'ServiceJourney') hasDayTypes = true;
        },
        ServiceJourneyRef({ parent, attributes }) {
          if (parent?.name !== 'DatedServiceJourney') return;
          run.hasher.hash(attributes.ref ?? '');
          dated.add(run.hasher.high, run.hasher.low);
        },
      },
      end: {
        ServiceJourney(element) {
          if (!isServiceJourney(element)) return;
          run.hasher.hash(element.attributes.id ?? '');
          const { high, low } = run.hasher;
          journeys.push({ ...notePlace(element), high, low, hasDayTypes });
        },
      },
      finish() {
        for (const journey of journeys) checkCalendar(run, journey, dated.has(journey.high, journey.low));
      },
    };
  },
};

function checkCalendar(run: RuleRun, journey: JourneyInCalendar, isDated: boolean): void {
  if (journey.hasDayTypes !== isDated) return;
  const [rule, what] = isDated
    ? [rules.SERVICE_JOURNEY_14, 'has dayTypes, and dated journeys refer to it as well; expected one or the other']
    : [rules.SERVICE_JOURNEY_13, 'has no dayTypes, and no dated journey refers to it; expected one or the other'];
  run.report(rule, journey, () => `ServiceJourney${notedIdOf(journey)} ${what}.`);
}

export const serviceJourneyChecks: readonly Check[] = [framesHaveJourneys, childrenOfJourneys, operators, calendars];
