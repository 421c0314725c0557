/**
 * The domain events of payments. They hold ids, codes and amounts, never what tells of a person or a card. Types and their
 * names.
 */

import type { CreditId, DistributionChannelId, PaymentId, TransactionId } from '../../shared/ids.ts';
import type { JournalEntry } from '../../shared/journal-entry.ts';
import { formatAmount } from '../../shared/money.ts';
import type { Payment, Transaction } from './payment.ts';

interface OfPayment {
  readonly paymentId: PaymentId;
  readonly orderVersion: number;
}

interface Money {
  /** Decimal text, as `349.00`. */
  readonly amount: string;
  readonly currency: string;
}

interface OfTransaction extends OfPayment {
  readonly transactionId: TransactionId;
}

/** What it means in the ledger; the store adds it (postings.ts), and readers do not get it. */
interface Entered {
  readonly entry?: JournalEntry;
}

/** Money has moved. */
export type MoneyEvent = OfTransaction &
  Money &
  Entered &
  (
    | {
        readonly type: 'TransactionCaptured';
        readonly paymentTypeGroup: string;
        readonly paymentType: string;
        /** Taken by another system. */
        readonly isImport: boolean;
      }
    /** The provider took the money back. */
    | { readonly type: 'TransactionDisputed' }
    /** The provider has given the money of a dispute back to us. */
    | { readonly type: 'TransactionDisputeWon' }
    /** `paidOtherwise`: an operator has paid it, and not the provider. */
    | { readonly type: 'CreditExecuted'; readonly creditId: CreditId; readonly paidOtherwise?: true }
    /** A credit that was executed failed later at the provider. */
    | { readonly type: 'CreditFailed'; readonly creditId: CreditId }
    /** A provider has paid what had counted as paid in another way, or as not to be paid. */
    | { readonly type: 'CreditPaidTwice'; readonly creditId: CreditId }
    /** An operator has paid in another way what has failed. */
    | { readonly type: 'CreditSettled'; readonly creditId: CreditId }
  );

export type PaymentEvent =
  | (OfPayment & Money & { readonly type: 'PaymentCreated'; readonly distributionChannelId: DistributionChannelId })
  | (OfTransaction & { readonly type: 'TransactionInitiated' | 'TransactionRejected' | 'TransactionCancelled' })
  /** `round`: the capture that was declined, from 1. */
  | (OfTransaction & { readonly type: 'TransactionSoftDeclined'; readonly round: number })
  /**
   * The provider has taken money for a dispute in another currency than the payment, or has given it back. What that is in the currency
   * of the ledger is not certain, so it is not entered.
   */
  | (OfTransaction & {
      readonly type: 'DisputeNotEntered';
      readonly outcome: 'TAKEN' | 'GIVEN_BACK';
      readonly disputedAmount: string;
      readonly disputedCurrency: string;
    })
  | MoneyEvent;

/** Every type once; the type fails when one is missing. */
const TYPES: { readonly [Type in PaymentEvent['type']]-?: true } = {
  PaymentCreated: true,
  TransactionInitiated: true,
  TransactionCaptured: true,
  TransactionSoftDeclined: true,
  TransactionRejected: true,
  TransactionCancelled: true,
  TransactionDisputed: true,
  TransactionDisputeWon: true,
  DisputeNotEntered: true,
  CreditExecuted: true,
  CreditFailed: true,
  CreditSettled: true,
  CreditPaidTwice: true,
};
export const PAYMENT_EVENT_TYPES = Object.keys(TYPES) as readonly PaymentEvent['type'][];

export function ofPayment({ id, orderVersion }: Payment): OfPayment {
  return { paymentId: id, orderVersion };
}

export function ofTransaction(payment: Payment, { id }: Transaction): OfTransaction {
  return { ...ofPayment(payment), transactionId: id };
}

export function money({ currency }: Payment, amountMinor: number): Money {
  return { amount: formatAmount(amountMinor, currency), currency };
}
