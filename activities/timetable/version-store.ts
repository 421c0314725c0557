/**
 * The published versions of a codespace's dataset: which is the latest, which can be downloaded, and their withdrawal.
 *
 * Callers: the download and withdrawal handlers (API), the sweep (purge), later steps that need the latest archive.
 * Never makes a version visible: that is `ImportStore.publish`.
 */
import type { Connection } from 'mongoose';
import type { Codespace, CorrelationId, ImportKey } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { findLatest, settleGuard } from './import-guard.ts';
import {
  IMPORTS,
  type ImportCollection,
  type ImportRecord,
  KEPT_MS,
  PUBLISHED_STOP_REGISTER,
  toRecord,
} from './import-model.ts';

/** How many versions the list shows; older ones stay downloadable. */
const LISTED_VERSIONS = 10;

export interface Purge {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
}

export class VersionStore {
  readonly #imports: ImportCollection;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#imports = IMPORTS.open(connection);
    this.#now = now;
  }

  /** The visible version with the newest receipt, so that a slow older import never hides a newer one. */
  async findLatest(codespace: Codespace): Promise<ImportRecord | undefined> {
    return toRecord(await findLatest(this.#imports, codespace));
  }

  async findVersion(codespace: Codespace, importKey: ImportKey): Promise<ImportRecord | undefined> {
    return toRecord(await this.#imports.findOne({ codespace, importKey, visible: true }));
  }

  /**
   * The visible stop register with the newest receipt, however many versions the codespace has: a dataset of another kind
   * under its codespace does not count.
   */
  async findLatestStopRegister(codespace: Codespace): Promise<ImportRecord | undefined> {
    const registers = { codespace, ...PUBLISHED_STOP_REGISTER };
    return toRecord(await this.#imports.findOne(registers, { sort: { receivedAt: -1 } }));
  }

  /** Newest receipt first. */
  async listVersions(codespace: Codespace): Promise<readonly ImportRecord[]> {
    const found = await this.#imports
      .find({ codespace, visible: true })
      .sort({ receivedAt: -1 })
      .limit(LISTED_VERSIONS)
      .toArray();
    return found.flatMap((document) => toRecord(document) ?? []);
  }

  /** Hides a version; the one before becomes the latest. A repeat changes nothing; NOT_FOUND when it never was visible. */
  async withdraw(codespace: Codespace, importKey: ImportKey): Promise<void> {
    const now = this.#now();
    const changed = await this.#imports.updateOne(
      { codespace, importKey, visible: true },
      { $set: this.#withdrawn(now), $unset: { guardSha256: 1, refreshWanted: 1 } },
    );
    if (changed.matchedCount === 0) {
      const known = await this.#imports.findOne(
        { codespace, importKey, withdrawnAt: { $exists: true } },
        { projection: { _id: 1 } },
      );
      if (!known) throw new ServiceError('NOT_FOUND', 'There is no such version');
    }
    await settleGuard(this.#imports, codespace);
    await this.#wantRefresh(codespace);
  }

  /** The version that has become the latest again may have a private dataset of some earlier day: the sweep sees to it. */
  async #wantRefresh(codespace: Codespace): Promise<void> {
    const latest = await findLatest(this.#imports, codespace);
    if (latest?.state !== 'OK') return;
    await this.#imports.updateOne({ _id: latest._id, visible: true }, { $set: { refreshWanted: true } });
  }

  /** Hides every version received until `until` and cancels the imports that are not published yet. Repeatable. */
  async withdrawAll(codespace: Codespace, until: Date): Promise<void> {
    const now = this.#now();
    await this.#imports.updateMany(
      { codespace, visible: true, receivedAt: { $lte: until } },
      { $set: this.#withdrawn(now), $unset: { guardSha256: 1, refreshWanted: 1 } },
    );
    await this.#imports.updateMany(
      // A published one ends by its workflow, which finds that its version is gone.
      { codespace, state: 'IN_PROGRESS', receivedAt: { $lte: until }, publishedAt: { $exists: false } },
      {
        $set: {
          state: 'FAILED',
          purgeAfter: new Date(now.getTime() + KEPT_MS),
          'actions.PUBLICATION': {
            state: 'CANCELLED',
            startedAt: now,
            endedAt: now,
            errorCode: 'CODESPACE_WITHDRAWN',
            details: { message: 'The codespace was withdrawn while the import was running.' },
          },
        },
        $unset: { guardSha256: 1, pendingStart: 1 },
      },
    );
    await settleGuard(this.#imports, codespace);
  }

  #withdrawn(now: Date) {
    return { visible: false, withdrawnAt: now, purgeAfter: new Date(now.getTime() + KEPT_MS) };
  }

  /** Imports whose stored bytes have had their time, oldest first. */
  async listPurges(limit: number): Promise<readonly Purge[]> {
    const found = await this.#imports
      .find({ purgeAfter: { $lte: this.#now() }, visible: { $ne: true } })
      .sort({ purgeAfter: 1 })
      .limit(limit)
      .toArray();
    return found.map(({ _id, codespace }) => ({ codespace, correlationId: _id }));
  }

  /** After the bytes are gone; what callers see of the import stays. */
  async markPurged({ codespace, correlationId }: Purge): Promise<void> {
    await this.#imports.updateOne(
      { _id: correlationId, codespace },
      { $set: { purgedAt: this.#now() }, $unset: { purgeAfter: 1 } },
    );
  }
}
