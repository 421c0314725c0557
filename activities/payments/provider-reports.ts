/**
 * Reports of payment providers, each taken once: a unique id for each, kept longer than a provider repeats it. A report that
 * was noted and not passed on is passed on by its repeat. Caller: the handler of provider callbacks.
 */
import type { Connection } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';

interface ProviderReportDocument {
  /** `<provider>/<id of the report>` */
  readonly _id: string;
  readonly expiresAt: Date;
  /** What it asks for was done. */
  readonly isTaken?: true;
}

export const PROVIDER_REPORTS_COLLECTION = new CollectionDefinition<ProviderReportDocument>('provider_reports', [
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
]);

const KEPT_MS = 30 * 24 * 60 * 60_000;

export class ProviderReports {
  readonly #collection: ReturnType<typeof PROVIDER_REPORTS_COLLECTION.open>;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#collection = PROVIDER_REPORTS_COLLECTION.open(connection);
    this.#now = now;
  }

  /** Runs `take` for the first report with this id, and again after it has failed. */
  async takeOnce(provider: string, id: string, take: () => Promise<void>): Promise<void> {
    const _id = `${provider}/${id}`;
    if (!(await this.#isNew(_id))) return;
    await take();
    await this.#collection.updateOne({ _id }, { $set: { isTaken: true } });
  }

  async #isNew(_id: string): Promise<boolean> {
    try {
      await this.#collection.insertOne({ _id, expiresAt: new Date(this.#now().getTime() + KEPT_MS) });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return (await this.#collection.countDocuments({ _id, isTaken: true })) === 0;
    }
  }
}
