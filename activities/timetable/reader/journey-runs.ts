/**
 * The runs of a journey: one of its trips on one service day. Finds the run that a leg means, and the run of an id.
 * Pure.
 */
import { datedJourneyId } from '../../shared/timetable.ts';
import type { DatedRow, PatternRow, ServiceJourneyRow } from '../planner-journey-rows.ts';
import { dateOf, dayOf, isAmong, runStartMs } from './service-days.ts';

export interface JourneyRun {
  readonly journey: ServiceJourneyRow;
  /** Index into the journey's trips. */
  readonly trip: number;
  readonly day: number;
  readonly dated?: DatedRow;
}

const DAY_SECONDS = 86_400;
/** A leg's departure may be a delayed one; a run that is further away is another. */
const FARTHEST_MS = 12 * 3_600_000;
/** An id of ours: the journey, its day, and for a frequency journey the first departure in seconds of that day. */
const OWN_ID = /^(?<journeyId>.+)@(?<date>\d{4}-\d\d-\d\d)$/;
const WITH_DEPARTURE = /^(?<id>.+)@(?<seconds>\d{1,7})$/;

export interface RunName {
  /** A published dated journey, or one of ours without its departure. */
  readonly id: string;
  readonly own?: { readonly journeyId: string; readonly day: number };
  readonly departureSeconds?: number;
}

/** What an id may mean, the likeliest first: the end of a published id may look like the departure of one of ours. */
export function namesOf(id: string): readonly RunName[] {
  const { id: shorter, seconds } = WITH_DEPARTURE.exec(id)?.groups ?? {};
  if (shorter === undefined) return [nameOf(id)];
  return [nameOf(id), { ...nameOf(shorter), departureSeconds: Number(seconds) }];
}

function nameOf(id: string): RunName {
  const { journeyId = '', date = '' } = OWN_ID.exec(id)?.groups ?? {};
  const day = dayOf(date);
  return day === undefined ? { id } : { id, own: { journeyId, day } };
}

/** The run of a name, in the row that was found by it. Undefined when the journey does not run then. */
export function runOfName(journey: ServiceJourneyRow, { id, own, departureSeconds }: RunName): JourneyRun | undefined {
  const published = journey.dated?.find((dated) => dated.id === id);
  const day = published?.day ?? (own?.journeyId === journey.id ? own.day : undefined);
  if (day === undefined) return undefined;
  const trip =
    departureSeconds === undefined ? 0 : journey.trips.findIndex((each) => each.departures[0] === departureSeconds);
  if (journey.trips[trip] === undefined) return undefined;
  return runOn(journey, trip, day, published);
}

/** Undefined when the journey neither runs on the day nor has a dated journey then. */
export function runOn(
  journey: ServiceJourneyRow,
  trip: number,
  day: number,
  dated: DatedRow | undefined = datedOn(journey, day),
): JourneyRun | undefined {
  if (dated === undefined && !isAmong(journey.days, day)) return undefined;
  return { journey, trip, day, ...(dated && { dated }) };
}

export function isCancelled({ journey, day, dated }: JourneyRun): boolean {
  return isOff(dated) || !isAmong(journey.days, day);
}

/** The id that names the run: the published one where it has one. */
export function idOf({ journey, trip, day, dated }: JourneyRun): string {
  const id = dated?.id ?? datedJourneyId(journey.id, dateOf(day));
  return journey.trips.length === 1 ? id : `${id}@${journey.trips[trip]?.departures[0]}`;
}

/** The run with the closest planned departure at one of these positions; of the day of `named` where that is given. */
export function closestRun(
  journey: ServiceJourneyRow,
  pattern: PatternRow,
  departure: Date,
  boardings: readonly number[],
  named?: JourneyRun,
): JourneyRun | undefined {
  const at = departure.getTime();
  let closest: { readonly run: JourneyRun; readonly distance: number } | undefined;
  for (const [trip, { departures }] of journey.trips.entries()) {
    for (const position of boardings) {
      const seconds = departures[position] as number;
      const near = Math.floor((at / 1_000 - seconds) / DAY_SECONDS);
      // Zones are up to 14 hours from UTC.
      for (let day = near - 1; day <= near + 2; day++) {
        const distance = Math.abs(runStartMs(pattern.timeZone, day, departures[0] as number) + seconds * 1_000 - at);
        if (distance > FARTHEST_MS || distance >= (closest?.distance ?? Number.POSITIVE_INFINITY)) continue;
        if (named !== undefined && named.day !== day) continue;
        const run = runOn(journey, trip, day, named?.dated);
        if (run) closest = { run, distance };
      }
    }
  }
  return closest?.run;
}

/** A dated journey that runs before one that does not: a replacement may have the day of what it replaces. */
function datedOn({ dated = [] }: ServiceJourneyRow, day: number): DatedRow | undefined {
  const ofDay = dated.filter((each) => each.day === day);
  return ofDay.find((each) => !isOff(each)) ?? ofDay[0];
}

function isOff(dated: DatedRow | undefined): boolean {
  return dated?.alteration === 'cancellation' || dated?.alteration === 'replaced';
}
