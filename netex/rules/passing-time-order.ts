/**
 * Checks that the passing times of service journeys are complete, consistent and increasing:
 * TIMETABLED_PASSING_TIME_… and SAME_DEPARTURE_ARRIVAL_TIME.
 *
 * A stop that stands for an area (FlexibleStopAssignment) needs a complete window, since a vehicle comes there on
 * demand. Elsewhere a window is as good as a time. Times include day offsets. Each wrong place is reported once:
 * later times are compared with it, so one wrong time is not reported at every later stop.
 */
import type { ModelCheck } from '../model/model-check.ts';
import type { JourneyPattern, ServiceJourney, TimetableModel } from '../model/timetable-model.ts';
import type { RuleRun } from './check.ts';
import { CLOCK, INCOMPLETE, isTurned, kindOf, secondsBetween } from './passing-time-kinds.ts';
import { backwardsText, incompleteText, standstillText, turnedText } from './passing-time-texts.ts';
import type { Rule } from './rule.ts';
import { semanticRule } from './semantic-rule.ts';

const BACKWARDS =
  '<DepartureTime>08:10:00</DepartureTime> at one stop, <ArrivalTime>08:05:00</ArrivalTime> at the next';

export const TIMETABLED_PASSING_TIME_INCOMPLETE_TIME = semanticRule(
  'TIMETABLED_PASSING_TIME_INCOMPLETE_TIME',
  'ERROR',
  'ServiceJourney has incomplete TimetabledPassingTime',
  'A passing time misses a needed departure/arrival (or one side of a flexible window)',
  '<TimetabledPassingTime …><EarliestDepartureTime>08:00:00</EarliestDepartureTime></TimetabledPassingTime>',
  'Give the arrival or departure; for an area, both EarliestDepartureTime and LatestArrivalTime.',
);
export const TIMETABLED_PASSING_TIME_INCONSISTENT_TIME = semanticRule(
  'TIMETABLED_PASSING_TIME_INCONSISTENT_TIME',
  'ERROR',
  'ServiceJourney has inconsistent TimetabledPassingTime',
  'Departure before arrival at the same stop',
  '<ArrivalTime>08:10:00</ArrivalTime><DepartureTime>08:05:00</DepartureTime>',
  'Correct the times; after midnight, give the DepartureDayOffset.',
);
export const TIMETABLED_PASSING_TIME_NON_INCREASING_TIME = semanticRule(
  'TIMETABLED_PASSING_TIME_NON_INCREASING_TIME',
  'ERROR',
  'ServiceJourney has non-increasing TimetabledPassingTime',
  'Times go backwards between neighbouring stops (day offsets considered)',
  BACKWARDS,
  'Correct the times; after midnight, give the day offsets.',
);
export const SAME_DEPARTURE_ARRIVAL_TIME = semanticRule(
  'SAME_DEPARTURE_ARRIVAL_TIME',
  'INFO',
  'Same departure/arrival time for consecutive stops',
  'Zero travel time between neighbouring stops',
  '<DepartureTime>08:10:00</DepartureTime> at two stops running',
  'Give times to the second where stops are less than a minute apart.',
);

const timesGoForward: ModelCheck = {
  rules: [
    TIMETABLED_PASSING_TIME_INCOMPLETE_TIME,
    TIMETABLED_PASSING_TIME_INCONSISTENT_TIME,
    TIMETABLED_PASSING_TIME_NON_INCREASING_TIME,
    SAME_DEPARTURE_ARRIVAL_TIME,
  ],
  check(run, model) {
    const areas = new AreaStops(model);
    for (const journey of model.serviceJourneys) checkJourney(run, model, journey, areas.of(journey.pattern));
  },
};

/** The stops of a pattern that stand for areas; undefined when none does, as in all but flexible lines. */
class AreaStops {
  readonly #model: TimetableModel;
  readonly #known = new Map<JourneyPattern, Uint8Array | undefined>();

  constructor(model: TimetableModel) {
    this.#model = model;
  }

  of(pattern: JourneyPattern | undefined): Uint8Array | undefined {
    if (!pattern) return undefined;
    if (this.#known.has(pattern)) return this.#known.get(pattern);
    const areas = Uint8Array.from(pattern.stops, (stop) => {
      const ref = stop.scheduledStopPointRef;
      const assignment = ref === undefined ? undefined : this.#model.findStopAssignment(ref);
      return assignment?.flexibleStopPlaceRef !== undefined && assignment.quayRef === undefined ? 1 : 0;
    });
    const some = areas.includes(1) ? areas : undefined;
    this.#known.set(pattern, some);
    return some;
  }
}

function checkJourney(
  run: RuleRun,
  model: TimetableModel,
  journey: ServiceJourney,
  areas: Uint8Array | undefined,
): void {
  const times = model.passingTimes;
  const end = journey.firstTime + journey.timeCount;
  const reportAt = (rule: Rule, index: number, message: () => string): void =>
    run.report(rule, model.placeOfTime(journey, index), message);
  let previous = -1;
  let previousKind = INCOMPLETE;
  for (let index = journey.firstTime; index < end; index++) {
    const kind = kindOf(times, index, areas !== undefined && areas[times.stop[index] as number] === 1);
    if (kind === INCOMPLETE) {
      reportAt(TIMETABLED_PASSING_TIME_INCOMPLETE_TIME, index, () => incompleteText(journey, times, index));
      continue;
    }
    if (isTurned(times, index, kind)) {
      reportAt(TIMETABLED_PASSING_TIME_INCONSISTENT_TIME, index, () => turnedText(journey, times, index, kind));
    }
    if (previous >= 0) {
      const seconds = secondsBetween(times, previous, previousKind, index, kind);
      const from = previous;
      const fromKind = previousKind;
      if (seconds < 0) {
        const message = () => backwardsText(journey, times, from, fromKind, index, kind);
        reportAt(TIMETABLED_PASSING_TIME_NON_INCREASING_TIME, index, message);
      } else if (seconds === 0 && kind === CLOCK && fromKind === CLOCK) {
        reportAt(SAME_DEPARTURE_ARRIVAL_TIME, index, () => standstillText(journey, times, from, index));
      }
    }
    previous = index;
    previousKind = kind;
  }
}

export const passingTimeOrderChecks: readonly ModelCheck[] = [timesGoForward];
