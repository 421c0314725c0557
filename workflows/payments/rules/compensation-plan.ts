/** On which transactions money goes back that a draft has captured and cannot use, and who is told. Pure. */
import type { PaymentId, PaymentPageId, TransactionId } from '../../shared/ids.ts';
import { sumOf } from '../../shared/money.ts';
import type { Credit, NewCredit } from './credit.ts';
import { planCredit } from './credit-plan.ts';
import { givenUpOf } from './given-up.ts';
import type { Payment } from './payment.ts';
import { reservedMinor } from './summary.ts';
import { findTransaction } from './transactions.ts';

/** A payment page, and a transaction by which it was paid. */
export interface PaidPage {
  readonly paymentPageId: PaymentPageId;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
}

export interface CompensationPlan {
  readonly parts: NewCredit['parts'];
  readonly pages: readonly PaidPage[];
}

/**
 * What transactions can pay back. Where none can, the disputed ones: no provider pays them back, so that an operator decides on what is
 * left of the money. What an operator has given up before is asked for only where nothing else is left. Empty where no transaction has
 * the money. `credits`: of the order.
 */
export function planCompensation(
  payments: readonly Payment[],
  amountMinor: number,
  version: number,
  credits: readonly Credit[],
): CompensationPlan {
  const givenUp = givenUpOf(payments, credits, version);
  const others = planAll(payments, amountMinor - sumOf([...givenUp.values()]), version, givenUp);
  const parts = others.length > 0 ? others : planAll(payments, amountMinor, version, new Map());
  return { parts, pages: pagesOf(payments, parts) };
}

type Amounts = ReadonlyMap<TransactionId, number>;

function planAll(payments: readonly Payment[], amountMinor: number, version: number, keptMinor: Amounts) {
  const payable = planCredit(payments, amountMinor, { firstVersion: version, keptMinor }).parts;
  return payable.length > 0 ? payable : planDisputed(payments, amountMinor, keptMinor);
}

function planDisputed(payments: readonly Payment[], amountMinor: number, keptMinor: Amounts): NewCredit['parts'] {
  let missingMinor = amountMinor;
  return payments.flatMap(({ id: paymentId, transactions }) =>
    transactions
      .filter(({ status }) => status === 'DISPUTED')
      .flatMap((transaction) => {
        const { id: transactionId, paymentTypeGroup, paymentType } = transaction;
        const leftMinor = transaction.amountMinor - reservedMinor(transaction) - (keptMinor.get(transactionId) ?? 0);
        const partMinor = Math.min(leftMinor, missingMinor);
        if (partMinor <= 0) return [];
        missingMinor -= partMinor;
        return [{ paymentId, transactionId, amountMinor: partMinor, paymentTypeGroup, paymentType }];
      }),
  );
}

/** Of all transactions that are paid back, those that were paid on a page. */
export function pagesOf(payments: readonly Payment[], parts: NewCredit['parts']): readonly PaidPage[] {
  return parts.flatMap(({ paymentId, transactionId }) => {
    const payment = payments.find(({ id }) => id === paymentId);
    const paymentPageId = payment && findTransaction(payment, transactionId)?.paymentPageId;
    return paymentPageId === undefined ? [] : [{ paymentPageId, paymentId, transactionId }];
  });
}
