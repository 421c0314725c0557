/**
 * What a reconciliation has found: one report for each day and organisation that has differences, and one of the day itself.
 * Written once, with the event that tells it. Callers: the activities, the handlers of the API, the figures.
 */
import type { Connection } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import type { EventFamily } from '../../platform/events/event-family.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Difference, DifferenceKind } from '../../workflows/books/rules/difference.ts';
import type { Findings } from '../../workflows/books/rules/reconciled-day.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { findPage } from '../shared/bounded-page.ts';
import type { Tenancy } from './settlement-store.ts';

/** Of the day as a whole, and of money that no payment knows: no organisation reads it. */
export const NOBODY = 0 as OrganisationId;

interface ReportContent {
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  /** From 1: the day was reconciled again. */
  readonly run: string;
  readonly organisationId: OrganisationId;
  readonly reportedAt: Date;
  /** Whose books were compared. */
  readonly providers?: readonly string[];
  readonly movements?: number;
  readonly events?: number;
  /** All of them, also those that are not told. */
  readonly differenceCount: number;
  readonly mendedCount: number;
  readonly differences: readonly Difference[];
}

export interface ReportDocument extends AggregateDocument, ReportContent {}

export interface ReconciliationReport extends ReportContent {
  readonly id: string;
}

export type ReconciliationEvent = {
  readonly type: 'ReconciliationDifferencesFound';
  readonly day: string;
  readonly differences: readonly { readonly kind: DifferenceKind; readonly count: number }[];
  readonly mended: number;
};
export const RECONCILIATION_EVENT_TYPES = ['ReconciliationDifferencesFound'] as const;

export const RECONCILIATIONS = new CollectionDefinition<ReportDocument>('reconciliations', [
  ...AGGREGATE_INDEXES,
  { name: 'of_organisation', key: { organisationId: 1, day: -1, _id: -1 } },
  { name: 'by_day', key: { day: -1, _id: -1 } },
]);

const FAMILY: EventFamily<Pick<ReportDocument, '_id' | 'organisationId'>> = {
  aggregate: 'reconciliation',
  topic: 'reconciliation-events',
  source: '/sales/reconciliation',
  typePrefix: 'service.reconciliation',
  describe: ({ _id, organisationId }) => ({
    aggregateId: _id,
    key: String(organisationId),
    organisationId,
    ids: { reconciliationId: _id },
  }),
};

export interface ReportWork {
  /** Of the run: a repeat writes nothing again. */
  readonly run: string;
  readonly correlationId: string;
}

export class ReconciliationStore {
  readonly #collection: ReturnType<typeof RECONCILIATIONS.open>;
  readonly #reports: Aggregates<ReportDocument, ReconciliationEvent>;
  readonly #now: () => Date;

  constructor({
    connection,
    environment,
    now = () => new Date(),
  }: { readonly connection: Connection; readonly environment: EventEnvironment; readonly now?: () => Date }) {
    this.#collection = RECONCILIATIONS.open(connection);
    this.#reports = new Aggregates({ collection: this.#collection, family: FAMILY, environment, now });
    this.#now = now;
  }

  async report(day: string, findings: Findings, providers: readonly string[], work: ReportWork): Promise<void> {
    const byOwner = Map.groupBy(findings.told, ({ organisationId }) => organisationId ?? NOBODY);
    for (const [organisationId, differences] of byOwner) {
      if (organisationId !== NOBODY) await this.#write(day, organisationId, countsOf(differences), differences, work);
    }
    const { movements, events, differences: differenceCount, mended: mendedCount } = findings;
    const whole = { providers, movements, events, differenceCount, mendedCount };
    await this.#write(day, NOBODY, whole, byOwner.get(NOBODY) ?? [], work);
  }

  /** The newest first. */
  async list(tenancy: Tenancy, { page, perPage }: { readonly page: number; readonly perPage: number }) {
    const filter = tenancy === 'ANY' ? {} : { organisationId: tenancy };
    const sort = { day: -1, _id: -1 } as const;
    const { documents, totalItems } = await findPage(this.#collection, filter, { page, perPage, sort });
    return { items: (documents as unknown as readonly ReportDocument[]).map(toReport), totalItems };
  }

  /** Of the last day that was reconciled. */
  async findLast(): Promise<ReconciliationReport | undefined> {
    const options = { sort: { day: -1, _id: -1 }, promoteBuffers: true } as const;
    const found = await this.#collection.findOne({ organisationId: NOBODY }, options);
    return found ? toReport(found as unknown as ReportDocument) : undefined;
  }

  async #write(
    day: string,
    organisationId: OrganisationId,
    counts: Pick<ReportContent, 'providers' | 'movements' | 'events' | 'differenceCount' | 'mendedCount'>,
    differences: readonly Difference[],
    { run, correlationId }: ReportWork,
  ): Promise<void> {
    const _id = `${day}/${organisationId}/${run}`;
    const content = { _id, day, run, organisationId, reportedAt: this.#now(), ...counts, differences };
    const events = organisationId === NOBODY || differences.length === 0 ? [] : [eventOf(day, differences)];
    try {
      await this.#reports.create(content, { workId: `reconciliation/${_id}`, correlationId }, { events });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

function eventOf(day: string, differences: readonly Difference[]): ReconciliationEvent {
  const byKind = Map.groupBy(differences, ({ kind }) => kind);
  return {
    type: 'ReconciliationDifferencesFound',
    day,
    differences: [...byKind].map(([kind, each]) => ({ kind, count: each.length })),
    mended: countsOf(differences).mendedCount,
  };
}

function countsOf(differences: readonly Difference[]) {
  const mendedCount = differences.filter(({ mended }) => mended !== undefined).length;
  return { differenceCount: differences.length, mendedCount };
}

function toReport({ _id: id, day, run, organisationId, reportedAt, ...rest }: ReportDocument): ReconciliationReport {
  const { providers, movements, events, differenceCount, mendedCount, differences } = rest;
  return {
    ...{ id, day, run, organisationId, reportedAt, differenceCount, mendedCount, differences },
    ...(providers && { providers }),
    ...(movements !== undefined && { movements }),
    ...(events !== undefined && { events }),
  };
}
