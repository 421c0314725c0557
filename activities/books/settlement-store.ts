/**
 * Settlements: opened, closed in two steps, and read. Each change is one conditional write. Missing and foreign settlements are
 * indistinguishable. Callers: the handlers of the API, the closing, the check of the header.
 */
import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Place, Work } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type {
  CurrencyTotals,
  Settlement,
  SettlementEvent,
  SettlementStatus,
} from '../../workflows/books/rules/settlement.ts';
import type { DistributionChannelId, OrganisationId, SettlementId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { findPage } from '../shared/bounded-page.ts';
import type { OpenSettlement, SettlementReader } from '../shared/settlements.ts';
import {
  CLOSING_INDEX,
  SETTLEMENT_EVENTS,
  SETTLEMENT_ID_INDEX,
  SETTLEMENTS_COLLECTION,
  type SettlementDocument,
} from './settlement-document.ts';

const MAX_ID_ATTEMPTS = 5;
const CLOSINGS_AT_ONCE = 100;

export type Tenancy = OrganisationId | 'ANY';
export type SettlementWork = Work & { readonly workId: string; readonly correlationId: string };

export interface SettlementStoreOptions {
  readonly connection: Connection;
  readonly environment: EventEnvironment;
  readonly now?: () => Date;
}

export interface SettlementPage {
  readonly page: number;
  readonly perPage: number;
  readonly status?: SettlementStatus | undefined;
  readonly distributionChannelId?: string | undefined;
}

export class SettlementStore implements SettlementReader {
  readonly #collection: ReturnType<typeof SETTLEMENTS_COLLECTION.open>;
  readonly #settlements: Aggregates<SettlementDocument, SettlementEvent>;
  readonly #now: () => Date;

  constructor({ connection, environment, now = () => new Date() }: SettlementStoreOptions) {
    const collection = SETTLEMENTS_COLLECTION.open(connection);
    this.#collection = collection;
    this.#settlements = new Aggregates({ collection, family: SETTLEMENT_EVENTS, environment, now });
    this.#now = now;
  }

  /** Repeated with the same work id it answers the settlement that the first attempt has opened. */
  async open(
    organisationId: OrganisationId,
    distributionChannelId: DistributionChannelId,
    work: SettlementWork,
  ): Promise<Settlement> {
    const events = [{ type: 'SettlementOpened' as const, distributionChannelId }];
    for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt += 1) {
      const content = {
        _id: settlementIdOf(work.workId, attempt),
        ...{ organisationId, distributionChannelId, status: 'OPEN' as const, openedAt: this.#now() },
      };
      try {
        const { document } = await this.#settlements.create(content, work, { events });
        if (document.organisationId !== organisationId) throw notFound();
        return toSettlement(document);
      } catch (error) {
        // Another settlement has the id.
        if (!isDuplicateKey(error)) throw error;
      }
    }
    throw new ServiceError('UNAVAILABLE', 'No number was found; try again.', { headers: { 'retry-after': '1' } });
  }

  /** From now on no request may name it. Repeatable. Throws NOT_FOUND. */
  async beginClosing(tenancy: Tenancy, id: SettlementId): Promise<Settlement> {
    const changed = await this.#settlements.change(placeOf(tenancy, id), {}, ({ document }) =>
      document.status === 'OPEN' ? { set: { status: 'CLOSING' as const, closingAt: this.#now() } } : undefined,
    );
    if (!changed) throw notFound();
    return toSettlement(changed.document);
  }

  /** Repeatable: the totals of a closed settlement stay. */
  async noteClosed(id: SettlementId, totals: readonly CurrencyTotals[], correlationId: string): Promise<Settlement> {
    const changed = await this.#settlements.change(placeOf('ANY', id), { correlationId }, ({ document }) => {
      if (document.status !== 'CLOSING') return undefined;
      const { distributionChannelId } = document;
      return {
        set: { status: 'CLOSED' as const, closedAt: this.#now(), totals },
        events: [{ type: 'SettlementClosed' as const, distributionChannelId }],
      };
    });
    if (!changed) throw notFound();
    return toSettlement(changed.document);
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, id: SettlementId): Promise<Settlement> {
    const found = await this.#settlements.find(placeOf(tenancy, id));
    if (!found) throw notFound();
    return toSettlement(found.document);
  }

  async findOpen(organisationId: OrganisationId, id: SettlementId): Promise<OpenSettlement | undefined> {
    const found = await this.#settlements.find(placeOf(organisationId, id));
    if (found?.document.status !== 'OPEN') return undefined;
    return { id, distributionChannelId: found.document.distributionChannelId };
  }

  /** The newest first. */
  async list(
    organisationId: OrganisationId,
    { page, perPage, status, distributionChannelId }: SettlementPage,
  ): Promise<{ readonly items: readonly Settlement[]; readonly totalItems: number }> {
    const filter = {
      organisationId,
      ...(status !== undefined && { status }),
      ...(distributionChannelId !== undefined && {
        distributionChannelId: distributionChannelId as DistributionChannelId,
      }),
    };
    const sort = { openedAt: -1, _id: -1 } as const;
    const { documents, totalItems } = await findPage(this.#collection, filter, { page, perPage, sort });
    return { items: (documents as unknown as readonly SettlementDocument[]).map(toSettlement), totalItems };
  }

  /** Those that a crash, or a slow relay, has left half closed; the longest waiting first. */
  async listClosing(): Promise<readonly Settlement[]> {
    const found = this.#collection.find({ status: 'CLOSING' }, { sort: { closingAt: 1 }, hint: CLOSING_INDEX });
    return (await found.limit(CLOSINGS_AT_ONCE).toArray()).map((document) => toSettlement(document as never));
  }
}

function toSettlement(document: SettlementDocument): Settlement {
  const { _id: id, organisationId, distributionChannelId, status, openedAt, closingAt, closedAt, totals } = document;
  return {
    ...{ id, organisationId, distributionChannelId, status, openedAt },
    ...(closingAt && { closingAt }),
    ...(closedAt && { closedAt }),
    ...(totals && { totals }),
  };
}

/** With the index of the organisation a foreign settlement costs what an absent one costs. */
function placeOf(tenancy: Tenancy, _id: SettlementId): Place<SettlementDocument> {
  return tenancy === 'ANY'
    ? { filter: () => ({ _id }), hint: '_id_' }
    : { filter: () => ({ _id, organisationId: tenancy }), hint: SETTLEMENT_ID_INDEX };
}

/** 1 to 16 digits, the same for every repeat of a request. */
function settlementIdOf(workId: string, attempt: number): SettlementId {
  const first = createHash('sha256').update(`settlement/${attempt}/${workId}`).digest().readBigUInt64BE();
  return String(first >> 12n || 1n) as SettlementId;
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such settlement.');
}
