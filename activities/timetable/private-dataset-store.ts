/**
 * Which private dataset of a version is shown, and which are due to be made anew.
 *
 * Callers: the activities of the pipeline (show, stale), the handler of `filtered`, the sweep. Every write is one
 * conditional update of the version's own document; which version counts is asked for at each reading, so nothing has to
 * be moved when a version is published or withdrawn. Never touches the object store itself.
 */
import type { Connection, mongo } from 'mongoose';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import type { StaleExportsQuery } from '../../workflows/timetable/activities.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import { findLatest } from './import-guard.ts';
import {
  type ActionDetails,
  IMPORTS,
  type ImportCollection,
  type ImportDocument,
  type PrivateDataset,
} from './import-model.ts';
import { stepUpdate } from './step-update.ts';

export interface FoundPrivateDataset extends PrivateDataset {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
}

/** `NOT_MADE`: its import has ended without one; the next night makes it. */
export type PrivateDatasetAbsence = 'NOTHING_PUBLISHED' | 'STOP_REGISTER' | 'NOTHING_LEFT' | 'BEING_MADE' | 'NOT_MADE';

export type MadeExport = Omit<PrivateDataset, 'shownAt'>;

/** More than the makers of one version's exports that can be alive at once. */
const DISCARDED_KEPT = 50;

export class PrivateDatasetStore {
  readonly #imports: ImportCollection;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#imports = IMPORTS.open(connection);
    this.#now = now;
  }

  /**
   * Of the visible version with the newest receipt that has one: while that of the latest is still being made, the one
   * before it goes on serving. Undefined when there is none, or nothing was left to run in it.
   */
  async find(codespace: Codespace): Promise<FoundPrivateDataset | undefined> {
    const found = await this.#imports.findOne(
      { codespace, visible: true, privateDataset: { $exists: true } },
      { sort: { receivedAt: -1 } },
    );
    if (!found?.privateDataset || found.privateDataset.empty) return undefined;
    return { ...found.privateDataset, codespace, correlationId: found._id };
  }

  /** Why `find` has none, by the latest version; that may have changed since. */
  async explainAbsence(codespace: Codespace): Promise<PrivateDatasetAbsence> {
    const latest = await findLatest(this.#imports, codespace);
    if (!latest) return 'NOTHING_PUBLISHED';
    if (latest.actions?.FILE_CLASSIFICATION?.details?.kind === 'stop-register') return 'STOP_REGISTER';
    if (latest.privateDataset?.empty) return 'NOTHING_LEFT';
    return latest.state === 'IN_PROGRESS' ? 'BEING_MADE' : 'NOT_MADE';
  }

  /**
   * Shows what was made, in one write, when it is of a newer day than what is shown; ends the import's step with it while
   * that still runs. The one shown until now is kept for those that are reading it. `DISCARDED`: its object may be gone.
   */
  async show(
    codespace: Codespace,
    correlationId: CorrelationId,
    made: MadeExport,
    details: ActionDetails,
  ): Promise<'SHOWN' | 'NOT_NEWER' | 'WITHDRAWN' | 'DISCARDED'> {
    const now = this.#now();
    const older: mongo.Filter<ImportDocument> = {
      $or: [{ privateDataset: { $exists: false } }, { 'privateDataset.day': { $lt: made.day } }],
    };
    const step = stepUpdate('PRIVATE_EXPORT', { state: 'OK', details }, now);
    const changed = await this.#imports.updateOne(
      { _id: correlationId, codespace, visible: true, discardedExports: { $ne: made.exportId }, ...older },
      [
        {
          $set: {
            previousExport: '$privateDataset.exportId',
            privateDataset: { $literal: { ...made, shownAt: now } },
            'actions.PRIVATE_EXPORT': {
              $cond: [{ $eq: ['$state', 'IN_PROGRESS'] }, step, '$actions.PRIVATE_EXPORT'],
            },
          },
        },
      ],
    );
    if (changed.matchedCount > 0) return 'SHOWN';
    const found = await this.#imports.findOne({ _id: correlationId, codespace, visible: true });
    if (!found) return 'WITHDRAWN';
    const { privateDataset: shown } = found;
    // A repeat of the write that showed it.
    if (shown?.exportId === made.exportId) return 'SHOWN';
    return shown && shown.day >= made.day ? 'NOT_NEWER' : 'DISCARDED';
  }

  /**
   * From now on nobody can show it, so that its object may be deleted. False when it is shown, or was a moment ago: then
   * it stays.
   */
  async discard(correlationId: CorrelationId, exportId: string): Promise<boolean> {
    const changed = await this.#imports.updateOne(
      {
        _id: correlationId,
        'privateDataset.exportId': { $ne: exportId },
        previousExport: { $ne: exportId },
        discardedExports: { $ne: exportId },
      },
      { $push: { discardedExports: { $each: [exportId], $slice: -DISCARDED_KEPT } } },
    );
    return (
      changed.matchedCount > 0 || !(await this.listReadable([correlationId])).get(correlationId)?.includes(exportId)
    );
  }

  /**
   * Of each codespace the latest version whose import has ended, when its private dataset is of an earlier day, or missing:
   * a newer one is its own import's to make, and until that succeeds this one is served. Stop registers have none.
   */
  async listStale({ day, after, codespaces, limit }: StaleExportsQuery): Promise<readonly DatasetImportInput[]> {
    const wanted = { ...(after !== null && { $gt: after }), ...(codespaces && { $in: [...codespaces] }) };
    const found = this.#imports.aggregate<{ readonly _id: Codespace; readonly correlationId: CorrelationId }>([
      { $match: { visible: true, state: 'OK', ...(Object.keys(wanted).length > 0 && { codespace: wanted }) } },
      { $sort: { codespace: 1, receivedAt: -1 } },
      {
        $group: {
          _id: '$codespace',
          correlationId: { $first: '$_id' },
          kind: { $first: '$actions.FILE_CLASSIFICATION.details.kind' },
          shown: { $first: '$privateDataset' },
        },
      },
      {
        $match: {
          kind: { $ne: 'stop-register' },
          $or: [{ 'shown.day': { $exists: false } }, { 'shown.day': { $lt: day } }],
        },
      },
      { $sort: { _id: 1 } },
      { $limit: limit },
    ]);
    return (await found.toArray()).map(({ _id, correlationId }) => ({ codespace: _id, correlationId }));
  }

  /** Codespaces whose latest version has changed by a withdrawal. */
  async listWanted(limit: number): Promise<readonly DatasetImportInput[]> {
    const found = await this.#imports.find({ refreshWanted: true }).limit(limit).toArray();
    return found.map(({ _id, codespace }) => ({ codespace, correlationId: _id }));
  }

  async clearWanted({ codespace, correlationId }: DatasetImportInput): Promise<void> {
    await this.#imports.updateOne({ _id: correlationId, codespace }, { $unset: { refreshWanted: 1 } });
  }

  /** Of each of these versions, where it has any, the exports that somebody may read, or could a moment ago. */
  async listReadable(correlationIds: readonly CorrelationId[]): Promise<ReadonlyMap<CorrelationId, readonly string[]>> {
    const found = await this.#imports
      .find({ _id: { $in: [...correlationIds] } }, { projection: { privateDataset: 1, previousExport: 1 } })
      .toArray();
    const readable = new Map<CorrelationId, readonly string[]>();
    for (const { _id, privateDataset, previousExport } of found) {
      const exports = [privateDataset?.exportId ?? [], previousExport ?? []].flat();
      if (exports.length > 0) readable.set(_id, exports);
    }
    return readable;
  }
}
