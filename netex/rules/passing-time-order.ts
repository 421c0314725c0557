/**
 * The passing times of service journeys: complete, consistent, and going forward. TIMETABLED_PASSING_TIME_… and
 * SAME_DEPARTURE_ARRIVAL_TIME.
 *
 * A passing time is a time of the clock (arrival, departure or both) or a window (EarliestDepartureTime to LatestArrivalTime).
 * A stop that stands for an area (FlexibleStopAssignment) needs a whole window: a vehicle comes there when it is ordered.
 * Elsewhere a window is as good as a time. Day offsets are in the times. Each place where something is wrong is told once:
 * what follows is measured against it, so that one wrong time is not told at all later stops.
 */
import { clockText } from '../model/clock-time.ts';
import type { ModelCheck } from '../model/model-check.ts';
import { ABSENT, type PassingTimes } from '../model/passing-times.ts';
import type { JourneyPattern, ServiceJourney, TimetableModel } from '../model/timetable-model.ts';
import type { RuleRun } from './check.ts';
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

const INCOMPLETE = 0;
const CLOCK = 1;
const WINDOW = 2;

const timesGoForward: ModelCheck = {
  rules: [
    TIMETABLED_PASSING_TIME_INCOMPLETE_TIME,
    TIMETABLED_PASSING_TIME_INCONSISTENT_TIME,
    TIMETABLED_PASSING_TIME_NON_INCREASING_TIME,
    SAME_DEPARTURE_ARRIVAL_TIME,
  ],
  judge(run, model) {
    const areas = new AreaStops(model);
    for (const journey of model.serviceJourneys) judgeJourney(run, model, journey, areas.of(journey.pattern));
  },
};

/** Which stops of a pattern stand for areas; undefined when none does, as in all but flexible lines. */
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

function judgeJourney(
  run: RuleRun,
  model: TimetableModel,
  journey: ServiceJourney,
  areas: Uint8Array | undefined,
): void {
  const times = model.passingTimes;
  const end = journey.firstTime + journey.timeCount;
  const tell = (rule: Rule, index: number, message: () => string): void =>
    run.report(rule, model.placeOfTime(journey, index), message);
  let previous = -1;
  let previousKind = INCOMPLETE;
  for (let index = journey.firstTime; index < end; index++) {
    const kind = kindOf(times, index, areas !== undefined && areas[times.stop[index] as number] === 1);
    if (kind === INCOMPLETE) {
      tell(TIMETABLED_PASSING_TIME_INCOMPLETE_TIME, index, () => incompleteText(journey, times, index));
      continue;
    }
    if (isTurned(times, index, kind)) {
      tell(TIMETABLED_PASSING_TIME_INCONSISTENT_TIME, index, () => turnedText(journey, times, index, kind));
    }
    if (previous >= 0) {
      const seconds = secondsBetween(times, previous, previousKind, index, kind);
      const from = previous;
      const fromKind = previousKind;
      if (seconds < 0) {
        const message = () => backwardsText(journey, times, from, fromKind, index, kind);
        tell(TIMETABLED_PASSING_TIME_NON_INCREASING_TIME, index, message);
      } else if (seconds === 0 && kind === CLOCK && fromKind === CLOCK) {
        tell(SAME_DEPARTURE_ARRIVAL_TIME, index, () => standstillText(journey, times, from, index));
      }
    }
    previous = index;
    previousKind = kind;
  }
}

function kindOf(times: PassingTimes, index: number, isArea: boolean): number {
  if (!isArea && (times.arrival[index] !== ABSENT || times.departure[index] !== ABSENT)) return CLOCK;
  return times.earliestDeparture[index] !== ABSENT && times.latestArrival[index] !== ABSENT ? WINDOW : INCOMPLETE;
}

function isTurned(times: PassingTimes, index: number, kind: number): boolean {
  if (kind === WINDOW) return (times.latestArrival[index] as number) < (times.earliestDeparture[index] as number);
  const arrival = times.arrival[index] as number;
  const departure = times.departure[index] as number;
  return arrival !== ABSENT && departure !== ABSENT && departure < arrival;
}

/**
 * Least time from one to the next. After a window, a time of the clock must not be before its end; windows that follow
 * one another may overlap, but must both begin and end no earlier.
 */
function secondsBetween(times: PassingTimes, from: number, fromKind: number, to: number, toKind: number): number {
  if (fromKind === WINDOW && toKind === WINDOW) {
    const begins = (times.earliestDeparture[to] as number) - (times.earliestDeparture[from] as number);
    return Math.min(begins, (times.latestArrival[to] as number) - (times.latestArrival[from] as number));
  }
  return reachedAt(times, to, toKind) - leftAt(times, from, fromKind);
}

function leftAt(times: PassingTimes, index: number, kind: number): number {
  if (kind === WINDOW) return times.latestArrival[index] as number;
  const departure = times.departure[index] as number;
  return departure === ABSENT ? (times.arrival[index] as number) : departure;
}

function reachedAt(times: PassingTimes, index: number, kind: number): number {
  if (kind === WINDOW) return times.earliestDeparture[index] as number;
  const arrival = times.arrival[index] as number;
  return arrival === ABSENT ? (times.departure[index] as number) : arrival;
}

function stopText(journey: ServiceJourney, times: PassingTimes, index: number): string {
  const stop = times.stop[index] as number;
  const ref = journey.pattern?.stops[stop]?.scheduledStopPointRef;
  const number = stop < 0 ? index - journey.firstTime + 1 : stop + 1;
  return ref === undefined ? `stop ${number}` : `stop ${number} (${ref})`;
}

function timeText(times: PassingTimes, index: number, kind: number, clock: number): string {
  if (kind === CLOCK) return clockText(clock);
  const earliest = clockText(times.earliestDeparture[index] as number);
  return `between ${earliest} and ${clockText(times.latestArrival[index] as number)}`;
}

function incompleteText(journey: ServiceJourney, times: PassingTimes, index: number): string {
  const { earliestDeparture, latestArrival } = times;
  const sides = Number(earliestDeparture[index] !== ABSENT) + Number(latestArrival[index] !== ABSENT);
  const where = `ServiceJourney ${journey.id} at ${stopText(journey, times, index)}`;
  const windowed = 'expected both EarliestDepartureTime and LatestArrivalTime';
  if (sides === 1) return `${where} has one side of a time window only; ${windowed}.`;
  if (times.arrival[index] !== ABSENT || times.departure[index] !== ABSENT) {
    return `${where}, which is an area, has no time window; ${windowed}.`;
  }
  return `${where} has no time; expected an arrival, a departure or both.`;
}

function turnedText(journey: ServiceJourney, times: PassingTimes, index: number, kind: number): string {
  const where = `ServiceJourney ${journey.id} at ${stopText(journey, times, index)}`;
  if (kind === WINDOW) {
    const latest = clockText(times.latestArrival[index] as number);
    return `${where} has the latest arrival ${latest}, before the earliest departure ${clockText(times.earliestDeparture[index] as number)}; expected it no earlier.`;
  }
  const departure = clockText(times.departure[index] as number);
  return `${where} departs at ${departure}, before it arrives at ${clockText(times.arrival[index] as number)}; expected the departure no earlier, or a day offset after midnight.`;
}

function backwardsText(
  journey: ServiceJourney,
  times: PassingTimes,
  from: number,
  fromKind: number,
  to: number,
  toKind: number,
): string {
  const left = timeText(times, from, fromKind, leftAt(times, from, fromKind));
  const reached = timeText(times, to, toKind, reachedAt(times, to, toKind));
  return `ServiceJourney ${journey.id} leaves ${stopText(journey, times, from)} ${fromKind === CLOCK ? `at ${left}` : left} and is at ${stopText(journey, times, to)} ${toKind === CLOCK ? `at ${reached}` : reached}; expected a later time, or a day offset after midnight.`;
}

function standstillText(journey: ServiceJourney, times: PassingTimes, from: number, to: number): string {
  const time = clockText(reachedAt(times, to, CLOCK));
  return `ServiceJourney ${journey.id} leaves ${stopText(journey, times, from)} and reaches ${stopText(journey, times, to)} at the same time, ${time}.`;
}

export const passingTimeOrderChecks: readonly ModelCheck[] = [timesGoForward];
