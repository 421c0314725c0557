/** Payments in each of their states, for tests of rules and stores. */
import { beginCapture, noteCaptured } from '../../workflows/payments/rules/capture.ts';
import {
  addTransaction,
  createPayment,
  type NewPayment,
  type NewTransaction,
} from '../../workflows/payments/rules/creation.ts';
import type { Payment, SealedAddress, Transaction } from '../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../workflows/payments/rules/payment-change.ts';
import { noteAuthorised, noteTerminal, prepareTerminal } from '../../workflows/payments/rules/terminal.ts';
import type {
  CreditId,
  DistributionChannelId,
  OrderId,
  OrganisationId,
  PaymentId,
  TransactionId,
} from '../../workflows/shared/ids.ts';
import { NOW } from './sample-orders.ts';

export const PAYMENT_ID = 7 as PaymentId;
export const TRANSACTION_ID = 9 as TransactionId;
export const CREDIT_ID = 11 as CreditId;
export const TOTAL = 30_000;
export const SESSION = 'session-1';
export const CAPTURE_KEY = `cap-${TRANSACTION_ID}-1`;

export function sampleTransaction(more: Partial<NewTransaction> = {}): NewTransaction {
  return {
    id: TRANSACTION_ID,
    amountMinor: TOTAL,
    currency: 'NOK',
    paymentTypeGroup: 'PAYMENTCARD',
    paymentType: 'VISA',
    provider: 'SIMULATOR',
    capturesItself: false,
    ...more,
  };
}

export function samplePayment(more: Partial<NewPayment> = {}): NewPayment {
  return {
    id: PAYMENT_ID,
    organisationId: 1 as OrganisationId,
    distributionChannelId: 'SVC:DistributionChannel:Web' as DistributionChannelId,
    orderId: 'K7QW2MXP' as OrderId,
    orderVersion: 1,
    totalMinor: TOTAL,
    currency: 'NOK',
    ...more,
  };
}

/** With one transaction that pays it, at {@link NOW}. */
export function createdPayment(more: Partial<NewTransaction> = {}): Payment {
  const empty = createPayment(samplePayment(), NOW).payment;
  return addTransaction(empty, sampleTransaction(more), NOW).payment;
}

export function theTransaction({ transactions }: Payment, id = TRANSACTION_ID): Transaction {
  const found = transactions.find((each) => each.id === id);
  if (!found) throw new Error(`The sample payment has no transaction ${id}`);
  return found;
}

type Step = (payment: Payment, now: Date) => PaymentChange;

const transactionId = TRANSACTION_ID;
/** As the API has sealed it. */
export const SEALED_ADDRESS: SealedAddress = { keyId: 'k', sealed: Buffer.from('sealed') };
const redirectUrl = SEALED_ADDRESS;

/** One step after the other, as a payment by card goes. */
export const STEPS = {
  prepare: (payment, now) => prepareTerminal(payment, { transactionId, kind: 'TERMINAL', redirectUrl }, now),
  open: (payment, now) =>
    noteTerminal(
      payment,
      { transactionId, key: `auth-${transactionId}-1`, sessionId: SESSION, terminalUri: 'https://psp.example/t' },
      now,
    ),
  authorise: (payment, now) =>
    noteAuthorised(
      payment,
      { transactionId, sessionId: SESSION, authorisationId: 'auth-1', last4: '1111', challengeDone: false },
      now,
    ),
  begin: (payment, now) => beginCapture(payment, { transactionId }, now),
  capture: (payment, now) => noteCaptured(payment, { transactionId, key: CAPTURE_KEY, rrn: '123456789012' }, now),
} satisfies Record<string, Step>;

export function after(payment: Payment, ...steps: readonly (keyof typeof STEPS)[]): Payment {
  return steps.reduce((before, step) => STEPS[step](before, NOW).payment, payment);
}

export const openPayment = (): Payment => after(createdPayment(), 'prepare', 'open');
export const authorisedPayment = (): Payment => after(openPayment(), 'authorise');
export const capturedPayment = (): Payment => after(authorisedPayment(), 'begin', 'capture');
