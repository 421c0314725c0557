/**
 * A mailing as it is stored: one aggregate with its mails. It is written before anything is sent, and names the Message-IDs.
 * Callers: the stores of this folder; nothing else knows the collection.
 */
import type { mongo } from 'mongoose';
import {
  AGGREGATE_INDEXES,
  type AggregateDocument,
  type Members,
} from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { dueAt } from '../../workflows/tickets/rules/mailing-steps.ts';
import type { Mailing } from '../../workflows/tickets/rules/ticket-mailing.ts';

export interface MailDocument extends AggregateDocument, Omit<Mailing, 'id'> {
  /** That of the workflow, for the mailing of a confirmation or a reissue; else that of the request's work. */
  readonly _id: string;
  /** The address that a call has named, sealed with the order's key; see mail-address.ts. */
  readonly sealedAddress?: Uint8Array;
  readonly keyId?: string;
  /** While it is pending: its workflow is not started, or not started again, before. */
  readonly startAt?: Date;
  /** Of the next attempt. */
  readonly dueAt?: Date;
  readonly correlationId: string;
}

export type MailCollection = mongo.Collection<MailDocument>;

export const MAIL_INDEX = {
  order: 'mailings_of_order',
  workflow: 'mailings_of_workflow',
  due: 'due_mailings',
  wanted: 'wanted_mailings',
} as const;

export const TICKET_MAILS = new CollectionDefinition<MailDocument>('ticket_mails', [
  ...AGGREGATE_INDEXES,
  { name: MAIL_INDEX.order, key: { orderId: 1 } },
  { name: MAIL_INDEX.workflow, key: { workflow: 1 } },
  { name: MAIL_INDEX.due, key: { dueAt: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
  // Those that were never started come first.
  { name: MAIL_INDEX.wanted, key: { startAt: 1, pendingSince: 1 }, partialFilterExpression: { pendingStart: true } },
]);

export function toMailing(document: MailDocument): Mailing {
  const {
    _id: id,
    organisationId,
    orderId,
    orderVersion,
    workflow,
    wish,
    state,
    mails,
    unaddressed,
    createdAt,
  } = document;
  const { receipt, paymentPageId, faults, addressFingerprint, held, unmade, startAt } = document;
  return {
    ...{ id, organisationId, orderId, orderVersion, workflow, wish, state, mails, unaddressed, createdAt },
    ...(addressFingerprint !== undefined && { addressFingerprint }),
    ...(receipt && { receipt }),
    ...(held && { held }),
    ...(unmade && { unmade }),
    // A new one is planned, whenever its workflow is started.
    ...(document.pendingStart && state !== 'NEW' && startAt && { planAgainAt: startAt }),
    ...(paymentPageId !== undefined && { paymentPageId }),
    ...(faults && { faults }),
  };
}

/** The members that a change may write. An address that is needed no more is not kept. */
export function changedMembers(mailing: Mailing): Members<MailDocument> {
  const { state, mails, unaddressed, receipt, paymentPageId, faults, held, unmade, planAgainAt } = mailing;
  const forgotten = state === 'DONE' || state === 'REFUSED' ? { sealedAddress: undefined, keyId: undefined } : {};
  const members = { state, mails: mails.map(compact), unaddressed, receipt, paymentPageId, faults, held, unmade };
  return { ...members, dueAt: dueAt(mailing), startAt: planAgainAt, ...forgotten };
}

/** The driver would store an undefined member as null. */
function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
