/**
 * The private dataset that is shown of a version, and the private datasets that must be refreshed.
 *
 * Callers: the activities of the pipeline (show, stale), the handler of `filtered`, the sweep. Every write is one
 * conditional update of the version's own document. Each read finds the latest version, so a publication or a
 * withdrawal updates nothing here. Never touches the object store itself.
 */
import type { Connection, mongo } from 'mongoose';
import { conditionalPipeline, conditionalUpdate } from '../../platform/aggregate/conditional-update.ts';
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

/** `NOT_MADE`: its import has ended without one. The next night's refresh makes it. */
export type PrivateDatasetAbsence = 'NOTHING_PUBLISHED' | 'STOP_REGISTER' | 'NOTHING_LEFT' | 'BEING_MADE' | 'NOT_MADE';

export type MadeExport = Omit<PrivateDataset, 'shownAt'>;

/** More than the activities that can make an export of one version at once. */
const DISCARDED_KEPT = 50;

export class PrivateDatasetStore {
  readonly #imports: ImportCollection;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#imports = IMPORTS.open(connection);
    this.#now = now;
  }

  /**
   * The private dataset of the visible version with the newest receipt that has one. While the latest version's is
   * being made, the one before is served. Undefined when there is none, or when it is empty.
   */
  async find(codespace: Codespace): Promise<FoundPrivateDataset | undefined> {
    const found = await this.#imports.findOne(
      { codespace, visible: true, privateDataset: { $exists: true } },
      { sort: { receivedAt: -1 } },
    );
    if (!found?.privateDataset || found.privateDataset.empty) return undefined;
    return { ...found.privateDataset, codespace, correlationId: found._id };
  }

  /** The reason why `find` has none, by the latest version, which may have changed since. */
  async explainAbsence(codespace: Codespace): Promise<PrivateDatasetAbsence> {
    const latest = await findLatest(this.#imports, codespace);
    if (!latest) return 'NOTHING_PUBLISHED';
    if (latest.actions?.FILE_CLASSIFICATION?.details?.kind === 'stop-register') return 'STOP_REGISTER';
    if (latest.privateDataset?.empty) return 'NOTHING_LEFT';
    return latest.state === 'IN_PROGRESS' ? 'BEING_MADE' : 'NOT_MADE';
  }

  /**
   * Shows the new one, in one write, when its day is later than that of the shown one. Also ends the import's step
   * while that step runs. The one shown before is kept, since downloads of it may run. `DISCARDED`: its object may be
   * deleted.
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
      conditionalPipeline(
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
        now,
      ),
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
   * From now on `show` refuses it, so its object may be deleted. False when it is shown, or was shown before the
   * present one: its object stays.
   */
  async discard(correlationId: CorrelationId, exportId: string): Promise<boolean> {
    const changed = await this.#imports.updateOne(
      {
        _id: correlationId,
        'privateDataset.exportId': { $ne: exportId },
        previousExport: { $ne: exportId },
        discardedExports: { $ne: exportId },
      },
      conditionalPipeline(
        [{ $set: { discardedExports: lastOf('discardedExports', exportId, DISCARDED_KEPT) } }],
        this.#now(),
      ),
    );
    return (
      changed.matchedCount > 0 || !(await this.listReadable([correlationId])).get(correlationId)?.includes(exportId)
    );
  }

  /**
   * The latest ended version of each codespace, when its private dataset is of an earlier day or missing. An import in
   * progress makes its own; until then this one is served. Stop registers have none.
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

  /** Versions that are the latest again after a withdrawal. */
  async listWanted(limit: number): Promise<readonly DatasetImportInput[]> {
    const found = await this.#imports.find({ refreshWanted: true }).limit(limit).toArray();
    return found.map(({ _id, codespace }) => ({ codespace, correlationId: _id }));
  }

  async clearWanted({ codespace, correlationId }: DatasetImportInput): Promise<void> {
    const cleared = conditionalUpdate<ImportDocument>({ set: { refreshWanted: undefined } }, this.#now());
    await this.#imports.updateOne({ _id: correlationId, codespace }, cleared);
  }

  /** The exports of these versions that are shown, or were shown before: downloads may read them. */
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

/** The stored list with one more item, without the oldest beyond `kept`. */
function lastOf(member: string, item: string, kept: number) {
  return { $slice: [{ $concatArrays: [{ $ifNull: [`$${member}`, []] }, [{ $literal: item }]] }, -kept] };
}
