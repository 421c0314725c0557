/** A payment and its transactions begin; what another system has taken is entered. Pure. */
import type {
  CustomerNumber,
  DistributionChannelId,
  OrderId,
  OrganisationId,
  PaymentId,
  PaymentPageId,
  SettlementId,
  TransactionId,
} from '../../shared/ids.ts';
import { duplicateTransaction, importKeyOf } from '../../shared/import-keys.ts';
import { formatAmount } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { BOOK } from './book.ts';
import { importKeys } from './entered-money.ts';
import type { Payment, Transaction } from './payment.ts';
import { combine, type PaymentChange, type PaymentCommand } from './payment-change.ts';
import { money, ofPayment, ofTransaction } from './payment-events.ts';
import { liveMinor } from './summary.ts';
import { invalidState } from './transactions.ts';

const MAX_TRANSACTIONS = 50;

export interface NewTransaction {
  readonly id: TransactionId;
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentTypeGroup: string;
  readonly paymentType: string;
  /** Of the method that the channel allows. */
  readonly provider: string;
  readonly capturesItself: boolean;
  readonly paymentPageId?: PaymentPageId;
  readonly externalTransactionId?: string;
  readonly settlementId?: SettlementId;
}

/** Money that another system has taken. */
export interface ImportedMoney extends Omit<NewTransaction, 'provider' | 'capturesItself' | 'paymentPageId'> {
  readonly rrn: string;
  readonly last4?: string;
  readonly confirmedAt: Date;
}

export interface NewPayment {
  readonly id: PaymentId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  readonly totalMinor: number;
  readonly currency: string;
  readonly customerNumber?: CustomerNumber;
  /** Pays the total. */
  readonly transaction?: NewTransaction;
}

/** Throws AMOUNT_MISMATCH, CURRENCY_MISMATCH. The caller has compared it with the order. */
export function createPayment({ transaction, ...content }: NewPayment, now: Date): PaymentChange {
  if (content.totalMinor <= 0) throw amountMismatch('A payment has a total above 0.');
  const payment: Payment = { ...content, active: true, transactions: [], createdAt: now, updatedAt: now };
  const { totalMinor, distributionChannelId } = content;
  const event = {
    type: 'PaymentCreated' as const,
    ...ofPayment(payment),
    ...money(payment, totalMinor),
    distributionChannelId,
  };
  if (!transaction) return { payment, events: [event] };
  if (transaction.amountMinor !== totalMinor) {
    throw amountMismatch(
      `The first transaction pays the total, ${formatAmount(totalMinor, content.currency)} ${content.currency}.`,
    );
  }
  const { payment: begun, events } = combine(payment, [(empty) => addTransaction(empty, transaction, now)]);
  return { payment: begun, events: [event, ...events] };
}

/** Throws PAYMENT_INACTIVE, AMOUNT_MISMATCH, CURRENCY_MISMATCH, INVALID_STATE. Repeated under its id it changes nothing. */
export const addTransaction: PaymentCommand<NewTransaction> = (payment, { currency, ...command }, now) => {
  if (payment.transactions.some(({ id }) => id === command.id)) return { payment, events: [] };
  assertRoom(payment, command.amountMinor, currency);
  const transaction: Transaction = {
    ...command,
    status: 'CREATED',
    isImport: false,
    round: 1,
    credits: [],
    createdAt: now,
    activeAt: now,
    operations: [{ operation: 'CREATE', at: now }],
  };
  const transactions = [...payment.transactions, transaction];
  return { payment: { ...payment, transactions, updatedAt: now }, events: [] };
};

/** Throws DUPLICATE_TRANSACTION for the reference and day of another import of this payment, and what a new one throws. */
export const importTransaction: PaymentCommand<ImportedMoney> = (
  payment,
  { currency, confirmedAt, ...command },
  now,
) => {
  if (payment.transactions.some(({ id }) => id === command.id)) return { payment, events: [] };
  assertNotImported(payment, { rrn: command.rrn, confirmedAt });
  assertRoom(payment, command.amountMinor, currency);
  const transaction: Transaction = {
    ...command,
    status: 'CAPTURED',
    provider: BOOK,
    isImport: true,
    capturesItself: false,
    round: 1,
    credits: [],
    createdAt: now,
    activeAt: now,
    capturedAt: confirmedAt,
    operations: [{ operation: 'IMPORT', at: now }],
  };
  const after = { ...payment, transactions: [...payment.transactions, transaction], updatedAt: now };
  const { paymentTypeGroup, paymentType, amountMinor } = transaction;
  const event = {
    type: 'TransactionCaptured' as const,
    ...ofTransaction(after, transaction),
    ...money(after, amountMinor),
    paymentTypeGroup,
    paymentType,
    isImport: true,
  };
  return { payment: after, events: [event] };
};

/** The unique index guards the other payments of the organisation. */
export function assertNotImported(
  payment: Payment,
  { rrn, confirmedAt }: Pick<ImportedMoney, 'rrn' | 'confirmedAt'>,
): void {
  if (importKeys(payment).includes(importKeyOf({ rrn, takenAt: confirmedAt }))) throw duplicateTransaction();
}

function assertRoom(payment: Payment, amountMinor: number, currency: string): void {
  assertActive(payment);
  if (currency !== payment.currency) {
    throw new ServiceError('CURRENCY_MISMATCH', `The currency of the payment is ${payment.currency}.`);
  }
  if (amountMinor <= 0) throw amountMismatch('A transaction has an amount above 0.');
  const free = payment.totalMinor - liveMinor(payment);
  if (amountMinor > free) {
    const left = `${formatAmount(free, currency)} ${currency}`;
    throw amountMismatch(`Transactions that are open or captured leave ${left} of the total.`);
  }
  if (payment.transactions.length >= MAX_TRANSACTIONS) {
    throw invalidState(`A payment has at most ${MAX_TRANSACTIONS} transactions: create another payment.`);
  }
}

export function assertActive({ active }: Pick<Payment, 'active'>): void {
  if (!active) throw new ServiceError('PAYMENT_INACTIVE', 'The payment is inactive: create another one.');
}

export function amountMismatch(detail: string): ServiceError {
  return new ServiceError('AMOUNT_MISMATCH', detail);
}
