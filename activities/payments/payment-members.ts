/** Between payments as rules see them and documents as they are stored. Pure. */
import type { Members } from '../../platform/aggregate/aggregate-document.ts';
import { mayIdle } from '../../workflows/payments/rules/cancelling.ts';
import { importKeys } from '../../workflows/payments/rules/entered-money.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import { isSameNote, noteOf, statusOf } from '../../workflows/payments/rules/summary.ts';
import { isOpen } from '../../workflows/payments/rules/transactions.ts';
import type { PaymentDocument } from './payment-document.ts';

type Stored = Exclude<keyof Payment, 'id'>;

/** Every member that is stored as it is. The type fails when one is missing. */
const STORED: { readonly [Member in Stored]-?: true } = {
  organisationId: true,
  distributionChannelId: true,
  orderId: true,
  orderVersion: true,
  totalMinor: true,
  currency: true,
  active: true,
  customerNumber: true,
  cameWithOrder: true,
  transactions: true,
  createdAt: true,
  updatedAt: true,
};
const STORED_MEMBERS = Object.keys(STORED) as readonly Stored[];

export function toPayment(document: PaymentDocument): Payment {
  const present = STORED_MEMBERS.filter((member) => document[member] !== undefined);
  const members = Object.fromEntries(present.map((member) => [member, document[member]]));
  return { ...members, id: document.paymentId } as unknown as Payment;
}

/** What a write sets. Members that the rules have passed on unchanged are left out. */
export function changedMembers(before: Payment, after: Payment, now: Date): Members<PaymentDocument> {
  const changed = STORED_MEMBERS.filter((member) => before[member] !== after[member]);
  const isUntold = !isSameNote(noteOf(before), noteOf(after));
  return {
    ...Object.fromEntries(changed.map((member) => [member, after[member]])),
    ...derived(after),
    ...(isUntold && { untoldSince: now }),
  } as Members<PaymentDocument>;
}

/** The whole document of a new payment. The order is told of it. */
export function newMembers(payment: Payment, now: Date) {
  const present = STORED_MEMBERS.filter((member) => payment[member] !== undefined);
  return {
    _id: String(payment.id),
    paymentId: payment.id,
    ...Object.fromEntries(present.map((member) => [member, payment[member]])),
    ...derived(payment),
    untoldSince: now,
  };
}

function derived(payment: Payment) {
  const keys = importKeys(payment);
  const open = payment.transactions
    .filter((each) => isOpen(each) && mayIdle(each))
    .map(({ activeAt }) => activeAt.getTime());
  const calls = payment.transactions.flatMap(({ intent }) => (intent ? [intent.since.getTime()] : []));
  return {
    status: statusOf(payment),
    importKeys: keys.length > 0 ? keys : undefined,
    openSince: open.length > 0 ? new Date(Math.min(...open)) : undefined,
    callingSince: calls.length > 0 ? new Date(Math.min(...calls)) : undefined,
  };
}
