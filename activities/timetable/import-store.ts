/**
 * The course of imports after their receipt: steps, failure, publication, and what callers ask about them.
 *
 * Callers: the activities of the pipeline (writes), the sweep, the handlers of the API (reads). Every write is one
 * conditional update, so that running it twice, or two at once, equals once. Never decides whether a dataset is valid.
 */
import type { Connection, QueryFilter } from 'mongoose';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ImportAction, ImportActionState, ImportState } from '../../workflows/timetable/messages.ts';
import { datasetPublished, type EventEnvironment } from './dataset-published.ts';
import { releaseGuards, settleGuard } from './import-guard.ts';
import {
  type ActionDetails,
  ensureImportIndexes,
  type FindingCounts,
  type ImportDocument,
  type ImportModel,
  type ImportRecord,
  importModel,
  toRecord,
} from './import-model.ts';

export type { ActionDetails, ActionRecord, FindingCounts, ImportRecord } from './import-model.ts';

export interface ImportStoreOptions {
  /** Part of the topic's name. */
  readonly environment: EventEnvironment;
  readonly now?: () => Date;
}

export interface ActionProgress {
  /** A step that fails ends the import: see `fail`. */
  readonly state: 'STARTED' | 'OK';
  readonly details?: ActionDetails;
  readonly findings?: FindingCounts;
}

export interface ImportFailure {
  readonly action: ImportAction;
  readonly state?: 'FAILED' | 'DUPLICATE' | 'CANCELLED';
  readonly errorCode: string;
  readonly details?: ActionDetails;
  readonly findings?: FindingCounts;
}

export interface ImportSearch {
  readonly states?: readonly ImportState[];
  readonly fileName?: string;
  readonly receivedFrom?: Date;
  readonly receivedBefore?: Date;
  readonly oldestFirst?: boolean;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

export interface PendingStart {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
  readonly receivedAt: Date;
}

const OPEN_STEP: readonly ImportActionState[] = ['PENDING', 'STARTED'];
/** Archive and report of an import that was not published are kept this long. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

export class ImportStore {
  readonly #model: ImportModel;
  readonly #environment: EventEnvironment;
  readonly #now: () => Date;

  constructor(connection: Connection, options: ImportStoreOptions) {
    this.#model = importModel(connection);
    this.#environment = options.environment;
    this.#now = options.now ?? (() => new Date());
  }

  async ensureIndexes(): Promise<void> {
    await ensureImportIndexes(this.#model);
  }

  async find(codespace: Codespace, correlationId: CorrelationId): Promise<ImportRecord | undefined> {
    return toRecord(await this.#model.findOne({ _id: correlationId, codespace }).lean<ImportDocument>());
  }

  async get(codespace: Codespace, correlationId: CorrelationId): Promise<ImportRecord> {
    const found = await this.find(codespace, correlationId);
    if (!found) throw new ServiceError('NOT_FOUND', 'There is no such import');
    return found;
  }

  /**
   * Notes that a step has started or ended well. A repeat changes nothing and keeps the first times; so does a step
   * noted on an import that has ended. Throws NOT_FOUND for an import that does not exist.
   */
  async recordAction(
    codespace: Codespace,
    correlationId: CorrelationId,
    action: ImportAction,
    progress: ActionProgress,
  ): Promise<void> {
    const step = `actions.${action}`;
    const mayFollow: readonly (ImportActionState | null)[] =
      progress.state === 'STARTED' ? [null, 'PENDING'] : [null, ...OPEN_STEP];
    const changed = await this.#model.updateOne(
      { _id: correlationId, codespace, state: 'IN_PROGRESS', [`${step}.state`]: { $in: mayFollow } },
      [
        {
          $set: {
            [step]: stepUpdate(action, progress, this.#now()),
            ...(progress.findings && { findings: { $literal: progress.findings } }),
          },
        },
      ],
      { updatePipeline: true },
    );
    if (changed.matchedCount === 0) await this.get(codespace, correlationId);
  }

  /**
   * The one way into FAILED. A repeat changes nothing. An import that is already published or OK cannot fail any more:
   * INVALID_STATE.
   */
  async fail(codespace: Codespace, correlationId: CorrelationId, failure: ImportFailure): Promise<void> {
    const now = this.#now();
    const { action, state = 'FAILED', ...rest } = failure;
    const changed = await this.#model.updateOne(
      { _id: correlationId, codespace, state: 'IN_PROGRESS', publishedAt: { $exists: false } },
      [
        {
          $set: {
            state: 'FAILED',
            purgeAfter: new Date(now.getTime() + KEPT_MS),
            [`actions.${action}`]: stepUpdate(action, { ...rest, state }, now),
            ...(failure.findings && { findings: { $literal: failure.findings } }),
          },
        },
        { $unset: ['guardSha256', 'pendingStart'] },
      ],
      { updatePipeline: true },
    );
    if (changed.matchedCount > 0) return;
    const found = await this.get(codespace, correlationId);
    if (found.state !== 'FAILED') throw new ServiceError('INVALID_STATE', 'A published import cannot fail');
  }

  /**
   * Makes the version visible, with its event, in one write: exactly once whatever the repeats. Throws INVALID_STATE
   * when the import has failed or its validation has not ended well. The import stays IN_PROGRESS until `complete`.
   */
  async publish(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    const now = this.#now();
    const record = await this.get(codespace, correlationId);
    const changed = await this.#model.updateOne(
      {
        _id: correlationId,
        codespace,
        state: 'IN_PROGRESS',
        publishedAt: { $exists: false },
        'actions.VALIDATION.state': 'OK',
      },
      [
        {
          $set: {
            visible: true,
            publishedAt: now,
            'actions.PUBLICATION': stepUpdate('PUBLICATION', { state: 'OK' }, now),
            outbox: {
              $concatArrays: [
                { $ifNull: ['$outbox', []] },
                [{ $literal: datasetPublished(record, this.#environment, now) }],
              ],
            },
          },
        },
      ],
      { updatePipeline: true },
    );
    if (changed.matchedCount === 0) {
      const current = await this.get(codespace, correlationId);
      if (!current.publishedAt) throw new ServiceError('INVALID_STATE', 'The import cannot be published');
    }
    await releaseGuards(this.#model, codespace);
  }

  /** The one way into OK: every step has ended well. A repeat changes nothing; without publication INVALID_STATE. */
  async complete(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    const changed = await this.#model.updateOne(
      { _id: correlationId, codespace, state: 'IN_PROGRESS', publishedAt: { $exists: true } },
      { $set: { state: 'OK' }, $unset: { pendingStart: 1 } },
    );
    if (changed.matchedCount === 0) {
      const found = await this.get(codespace, correlationId);
      if (found.state !== 'OK') throw new ServiceError('INVALID_STATE', 'The import is not published');
    }
    await settleGuard(this.#model, codespace);
  }

  /** Imports whose workflow is not known to be started, received before `before`, oldest first. */
  async listPendingStarts(before: Date, limit: number): Promise<readonly PendingStart[]> {
    const found = await this.#model
      .find({ pendingStart: true, state: 'IN_PROGRESS', receivedAt: { $lt: before } })
      .sort({ receivedAt: 1 })
      .limit(limit)
      .lean<ImportDocument[]>();
    return found.flatMap((document) => toRecord(document) ?? []);
  }

  async clearPendingStart(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    await this.#model.updateOne({ _id: correlationId, codespace }, { $unset: { pendingStart: 1 } });
  }

  async search(
    codespace: Codespace,
    search: ImportSearch,
  ): Promise<{ readonly items: readonly ImportRecord[]; readonly totalItems: number }> {
    const filter: QueryFilter<ImportDocument> = {
      codespace,
      state: { $in: search.states ?? ['IN_PROGRESS', 'OK', 'FAILED'] },
      ...(search.fileName !== undefined && { fileName: search.fileName }),
      receivedAt: {
        $exists: true,
        ...(search.receivedFrom && { $gte: search.receivedFrom }),
        ...(search.receivedBefore && { $lt: search.receivedBefore }),
      },
    };
    const [totalItems, documents] = await Promise.all([
      this.#model.countDocuments(filter),
      this.#model
        .find(filter)
        .sort({ receivedAt: search.oldestFirst ? 1 : -1 })
        .skip((search.page - 1) * search.perPage)
        .limit(search.perPage)
        .lean<ImportDocument[]>(),
    ]);
    return { totalItems, items: documents.flatMap((document) => toRecord(document) ?? []) };
  }
}

/** The step's new value as an aggregation expression: a start already noted keeps its instant. */
function stepUpdate(
  action: ImportAction,
  progress: { readonly state: ImportActionState; readonly errorCode?: string; readonly details?: ActionDetails },
  now: Date,
): Record<string, unknown> {
  const step = `$actions.${action}`;
  const ended = progress.state !== 'STARTED' && progress.state !== 'PENDING';
  return {
    state: progress.state,
    // A step that only waited begins when it starts.
    startedAt: ended ? { $ifNull: [`${step}.startedAt`, now] } : now,
    ...(ended && { endedAt: now }),
    ...(progress.errorCode !== undefined && { errorCode: { $literal: progress.errorCode } }),
    ...(progress.details !== undefined && { details: { $literal: progress.details } }),
  };
}
