/**
 * The course of imports after their receipt: steps, failure, publication; what callers ask about them is in import-queries.ts.
 *
 * Callers: the activities of the pipeline, the sweep; the handlers of the API read alone. Every write is one
 * conditional update, so that running it twice, or two at once, equals once. Never decides whether a dataset is valid.
 */
import type { Connection, mongo } from 'mongoose';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ImportAction, ImportActionState, ImportState } from '../../workflows/timetable/messages.ts';
import { CodespaceStore } from './codespace-store.ts';
import { datasetPublished } from './dataset-published.ts';
import { settleGuard } from './import-guard.ts';
import {
  type ActionDetails,
  type FindingCounts,
  IMPORTS,
  type ImportDocument,
  type ImportRecord,
  KEPT_MS,
} from './import-model.ts';
import { type ImportObserver, observeStep } from './import-observer.ts';
import { ImportQueries } from './import-queries.ts';
import { stepUpdate } from './step-update.ts';
import { VersionStore } from './version-store.ts';

export type { ActionDetails, ActionRecord, FindingCounts, ImportRecord } from './import-model.ts';
export type { PendingStart } from './import-queries.ts';

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

type Changed = Pick<ImportDocument, 'actions'>;
type UpdateStage = { $set: Record<string, unknown> } | { $unset: string[] };

const OPEN_STEP: readonly ImportActionState[] = ['PENDING', 'STARTED'];

function withdrawn(): ServiceError {
  return new ServiceError('INVALID_STATE', 'The codespace is withdrawn');
}

export class ImportStore extends ImportQueries {
  readonly #connection: Connection;
  readonly #codespaces: CodespaceStore;
  readonly #versions: VersionStore;
  readonly #environment: EventEnvironment;
  readonly #observer: ImportObserver | undefined;
  readonly #now: () => Date;

  constructor(connection: Connection, options: ImportStoreOptions) {
    super(connection);
    this.#connection = connection;
    this.#environment = options.environment;
    this.#observer = options.observer;
    this.#now = options.now ?? (() => new Date());
    this.#codespaces = new CodespaceStore(connection, this.#now);
    this.#versions = new VersionStore(connection, this.#now);
  }

  async ensureIndexes(): Promise<void> {
    await IMPORTS.ensureIndexes(this.#connection);
  }

  /**
   * Notes that a step has started or ended well. A repeat changes nothing and keeps the first times; so does a step
   * noted on an import that has ended. Answers the import's state; throws NOT_FOUND for an import that does not exist.
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

  /** Replaces the details of a step that is under way; of any other, nothing. */
  async noteDetails(
    codespace: Codespace,
    correlationId: CorrelationId,
    action: ImportAction,
    details: ActionDetails,
  ): Promise<void> {
    const step = `actions.${action}`;
    await this.imports.updateOne(
      { _id: correlationId, codespace, state: 'IN_PROGRESS', [`${step}.state`]: 'STARTED' },
      { $set: { [`${step}.details`]: details } },
    );
  }

  /**
   * The one way into FAILED after the receipt. A repeat changes nothing, nor does it on an import that is published.
   * Answers the import's state.
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
        { $unset: ['guardSha256', 'pendingStart'] },
      ],
    );
    if (!changed) return (await this.get(codespace, correlationId)).state;
    observeStep(this.#observer, changed, action);
    this.#observer?.importEnded('FAILED');
    return 'FAILED';
  }

  /**
   * Makes the version visible, with the event, in one write: exactly once whatever the repeats. The import stays in
   * progress until `complete`. INVALID_STATE when the import has failed, its validation has not ended well, or its
   * codespace is withdrawn.
   */
  async publish(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    const record = await this.get(codespace, correlationId);
    if (!(await this.#codespaces.find(codespace))) throw withdrawn();
    const unpublished = { state: 'IN_PROGRESS', publishedAt: { $exists: false } } as const;
    const changed = await this.#change(
      { _id: correlationId, codespace, ...unpublished, 'actions.VALIDATION.state': 'OK' },
      [this.#publication(record, this.#now()), { $unset: ['pendingStart'] }],
    );
    if (changed) observeStep(this.#observer, changed, 'PUBLICATION');
    else if (!(await this.get(codespace, correlationId)).publishedAt) {
      throw new ServiceError('INVALID_STATE', 'The import has failed, or its validation has not ended well');
    }
    await settleGuard(this.imports, codespace);
    // A withdrawal that began between the check and the write has not seen this version.
    if (!(await this.#codespaces.find(codespace))) {
      await this.#versions.withdraw(codespace, record.importKey);
      throw withdrawn();
    }
  }

  #publication(record: ImportRecord, now: Date): { $set: Record<string, unknown> } {
    const event = { $literal: datasetPublished(record, this.#environment, now) };
    return {
      $set: {
        visible: true,
        publishedAt: now,
        'actions.PUBLICATION': stepUpdate('PUBLICATION', { state: 'OK' }, now),
        outbox: { $concatArrays: [{ $ifNull: ['$outbox', []] }, [event]] },
      },
    };
  }

  /**
   * The one way into OK: every step of a published import is done, but for those named, which nobody will do any more.
   * A repeat changes nothing, nor does it on an import that is not published.
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
    await settleGuard(this.imports, codespace);
  }

  #leaveUndone({ action, state = 'CANCELLED', ...rest }: UndoneStep): Record<string, unknown> {
    const step = `actions.${action}`;
    const undone = stepUpdate(action, { state, ...rest }, this.#now());
    return { [step]: { $cond: [{ $eq: [`$${step}.state`, 'OK'] }, `$${step}`, undone] } };
  }

  /** Answers the steps as they stand then; null when nothing matched. */
  async #change(filter: mongo.Filter<ImportDocument>, update: UpdateStage[]): Promise<Changed | null> {
    const options = { returnDocument: 'after', projection: { actions: 1 } } as const;
    return await this.imports.findOneAndUpdate(filter, update, options);
  }

  async clearPendingStart(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    await this.imports.updateOne({ _id: correlationId, codespace }, { $unset: { pendingStart: 1 } });
  }
}
