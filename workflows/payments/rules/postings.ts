/** What payments mean in the ledger: money that was captured, paid back, disputed, paid back in vain, and paid back twice. Pure. */
import {
  bookAccount,
  clearingAccount,
  DISPUTES,
  FAILED_CREDITS,
  OTHER_PAYOUTS,
  OVERPAID_CREDITS,
  RECEIVABLES,
} from '../../shared/accounts.ts';
import type { JournalEntry } from '../../shared/journal-entry.ts';
import { parseAmount } from '../../shared/money.ts';
import { BOOK } from './book.ts';
import type { Payment, Transaction } from './payment.ts';
import type { PaymentChange } from './payment-change.ts';
import type { MoneyEvent, PaymentEvent } from './payment-events.ts';
import { findTransaction } from './transactions.ts';

/** The events of a write, with what they mean in the ledger. */
export function postedEvents({ payment, events }: PaymentChange): readonly PaymentEvent[] {
  return events.map((event) => (isMoneyEvent(event) ? { ...event, entry: entryOf(payment, event) } : event));
}

export function isMoneyEvent(event: PaymentEvent): event is MoneyEvent {
  return 'transactionId' in event && 'amount' in event;
}

/** The same for the payment as it is at any later time: what it reads never changes. Throws RangeError for foreign events. */
export function entryOf(payment: Payment, event: MoneyEvent): JournalEntry {
  const transaction = findTransaction(payment, event.transactionId);
  const amountMinor = parseAmount(event.amount, payment.currency);
  if (!transaction || !amountMinor) throw new RangeError(`Payment ${payment.id} has no such ${event.type}`);
  const found = 'creditId' in event ? creditIn(transaction, event) : undefined;
  const [debit, credit] = accountsOf(transaction, event, found?.elsewhere ?? false);
  const { settlementId } = 'creditId' in event ? (found ?? {}) : transaction;
  return {
    currency: payment.currency,
    postings: [
      { account: debit, amountMinor },
      { account: credit, amountMinor: -amountMinor },
    ],
    references: {
      orderId: payment.orderId,
      paymentId: payment.id,
      transactionId: transaction.id,
      ...('creditId' in event && { creditId: event.creditId }),
    },
    ...(settlementId !== undefined && { settlementId }),
  };
}

/** Where the money of a transaction is: with its provider, or in the books of others. */
export function moneyAccount({
  provider,
  paymentTypeGroup,
}: Pick<Transaction, 'provider' | 'paymentTypeGroup'>): string {
  return provider === BOOK ? bookAccount(paymentTypeGroup) : clearingAccount(provider);
}

/** Debited, credited. `elsewhere`: no provider has paid the credit. */
function accountsOf(
  transaction: Transaction,
  { type }: MoneyEvent,
  elsewhere: boolean,
): readonly [debit: string, credit: string] {
  const money = elsewhere && type === 'CreditExecuted' ? OTHER_PAYOUTS : moneyAccount(transaction);
  switch (type) {
    case 'TransactionCaptured':
      return [money, RECEIVABLES];
    case 'CreditExecuted':
      return [RECEIVABLES, money];
    case 'TransactionDisputed':
      return [DISPUTES, money];
    case 'TransactionDisputeWon':
      return [money, DISPUTES];
    case 'CreditFailed':
      return [money, FAILED_CREDITS];
    case 'CreditSettled':
      return [FAILED_CREDITS, OTHER_PAYOUTS];
    case 'CreditPaidTwice':
      return [OVERPAID_CREDITS, money];
  }
}

function creditIn({ credits }: Transaction, { creditId }: { readonly creditId: number }) {
  return credits.find((credit) => credit.creditId === creditId);
}
