/** The journeys of one service day, read from the index of their days alone. Caller: snapshot-rows.ts. */
import type { Connection } from 'mongoose';
import type { FirstJourneys } from '../../shared/timetable.ts';
import type { ServiceJourneyRow } from '../planner-journey-rows.ts';
import { PLANNER_DAY_SETS, PLANNER_JOURNEYS } from '../planner-journey-store.ts';
import { isAmong } from './service-days.ts';

export interface DayEntry {
  readonly journeyId: string;
  readonly lineId: string;
  /** Index into the journey's trips. */
  readonly trip: number;
}

type Indexed = Pick<ServiceJourneyRow, 'id' | 'lineId' | 'first' | 'tripCount'>;
type SortedEntry = DayEntry & Pick<Indexed, 'first'>;

const ROWS_AT_ONCE = 2_000;

/** By line and first departure. */
export async function readDay(connection: Connection, snapshotId: string, day: number): Promise<readonly DayEntry[]> {
  const sets: number[] = [];
  for await (const { id, days } of PLANNER_DAY_SETS.open(connection).find({ snapshotId })) {
    if (isAmong(days, day)) sets.push(id);
  }
  if (sets.length === 0) return [];
  const journeys = PLANNER_JOURNEYS.open(connection);
  const entries: SortedEntry[] = [];
  const several: string[] = [];
  const projection = { _id: 0, id: 1, lineId: 1, first: 1, tripCount: 1 } as const;
  const filter = { snapshotId, daySet: { $in: sets } };
  // The server sorts, and batches are small: neither may keep other requests of the process waiting.
  const options = { projection, sort: { lineId: 1, first: 1, id: 1 }, batchSize: ROWS_AT_ONCE } as const;
  for await (const { id, lineId, first, tripCount } of journeys.find<Indexed>(filter, options)) {
    if (tripCount > 1) several.push(id);
    else entries.push({ journeyId: id, trip: 0, lineId, first });
  }
  const frequent = { snapshotId, id: { $in: several } };
  if (several.length > 0) {
    for await (const row of journeys.find(frequent)) entries.push(...tripsOf(row));
    entries.sort(byLineAndDeparture);
  }
  // One text for all journeys of a line: days are kept in memory.
  const lines = new Map(entries.map(({ lineId }) => [lineId, lineId]));
  return entries.map(({ journeyId, lineId, trip }) => ({ journeyId, lineId: lines.get(lineId) ?? lineId, trip }));
}

function tripsOf({ id, lineId, trips }: ServiceJourneyRow): readonly SortedEntry[] {
  return trips.map(({ departures }, trip) => ({ journeyId: id, trip, lineId, first: departures[0] as number }));
}

function byLineAndDeparture(one: SortedEntry, other: SortedEntry): number {
  if (one.lineId !== other.lineId) return one.lineId < other.lineId ? -1 : 1;
  if (one.first !== other.first) return one.first - other.first;
  if (one.journeyId !== other.journeyId) return one.journeyId < other.journeyId ? -1 : 1;
  return one.trip - other.trip;
}

/** Keeps the order among the first, and among the others. */
export function inOrder(
  entries: readonly DayEntry[],
  first: FirstJourneys | undefined,
  firstDated: ReadonlySet<string>,
): readonly DayEntry[] {
  if (!first) return entries;
  const isFirst = ({ lineId, journeyId }: DayEntry) =>
    first.lineIds.has(lineId) || first.serviceJourneyIds.has(journeyId) || firstDated.has(journeyId);
  return [...entries.filter(isFirst), ...entries.filter((entry) => !isFirst(entry))];
}
