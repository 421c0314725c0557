/**
 * The service journeys of each planner snapshot, with their days and calls. Areas use them to resolve a leg of a trip:
 * quays, times, day and dated journey. Rows belong to one snapshot and never change.
 *
 * Callers: the activities of the planner build. A journey is one row however many days it has: rows for each day would
 * be some hundred times as many with the same content.
 */
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isOnlyDuplicateKeys } from '../../platform/mongo/mongo.ts';
import type { PatternRow, ServiceJourneyRow } from './planner-journey-rows.ts';

const ONE_OF_A_SNAPSHOT = { name: 'snapshot_id', key: { snapshotId: 1, id: 1 }, unique: true } as const;

export const PLANNER_PATTERNS = new CollectionDefinition<PatternRow>('planner_patterns', [ONE_OF_A_SNAPSHOT]);
export const PLANNER_JOURNEYS = new CollectionDefinition<ServiceJourneyRow>('planner_journeys', [
  ONE_OF_A_SNAPSHOT,
  {
    name: 'dated',
    key: { snapshotId: 1, 'dated.id': 1 },
    partialFilterExpression: { 'dated.id': { $exists: true } },
  },
]);

export class PlannerJourneyStore {
  readonly #connection: Connection;
  readonly #journeys: mongo.Collection<ServiceJourneyRow>;
  readonly #patterns: mongo.Collection<PatternRow>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#journeys = PLANNER_JOURNEYS.open(connection);
    this.#patterns = PLANNER_PATTERNS.open(connection);
  }

  async ensureIndexes(): Promise<void> {
    await PLANNER_PATTERNS.ensureIndexes(this.#connection);
    await PLANNER_JOURNEYS.ensureIndexes(this.#connection);
  }

  /** Existing rows are identical, so they stay. */
  async addPatterns(rows: readonly PatternRow[]): Promise<void> {
    await addRows(this.#patterns, rows);
  }

  async addJourneys(rows: readonly ServiceJourneyRow[]): Promise<void> {
    await addRows(this.#journeys, rows);
  }

  async findJourney(snapshotId: string, id: string): Promise<ServiceJourneyRow | undefined> {
    return (await this.#journeys.findOne({ snapshotId, id })) ?? undefined;
  }

  async findPattern(snapshotId: string, id: string): Promise<PatternRow | undefined> {
    return (await this.#patterns.findOne({ snapshotId, id })) ?? undefined;
  }

  async count(snapshotId: string): Promise<number> {
    return await this.#journeys.countDocuments({ snapshotId });
  }

  async remove(snapshotId: string): Promise<void> {
    await this.#journeys.deleteMany({ snapshotId });
    await this.#patterns.deleteMany({ snapshotId });
  }
}

async function addRows<Row extends mongo.Document>(
  collection: mongo.Collection<Row>,
  rows: readonly mongo.OptionalUnlessRequiredId<Row>[],
): Promise<void> {
  if (rows.length === 0) return;
  try {
    // The activity runs until all rows are written, so none is lost when the server dies before it has them on disk.
    await collection.insertMany(rows, { ordered: false });
  } catch (error) {
    if (!isOnlyDuplicateKeys(error)) throw error;
  }
}
