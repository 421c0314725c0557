/**
 * Writes the course of an import after its receipt: steps, failure, publication, end. `import-queries.ts` has the
 * reads.
 *
 * Callers: the activities of the pipeline and the sweep; the handlers of the API only read. Every write is one
 * conditional update, so that running it twice, or two at once, equals once. Never decides whether a dataset is valid.
 */
import type { Connection, mongo } from 'mongoose';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { conditionalPipeline, type UpdateStage } from '../../platform/aggregate/conditional-update.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ImportAction, ImportActionState, ImportState } from '../../workflows/timetable/messages.ts';
import { CodespaceStore } from './codespace-store.ts';
import { DATASET_EVENTS, type DatasetEvent, publication } from './dataset-published.ts';
import { settleGuard } from './import-guard.ts';
import { type ActionDetails, type FindingCounts, IMPORTS, type ImportDocument, KEPT_MS } from './import-model.ts';
import { type ImportObserver, observeStep } from './import-observer.ts';
import { ImportQueries } from './import-queries.ts';
import { requireRecord, toRecord } from './import-record.ts';
import { stepUpdate } from './step-update.ts';
import { VersionStore } from './version-store.ts';

export type { ActionDetails, ActionRecord, FindingCounts } from './import-model.ts';
export type { ImportRecord } from './import-record.ts';

export interface ImportStoreOptions {
  /** Part of the topic's name. */
  readonly environment: EventEnvironment;
  readonly observer?: ImportObserver;
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

/** A step that is not done though the import is OK. */
export interface UndoneStep {
  readonly action: ImportAction;
  readonly state?: 'FAILED' | 'CANCELLED';
  readonly errorCode: string;
  readonly details: ActionDetails;
}

type Steps = Pick<ImportDocument, 'actions'>;

const OPEN_STEP: readonly ImportActionState[] = ['PENDING', 'STARTED'];

function withdrawn(): ServiceError {
  return new ServiceError('INVALID_STATE', 'The codespace is withdrawn');
}

export class ImportStore extends ImportQueries {
  readonly #connection: Connection;
  readonly #aggregates: Aggregates<ImportDocument, DatasetEvent>;
  readonly #codespaces: CodespaceStore;
  readonly #versions: VersionStore;
  readonly #observer: ImportObserver | undefined;
  readonly #now: () => Date;

  constructor(connection: Connection, { environment, observer, now = () => new Date() }: ImportStoreOptions) {
    super(connection);
    this.#connection = connection;
    this.#observer = observer;
    this.#now = now;
    this.#aggregates = new Aggregates({ collection: this.imports, family: DATASET_EVENTS, environment, now });
    this.#codespaces = new CodespaceStore(connection, now);
    this.#versions = new VersionStore(connection, now);
  }

  async ensureIndexes(): Promise<void> {
    await IMPORTS.ensureIndexes(this.#connection);
  }

  /**
   * Records that a step has started or succeeded. A repeat changes nothing and keeps the first times; so does a step of
   * an import that has ended. Answers the import's state; throws NOT_FOUND for an import that does not exist.
   */
  async recordAction(
    codespace: Codespace,
    correlationId: CorrelationId,
    action: ImportAction,
    progress: ActionProgress,
  ): Promise<ImportState> {
    const step = `actions.${action}`;
    const mayFollow: readonly (ImportActionState | null)[] =
      progress.state === 'STARTED' ? [null, 'PENDING'] : [null, ...OPEN_STEP];
    const changed = await this.#change(
      { _id: correlationId, codespace, state: 'IN_PROGRESS', [`${step}.state`]: { $in: mayFollow } },
      [
        {
          $set: {
            [step]: stepUpdate(action, progress, this.#now()),
            ...(progress.findings && { findings: { $literal: progress.findings } }),
          },
        },
      ],
    );
    if (!changed) return (await this.get(codespace, correlationId)).state;
    observeStep(this.#observer, changed, action);
    return 'IN_PROGRESS';
  }

  /** Replaces the details of a step in progress. Changes nothing for any other step. */
  async noteDetails(
    codespace: Codespace,
    correlationId: CorrelationId,
    action: ImportAction,
    details: ActionDetails,
  ): Promise<void> {
    const step = `actions.${action}`;
    await this.#change({ _id: correlationId, codespace, state: 'IN_PROGRESS', [`${step}.state`]: 'STARTED' }, [
      { $set: { [`${step}.details`]: { $literal: details } } },
    ]);
  }

  /**
   * After the receipt, only this write sets FAILED. A repeat changes nothing, and nor does a failure of a published
   * import. Answers the import's state.
   */
  async fail(codespace: Codespace, correlationId: CorrelationId, failure: ImportFailure): Promise<ImportState> {
    const now = this.#now();
    const { action, state = 'FAILED', ...rest } = failure;
    const changed = await this.#change(
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
        { $unset: ['guardSha256'] },
      ],
      { pendingStart: false },
    );
    if (!changed) return (await this.get(codespace, correlationId)).state;
    observeStep(this.#observer, changed, action);
    this.#observer?.importEnded('FAILED');
    return 'FAILED';
  }

  /**
   * Makes the version visible and writes the event, in one write: exactly once whatever the repeats. The import stays
   * in progress until `complete`. Throws INVALID_STATE when the import has failed, its validation has not succeeded, or
   * its codespace is withdrawn.
   */
  async publish(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    const place = {
      filter: () => ({ _id: correlationId, codespace }),
      open: async () => ({ isWithdrawn: !(await this.#codespaces.find(codespace)) }),
    };
    const changed = await this.#aggregates.change(place, { correlationId }, ({ document, opened }) => {
      const change = publication(document, this.#now());
      if (opened.isWithdrawn) throw withdrawn();
      return change;
    });
    const { importKey } = requireRecord(toRecord(changed?.document ?? null));
    if (changed?.outcome === 'WRITTEN') observeStep(this.#observer, changed.document, 'PUBLICATION');
    await settleGuard(this.imports, codespace, this.#now());
    // A withdrawal that began between the check and the write has not seen this version.
    if (await this.#codespaces.find(codespace)) return;
    await this.#versions.withdraw(codespace, importKey);
    throw withdrawn();
  }

  /**
   * Only this write sets OK: every step of a published import is done. The steps in `undone` were left undone and will
   * not run. A repeat changes nothing, and nor does the end of an import that is not published.
   */
  async complete(codespace: Codespace, correlationId: CorrelationId, ...undone: readonly UndoneStep[]): Promise<void> {
    const changed = await this.#change(
      { _id: correlationId, codespace, state: 'IN_PROGRESS', publishedAt: { $exists: true } },
      [{ $set: Object.assign({ state: 'OK' }, ...undone.map((step) => this.#leaveUndone(step))) }],
    );
    if (changed) {
      for (const { action } of undone) {
        if (changed.actions?.[action]?.state !== 'OK') observeStep(this.#observer, changed, action);
      }
      this.#observer?.importEnded('OK');
    }
    await settleGuard(this.imports, codespace, this.#now());
  }

  #leaveUndone({ action, state = 'CANCELLED', ...rest }: UndoneStep): Record<string, unknown> {
    const step = `actions.${action}`;
    const undone = stepUpdate(action, { state, ...rest }, this.#now());
    return { [step]: { $cond: [{ $eq: [`$${step}.state`, 'OK'] }, `$${step}`, undone] } };
  }

  /** Answers the steps after the write; null when nothing matched. */
  async #change(
    filter: mongo.Filter<ImportDocument>,
    stages: readonly UpdateStage[],
    pending: { readonly pendingStart?: boolean } = {},
  ): Promise<Steps | null> {
    const update = conditionalPipeline(stages, this.#now(), pending);
    const options = { returnDocument: 'after', projection: { actions: 1 } } as const;
    return await this.imports.findOneAndUpdate(filter, update, options);
  }

  /** Call after the start. Safe without the revision: an import sets the flag only once. */
  async clearPendingStart(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    await this.pending.clearWhere({ _id: correlationId, codespace });
  }
}
