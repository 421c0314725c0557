/**
 * The service journeys of each planner snapshot, with their days and calls, for areas that resolve a leg of a trip to what
 * runs: which quays, when, on which day, under which dated journey. Rows belong to one snapshot and never change.
 *
 * Callers: the activities of the planner build. A journey is one row however many days it has: rows for each day would be
 * some hundred times as many and say the same.
 */
import type { Connection, Model } from 'mongoose';
import { Schema } from 'mongoose';
import type { PatternRow, ServiceJourneyRow } from './planner-journey-rows.ts';

interface RowCollection {
  insertMany(rows: readonly object[], options: object): Promise<unknown>;
}

const DUPLICATE_KEY = 11_000;

const schemaOf = (collection: string) =>
  new Schema<object>({}, { collection, versionKey: false, autoIndex: false, autoCreate: false, strict: false });

export class PlannerJourneyStore {
  readonly #journeys: Model<object>;
  readonly #patterns: Model<object>;

  constructor(connection: Connection) {
    const { PlannerJourney, PlannerPattern } = connection.models;
    this.#journeys = PlannerJourney ?? connection.model<object>('PlannerJourney', schemaOf('planner_journeys'));
    this.#patterns = PlannerPattern ?? connection.model<object>('PlannerPattern', schemaOf('planner_patterns'));
  }

  async ensureIndexes(): Promise<void> {
    const unique = [{ name: 'snapshot_id', key: { snapshotId: 1, id: 1 }, unique: true } as const];
    await this.#patterns.collection.createIndexes(unique);
    await this.#journeys.collection.createIndexes([
      ...unique,
      {
        name: 'dated',
        key: { snapshotId: 1, 'dated.id': 1 },
        partialFilterExpression: { 'dated.id': { $exists: true } },
      },
    ]);
  }

  /** Rows that are there already are the same ones. */
  async addPatterns(rows: readonly PatternRow[]): Promise<void> {
    await addRows(this.#patterns.collection as unknown as RowCollection, rows);
  }

  async addJourneys(rows: readonly ServiceJourneyRow[]): Promise<void> {
    await addRows(this.#journeys.collection as unknown as RowCollection, rows);
  }

  async findJourney(snapshotId: string, id: string): Promise<ServiceJourneyRow | undefined> {
    return (await this.#journeys.findOne({ snapshotId, id }).lean<ServiceJourneyRow>()) ?? undefined;
  }

  async findPattern(snapshotId: string, id: string): Promise<PatternRow | undefined> {
    return (await this.#patterns.findOne({ snapshotId, id }).lean<PatternRow>()) ?? undefined;
  }

  async count(snapshotId: string): Promise<number> {
    return await this.#journeys.countDocuments({ snapshotId });
  }

  async remove(snapshotId: string): Promise<void> {
    await this.#journeys.deleteMany({ snapshotId });
    await this.#patterns.deleteMany({ snapshotId });
  }
}

async function addRows(collection: RowCollection, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    // What the server has not on disk when it dies is written again: the activity runs until all are.
    await collection.insertMany(rows, { ordered: false });
  } catch (error) {
    const { writeErrors } = error as { writeErrors?: { code?: number } | readonly { code?: number }[] };
    const errors = [writeErrors ?? []].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  }
}
