/** What became of a credit, part by part, by the payments that carry it out. Pure. Caller: refund-money.ts. */
import type { Credit, CreditPart } from '../../workflows/payments/rules/credit.ts';
import type { Payment, Transaction, TransactionCredit } from '../../workflows/payments/rules/payment.ts';
import { findTransaction } from '../../workflows/payments/rules/transactions.ts';
import type { PaymentId } from '../../workflows/shared/ids.ts';
import type { CreditAccount, CreditProblem, PartRefusal } from '../shared/refund-money.ts';

/** As a refund shows it. `payments` are those of its parts. */
export function accountOf(credit: Credit, payments: readonly Payment[]): CreditAccount {
  const parts = credit.parts.map((part) => {
    const refusal = part.status === 'FAILED' && refusalOf(credit, part, transactionIn(payments, part));
    return { ...part, ...(refusal && { refusal }) };
  });
  const problems = credit.parts.flatMap((part) => {
    const transaction = transactionIn(payments, part);
    return transaction ? problemsOf(part.paymentId, transaction) : [];
  });
  return { parts, problems: problems.filter(({ creditId }) => creditId === credit.id) };
}

function refusalOf(credit: Credit, part: CreditPart, transaction: Transaction | undefined): PartRefusal {
  if (creditIn(transaction, credit)?.failedAt) return 'CREDIT_FAILED';
  if (credit.reservation === 'REFUSED') return 'REFUND_AMOUNT_EXCEEDED';
  const { decision } = credit;
  return decision?.how === 'GIVEN_UP' && part.at > decision.at ? 'GIVEN_UP' : 'REFUSED_BY_ISSUER';
}

/** What is wrong with money that was paid back: a credit that failed later, or a dispute. */
export function problemsOf(
  paymentId: PaymentId,
  { id: transactionId, status, credits }: Transaction,
): readonly CreditProblem[] {
  const problems: CreditProblem[] = [];
  for (const { creditId, amountMinor, failedAt, settledAt } of credits.filter((each) => each.status === 'CREDITED')) {
    const of = { creditId, paymentId, transactionId, amountMinor };
    if (failedAt !== undefined) {
      const paidOtherwise = settledAt === undefined ? {} : { paidOtherwiseAt: settledAt };
      problems.push({ type: 'CREDIT_FAILED', ...of, failedAt, ...paidOtherwise });
    }
    if (status === 'DISPUTED') problems.push({ type: 'DISPUTED', ...of });
  }
  return problems;
}

export function transactionIn(
  payments: readonly Payment[],
  { paymentId, transactionId }: CreditPart,
): Transaction | undefined {
  const payment = payments.find(({ id }) => id === paymentId);
  return payment && findTransaction(payment, transactionId);
}

export function creditIn(transaction: Transaction | undefined, { id }: Credit): TransactionCredit | undefined {
  return transaction?.credits.find(({ creditId }) => creditId === id);
}
