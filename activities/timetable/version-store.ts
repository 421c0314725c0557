/**
 * The published versions of a codespace's dataset: the latest, those that can be downloaded, and their withdrawal.
 *
 * Callers: the download and withdrawal handlers (API), the sweep (purge), later steps that need the latest archive.
 * `ImportStore.publish` makes versions visible.
 */
import type { Connection } from 'mongoose';
import { conditionalPipeline, conditionalUpdate } from '../../platform/aggregate/conditional-update.ts';
import type { Codespace, CorrelationId, ImportKey } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { findLatest, settleGuard } from './import-guard.ts';
import {
  IMPORTS,
  type ImportCollection,
  type ImportDocument,
  KEPT_MS,
  PUBLISHED_STOP_REGISTER,
} from './import-model.ts';
import { type ImportRecord, toRecord } from './import-record.ts';

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

  /** The visible version with the newest receipt. So a slow older import never hides a newer one. */
  async findLatest(codespace: Codespace): Promise<ImportRecord | undefined> {
    return toRecord(await findLatest(this.#imports, codespace));
  }

  async findVersion(codespace: Codespace, importKey: ImportKey): Promise<ImportRecord | undefined> {
    return toRecord(await this.#imports.findOne({ codespace, importKey, visible: true }));
  }

  /**
   * The visible stop register with the newest receipt, however many versions of another kind the codespace has received
   * since.
   */
  async findLatestStopRegister(codespace: Codespace): Promise<ImportRecord | undefined> {
    const registers = { codespace, ...PUBLISHED_STOP_REGISTER };
    return toRecord(await this.#imports.findOne(registers, { sort: { receivedAt: -1 } }));
  }

  /** The visible version of the same kind with the newest receipt before this one: what it replaces. */
  async findBefore({ codespace, receivedAt, actions }: ImportRecord): Promise<ImportRecord | undefined> {
    const kind = actions.FILE_CLASSIFICATION?.details?.kind;
    const before = {
      codespace,
      visible: true,
      receivedAt: { $lt: receivedAt },
      'actions.FILE_CLASSIFICATION.details.kind': kind,
    };
    return toRecord(await this.#imports.findOne(before, { sort: { receivedAt: -1 } }));
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

  /**
   * Hides a version; the one before becomes the latest. A repeat changes nothing. Throws NOT_FOUND when it was never
   * visible.
   */
  async withdraw(codespace: Codespace, importKey: ImportKey): Promise<void> {
    const now = this.#now();
    const changed = await this.#imports.updateOne({ codespace, importKey, visible: true }, withdrawal(now));
    if (changed.matchedCount === 0) await this.requireWithdrawable(codespace, importKey);
    await settleGuard(this.#imports, codespace, now);
    await this.#wantRefresh(codespace, now);
  }

  /** Throws NOT_FOUND when the version was never visible. One that is withdrawn already may be withdrawn again. */
  async requireWithdrawable(codespace: Codespace, importKey: ImportKey): Promise<void> {
    const found = await this.#imports.findOne(
      { codespace, importKey, $or: [{ visible: true }, { withdrawnAt: { $exists: true } }] },
      { projection: { _id: 1 } },
    );
    if (!found) throw new ServiceError('NOT_FOUND', 'There is no such version');
  }

  /** The version that is the latest again may have a private dataset of an earlier day: the sweep refreshes it. */
  async #wantRefresh(codespace: Codespace, now: Date): Promise<void> {
    const latest = await findLatest(this.#imports, codespace);
    if (latest?.state !== 'OK') return;
    const refresh = conditionalUpdate<ImportDocument>({ set: { refreshWanted: true } }, now);
    await this.#imports.updateOne({ _id: latest._id, visible: true }, refresh);
  }

  /** Hides every version received until `until` and cancels the imports that are not published yet. Repeatable. */
  async withdrawAll(codespace: Codespace, until: Date): Promise<void> {
    const now = this.#now();
    await this.#imports.updateMany({ codespace, visible: true, receivedAt: { $lte: until } }, withdrawal(now));
    await this.#imports.updateMany(
      // The workflow of a published import ends when it finds its version withdrawn.
      { codespace, state: 'IN_PROGRESS', receivedAt: { $lte: until }, publishedAt: { $exists: false } },
      conditionalPipeline([cancellation(now), { $unset: ['guardSha256'] }], now, { pendingStart: false }),
    );
    await settleGuard(this.#imports, codespace, now);
  }

  /** Imports whose stored bytes are due for deletion, oldest first. */
  async listPurges(limit: number): Promise<readonly Purge[]> {
    const found = await this.#imports
      .find({ purgeAfter: { $lte: this.#now() }, visible: { $ne: true } })
      .sort({ purgeAfter: 1 })
      .limit(limit)
      .toArray();
    return found.map(({ _id, codespace }) => ({ codespace, correlationId: _id }));
  }

  /** Call after the bytes are deleted. The import stays visible to callers. */
  async markPurged({ codespace, correlationId }: Purge): Promise<void> {
    const now = this.#now();
    const purged = conditionalUpdate<ImportDocument>({ set: { purgedAt: now, purgeAfter: undefined } }, now);
    await this.#imports.updateOne({ _id: correlationId, codespace }, purged);
  }
}

function withdrawal(now: Date) {
  const purgeAfter = new Date(now.getTime() + KEPT_MS);
  const removed = { guardSha256: undefined, refreshWanted: undefined };
  return conditionalUpdate<ImportDocument>({ set: { visible: false, withdrawnAt: now, purgeAfter, ...removed } }, now);
}

function cancellation(now: Date) {
  const step = {
    state: 'CANCELLED',
    startedAt: now,
    endedAt: now,
    errorCode: 'CODESPACE_WITHDRAWN',
    details: { message: 'The codespace was withdrawn while the import was running.' },
  };
  const purgeAfter = new Date(now.getTime() + KEPT_MS);
  return { $set: { state: 'FAILED', purgeAfter, 'actions.PUBLICATION': { $literal: step } } };
}
