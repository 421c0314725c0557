/**
 * How far what is sold was compared with the timetable, and each journey as it was then. A loss costs one more comparison. Callers:
 * the comparison; nothing else knows the collections.
 */
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../../platform/mongo/mongo.ts';
import { DAY_MS } from '../../../workflows/shared/spans.ts';
import type { SoldJourney } from '../../shared/orders.ts';

/** The passes through all sold journeys: the second finds what was sold meanwhile from offers of the build before. */
export interface Comparison {
  /** The newest when the pass began. */
  readonly build: number;
  readonly pass: 1 | 2;
  /** Compared up to here. */
  readonly position: SoldJourney;
  readonly hasEnded: boolean;
}

export interface ComparedJourney {
  /** Differs where a ride on the journey may differ. */
  readonly state: string;
  /** Had this state first, as far as it was compared. */
  readonly build: number;
}

interface ComparisonDocument extends Comparison {
  readonly _id: 'timetable';
}

interface ComparedDocument extends ComparedJourney {
  /** `<service day> <dated service journey>` */
  readonly _id: string;
  readonly expiresAt: Date;
}

export const JOURNEY_COMPARISONS = new CollectionDefinition<ComparisonDocument>('journey_comparisons');
export const COMPARED_JOURNEYS = new CollectionDefinition<ComparedDocument>('compared_journeys', [
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
]);

/** After its service day: its journeys have departed everywhere. */
const KEPT_MS = 4 * DAY_MS;

export class JourneyComparisons {
  readonly #comparisons: mongo.Collection<ComparisonDocument>;
  readonly #compared: mongo.Collection<ComparedDocument>;

  constructor(connection: Connection) {
    this.#comparisons = JOURNEY_COMPARISONS.open(connection);
    this.#compared = COMPARED_JOURNEYS.open(connection);
  }

  async find(): Promise<Comparison | undefined> {
    return (await this.#comparisons.findOne({ _id: 'timetable' }, { projection: { _id: 0 } })) ?? undefined;
  }

  /** One conditional write: without an effect where another process has moved it. */
  async move(from: Comparison | undefined, to: Comparison): Promise<void> {
    if (from) {
      await this.#comparisons.updateOne({ _id: 'timetable', ...from }, { $set: { ...to } });
      return;
    }
    await this.#comparisons.insertOne({ _id: 'timetable', ...to }).catch(unlessDuplicate);
  }

  async findCompared(journey: SoldJourney): Promise<ComparedJourney | undefined> {
    return (await this.#compared.findOne({ _id: idOf(journey) })) ?? undefined;
  }

  /** Call after its orders were compared. A process that is late does not overwrite what a newer build has told. */
  async noteCompared(journey: SoldJourney, { state, build }: ComparedJourney): Promise<void> {
    const expiresAt = new Date(Date.parse(`${journey.serviceDay}T00:00:00Z`) + KEPT_MS);
    const older = { _id: idOf(journey), build: { $lte: build } };
    await this.#compared
      .updateOne(older, { $set: { state, build, expiresAt } }, { upsert: true })
      .catch(unlessDuplicate);
  }
}

function idOf({ serviceDay, datedServiceJourneyId }: SoldJourney): string {
  return `${serviceDay} ${datedServiceJourneyId}`;
}

function unlessDuplicate(error: unknown): undefined {
  if (!isDuplicateKey(error)) throw error;
  return undefined;
}
