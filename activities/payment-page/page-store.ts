/**
 * Payment pages: created, read and changed. The rules of workflows/payment-page decide; each change is one conditional
 * write. Missing and foreign pages are indistinguishable.
 *
 * Callers: the operations of the API, the activities, the sweep, the follower of orders, the server of the pages.
 */
import type { Connection } from 'mongoose';
import type { AggregateBusy } from '../../platform/aggregate/aggregate-busy.ts';
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { PendingStarts } from '../../platform/aggregate/pending-starts.ts';
import { hasWorkId } from '../../platform/aggregate/work-ids.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import type { OrderId, OrganisationId, PaymentPageId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import {
  changedMembers,
  PAGE_INDEX,
  PAYMENT_PAGES,
  type PageCollection,
  type PageDocument,
  type PageKeyId,
  toPage,
} from './page-document.ts';

/** `ANY`: pages of every organisation. */
export type Tenancy = OrganisationId | 'ANY';

export interface StoredPage {
  readonly page: PaymentPage;
  readonly keyId: PageKeyId;
  /** Every write raises it. */
  readonly revision: number;
  readonly correlationId: string;
}

export interface NewPage {
  readonly page: PaymentPage;
  readonly keyId: PageKeyId;
}

export interface PageWork {
  readonly workId: string;
  readonly correlationId: string;
}

/** Pure: called again after a lost race. It answers the page itself for no change, and refuses by throwing. */
export type DecidePage = (page: PaymentPage, now: Date, revision: number) => PaymentPage;

export interface PageChange {
  /** Absent where the change removes its own condition. */
  readonly workId?: string;
  /** A changed page needs its workflow; asked after `decide`. */
  readonly pendingStart?: (page: PaymentPage) => boolean;
}

export interface PageStoreOptions {
  readonly connection: Connection;
  readonly now?: () => Date;
}

const START_MEMBERS = { organisationId: 1, orderId: 1, revision: 1 } as const;

/** A page whose workflow must be started or signalled. */
export interface WantedPage extends Pick<PaymentPage, 'organisationId' | 'orderId'> {
  readonly pageId: PaymentPageId;
  readonly revision: number;
}

export class PageStore {
  readonly now: () => Date;
  readonly #collection: PageCollection;
  readonly #pages: Aggregates<PageDocument>;
  readonly #pending: PendingStarts<PageDocument>;

  constructor({ connection, now = () => new Date() }: PageStoreOptions) {
    this.now = now;
    this.#collection = PAYMENT_PAGES.open(connection);
    this.#pages = new Aggregates<PageDocument>({ collection: this.#collection, now, busy });
    this.#pending = new PendingStarts(this.#collection, START_MEMBERS);
  }

  /**
   * Its workflow is pending then. A repeat of the work answers the page that the first attempt has created, as it is now.
   * Undefined when the order has another live page.
   */
  async create(
    { page, keyId }: NewPage,
    { workId, correlationId }: PageWork,
  ): Promise<(StoredPage & { readonly isRepeat: boolean }) | undefined> {
    const { id, ...members } = page;
    const content = { ...members, ...changedMembers(page, this.now()), _id: id, keyId, correlationId };
    try {
      const { document, outcome } = await this.#pages.create(
        content as never,
        { workId, correlationId },
        { pendingStart: true },
      );
      return { ...toStored(document), isRepeat: outcome === 'REPEATED' };
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  async find(tenancy: Tenancy, pageId: PaymentPageId): Promise<StoredPage | undefined> {
    const found = await this.#pages.find(placeOf(tenancy, pageId));
    return found && toStored(found.document);
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, pageId: PaymentPageId): Promise<StoredPage> {
    const found = await this.find(tenancy, pageId);
    if (!found) throw notFound();
    return found;
  }

  /** Throws NOT_FOUND, and what `decide` throws. Answers the page as it is after the change. */
  async change(
    tenancy: Tenancy,
    pageId: PaymentPageId,
    decide: DecidePage,
    { workId, pendingStart }: PageChange = {},
  ): Promise<StoredPage> {
    const work = workId === undefined ? {} : { workId };
    const changed = await this.#pages.change(placeOf(tenancy, pageId), work, ({ document }) => {
      const page = toPage(document);
      const now = this.now();
      const after = decide(page, now, document.revision);
      if (after === page) return undefined;
      return { set: changedMembers(after, now), ...(pendingStart?.(after) && { pendingStart: true }) };
    });
    if (!changed) throw notFound();
    return toStored(changed.document);
  }

  /** Whether this work has changed the page already. */
  async isDone(pageId: PaymentPageId, workId: string): Promise<boolean> {
    const found = await this.#pages.find({ ...placeOf('ANY', pageId), projection: { workIds: 1 } });
    return found !== undefined && hasWorkId(found.document.workIds, workId, this.now());
  }

  /** The newest first. */
  async listOfOrder(orderId: OrderId, limit: number): Promise<readonly StoredPage[]> {
    const options = { promoteBuffers: true, hint: PAGE_INDEX.order };
    const found = await this.#collection.find({ orderId }, options).sort({ createdAt: -1 }).limit(limit).toArray();
    return found.map((document) => toStored(document as PageDocument));
  }

  /** Of these orders. One read of an index that holds live pages only. */
  async listLive(orderIds: readonly OrderId[]): Promise<readonly StoredPage[]> {
    const options = { promoteBuffers: true, hint: PAGE_INDEX.liveOrder };
    const found = await this.#collection.find({ orderId: { $in: [...orderIds] }, isLive: true }, options).toArray();
    return found.map((document) => toStored(document as PageDocument));
  }

  async listPendingStarts(before: Date, limit: number): Promise<readonly WantedPage[]> {
    return (await this.#pending.list(before, limit)).map(toWanted);
  }

  async clearPendingStart({ pageId, revision }: Pick<WantedPage, 'pageId' | 'revision'>): Promise<void> {
    await this.#pending.clear(pageId, revision);
  }

  /** Pages whose time came before `before` without effect, the oldest first. */
  async listLate(before: Date, limit: number): Promise<readonly WantedPage[]> {
    const options = { projection: START_MEMBERS, hint: PAGE_INDEX.due };
    const found = await this.#collection
      .find({ dueAt: { $lt: before } }, options)
      .sort({ dueAt: 1 })
      .limit(limit)
      .toArray();
    return found.map(toWanted);
  }
}

function placeOf(tenancy: Tenancy, pageId: PaymentPageId): Place<PageDocument> {
  return tenancy === 'ANY'
    ? { filter: () => ({ _id: pageId }), hint: '_id_' }
    : { filter: () => ({ _id: pageId, organisationId: tenancy }), hint: PAGE_INDEX.number };
}

function toStored(document: PageDocument): StoredPage {
  const { keyId, revision, correlationId } = document;
  return { page: toPage(document), keyId, revision, correlationId };
}

function toWanted({ _id: pageId, organisationId, orderId, revision }: WantedMembers): WantedPage {
  return { pageId, organisationId, orderId, revision };
}

type WantedMembers = Pick<PageDocument, '_id' | 'organisationId' | 'orderId' | 'revision'>;

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such payment page.');
}

function busy({ retryAfterSeconds }: AggregateBusy): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many requests change this payment page at once; try again.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
