/**
 * The rows of each planner snapshot: service journeys with their days and calls, patterns, lines and places. Areas use
 * them through the timetable reader to resolve a leg of a trip. Rows belong to one snapshot and never change.
 *
 * Callers: the activities of the planner build. A journey is one row however many days it has: rows for each day would
 * be some hundred times as many with the same content.
 */
import type { Connection, mongo } from 'mongoose';
import type { Timetable } from '../../planner/index.ts';
import { batchesOf } from '../../platform/batches.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isOnlyDuplicateKeys } from '../../platform/mongo/mongo.ts';
import {
  type DaySetRow,
  daySetRows,
  type PatternRow,
  patternRows,
  type ServiceJourneyRow,
  serviceJourneyRows,
} from './planner-journey-rows.ts';
import {
  authorityRows,
  fareZoneRows,
  type LineRow,
  lineRows,
  type NamedRow,
  type StopPlaceRow,
  stopPlaceRows,
} from './planner-place-rows.ts';

const ONE_OF_A_SNAPSHOT = { name: 'snapshot_id', key: { snapshotId: 1, id: 1 }, unique: true } as const;

export const PLANNER_PATTERNS = new CollectionDefinition<PatternRow>('planner_patterns', [
  ONE_OF_A_SNAPSHOT,
  { name: 'places', key: { snapshotId: 1, places: 1 } },
]);
export const PLANNER_JOURNEYS = new CollectionDefinition<ServiceJourneyRow>('planner_journeys', [
  ONE_OF_A_SNAPSHOT,
  {
    name: 'dated',
    key: { snapshotId: 1, 'dated.id': 1 },
    partialFilterExpression: { 'dated.id': { $exists: true } },
  },
  // Holds all that a list of a day's journeys needs, so that no document is read for it.
  { name: 'day_set', key: { snapshotId: 1, daySet: 1, lineId: 1, first: 1, tripCount: 1, id: 1 } },
]);
export const PLANNER_DAY_SETS = new CollectionDefinition<DaySetRow>('planner_day_sets', [ONE_OF_A_SNAPSHOT]);
export const PLANNER_LINES = new CollectionDefinition<LineRow>('planner_lines', [ONE_OF_A_SNAPSHOT]);
export const PLANNER_STOP_PLACES = new CollectionDefinition<StopPlaceRow>('planner_stop_places', [ONE_OF_A_SNAPSHOT]);
export const PLANNER_FARE_ZONES = new CollectionDefinition<NamedRow>('planner_fare_zones', [ONE_OF_A_SNAPSHOT]);
export const PLANNER_AUTHORITIES = new CollectionDefinition<NamedRow>('planner_authorities', [ONE_OF_A_SNAPSHOT]);

/** Rows of journeys. What is sold names them. */
export const PLANNER_JOURNEY_ROWS = [
  PLANNER_PATTERNS,
  PLANNER_JOURNEYS,
  PLANNER_DAY_SETS,
  PLANNER_LINES,
  PLANNER_STOP_PLACES,
] as const;
/** Rows of names for a search. */
export const PLANNER_NAME_ROWS = [PLANNER_FARE_ZONES, PLANNER_AUTHORITIES] as const;
/** The collections that have rows of each snapshot. */
export const PLANNER_ROWS = [...PLANNER_JOURNEY_ROWS, ...PLANNER_NAME_ROWS] as const;

const ROWS_AT_ONCE = 1_000;
/** A frequency journey has as many calls as hundreds of others. */
const CALLS_AT_ONCE = 200_000;

export class PlannerJourneyStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async ensureIndexes(): Promise<void> {
    for (const definition of PLANNER_ROWS) await definition.ensureIndexes(this.#connection);
  }

  /** Existing rows are identical, so they stay. */
  async add(timetable: Timetable, signal: AbortSignal): Promise<void> {
    const adds = <Row extends mongo.Document>(
      definition: CollectionDefinition<Row>,
      rows: Iterable<mongo.OptionalUnlessRequiredId<Row>>,
      calls: (row: mongo.OptionalUnlessRequiredId<Row>) => number = () => 0,
    ) => addRows(definition.open(this.#connection), rows, calls, signal);
    await adds(PLANNER_DAY_SETS, daySetRows(timetable));
    await adds(PLANNER_LINES, lineRows(timetable));
    await adds(PLANNER_STOP_PLACES, stopPlaceRows(timetable));
    await adds(PLANNER_FARE_ZONES, fareZoneRows(timetable));
    await adds(PLANNER_AUTHORITIES, authorityRows(timetable));
    await adds(PLANNER_PATTERNS, patternRows(timetable), ({ quayIds }) => quayIds.length);
    await adds(PLANNER_JOURNEYS, serviceJourneyRows(timetable), callsOf);
  }

  async findJourney(snapshotId: string, id: string): Promise<ServiceJourneyRow | undefined> {
    return (await PLANNER_JOURNEYS.open(this.#connection).findOne({ snapshotId, id })) ?? undefined;
  }

  async findPattern(snapshotId: string, id: string): Promise<PatternRow | undefined> {
    return (await PLANNER_PATTERNS.open(this.#connection).findOne({ snapshotId, id })) ?? undefined;
  }

  async count(snapshotId: string): Promise<number> {
    return await PLANNER_JOURNEYS.open(this.#connection).countDocuments({ snapshotId });
  }

  async remove(snapshotId: string): Promise<void> {
    for (const { collection } of PLANNER_ROWS) await this.#connection.collection(collection).deleteMany({ snapshotId });
  }
}

const callsOf = ({ trips }: ServiceJourneyRow): number => trips.length * (trips[0]?.departures.length ?? 0);

async function addRows<Row extends mongo.Document>(
  collection: mongo.Collection<Row>,
  all: Iterable<mongo.OptionalUnlessRequiredId<Row>>,
  calls: (row: mongo.OptionalUnlessRequiredId<Row>) => number,
  signal: AbortSignal,
): Promise<void> {
  for await (const rows of batchesOf(all, { count: ROWS_AT_ONCE, weight: { of: calls, limit: CALLS_AT_ONCE } })) {
    signal.throwIfAborted();
    try {
      // The activity runs until all rows are written, so none is lost when the server dies before it has them on disk.
      await collection.insertMany(rows, { ordered: false });
    } catch (error) {
      if (!isOnlyDuplicateKeys(error)) throw error;
    }
  }
}
