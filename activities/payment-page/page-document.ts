/** A payment page as it is stored: one aggregate. Callers: the stores of this folder; nothing else knows the collection. */
import type { mongo } from 'mongoose';
import {
  AGGREGATE_INDEXES,
  type AggregateDocument,
  type Members,
} from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { PayAttempt, PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import { isLive } from '../../workflows/payment-page/rules/page-end.ts';
import { nextDeadline } from '../../workflows/payment-page/rules/page-times.ts';
import type { PaymentPageId } from '../../workflows/shared/ids.ts';

/** Of the key that makes its token. */
export type PageKeyId = string;

export interface PageDocument extends AggregateDocument, Omit<PaymentPage, 'id'> {
  readonly _id: PaymentPageId;
  readonly keyId: PageKeyId;
  /** OPEN or PROCESSING. An order has one such page at most. */
  readonly isLive?: true;
  /** When something is to be done next: by its workflow, and by the sweep where the workflow is lost. */
  readonly dueAt?: Date;
  readonly correlationId: string;
}

export type PageCollection = mongo.Collection<PageDocument>;

export const PAGE_INDEX = {
  number: 'organisation_and_page',
  liveOrder: 'live_page_of_order',
  order: 'pages_of_order',
  due: 'due_pages',
} as const;

export const PAYMENT_PAGES = new CollectionDefinition<PageDocument>('payment_pages', [
  ...AGGREGATE_INDEXES,
  // With this index a page of another organisation costs what an absent one costs.
  { name: PAGE_INDEX.number, key: { organisationId: 1, _id: 1 } },
  { name: PAGE_INDEX.liveOrder, key: { orderId: 1 }, unique: true, partialFilterExpression: { isLive: true } },
  { name: PAGE_INDEX.order, key: { orderId: 1, createdAt: -1 } },
  { name: PAGE_INDEX.due, key: { dueAt: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
]);

export function toPage(document: PageDocument): PaymentPage {
  const { _id: id, organisationId, distributionChannelId, orderId, orderVersion, status, expireAt } = document;
  const { paymentMethods, amountMinor, currency, contentMark, attempts, createdAt } = document;
  const { attempt, lastAttempt, endedAt, completedAt, isUnaddressed, lastError } = document;
  return {
    ...{ id, organisationId, distributionChannelId, orderId, orderVersion, status, expireAt, paymentMethods },
    ...{ amountMinor, currency, contentMark, attempts, createdAt },
    ...(attempt && { attempt }),
    ...(lastAttempt && { lastAttempt }),
    ...(endedAt && { endedAt }),
    ...(completedAt && { completedAt }),
    ...(isUnaddressed && { isUnaddressed }),
    ...(lastError && { lastError }),
  };
}

/** The members that a change may write. */
export function changedMembers(page: PaymentPage, now: Date): Members<PageDocument> {
  const { status, expireAt, paymentMethods, amountMinor, contentMark, attempts, endedAt, completedAt, lastError } =
    page;
  return {
    ...{ status, expireAt, paymentMethods, amountMinor, contentMark, attempts, endedAt, completedAt, lastError },
    attempt: page.attempt && storedAttempt(page.attempt),
    lastAttempt: page.lastAttempt,
    isUnaddressed: page.isUnaddressed,
    isLive: isLive(page) || undefined,
    dueAt: page.attempt?.ending ? now : nextDeadline(page),
  };
}

/** The driver would store an undefined member as null. */
function storedAttempt(attempt: PayAttempt): PayAttempt {
  return Object.fromEntries(
    Object.entries(attempt).filter(([, value]) => value !== undefined),
  ) as unknown as PayAttempt;
}
