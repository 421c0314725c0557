/** Makes the ids of payments, transactions and credits. Pure. */
import { createHash } from 'node:crypto';
import type { CreditId, PaymentId, TransactionId } from '../../workflows/shared/ids.ts';

/** Two different works get one id in one of 2⁵² cases: the next attempt makes another id then. */
export const MAX_ID_ATTEMPTS = 5;
const ID_BITS = 52n;

/**
 * 1 to 2⁵² − 1: the same for every repeat of a request. `attempt` counts from 0: something else may have the id already,
 * and then the next attempt is taken.
 */
function numberOf(workId: string, kind: string, attempt: number): number {
  const first = createHash('sha256').update(`${kind}/${attempt}/${workId}`).digest().readBigUInt64BE();
  return Number(first >> (64n - ID_BITS)) || 1;
}

export function paymentIdOf(workId: string, attempt: number): PaymentId {
  return numberOf(workId, 'payment', attempt) as PaymentId;
}

/** One work makes at most one transaction. */
export function transactionIdOf(workId: string, attempt: number): TransactionId {
  return numberOf(workId, 'transaction', attempt) as TransactionId;
}

export function creditIdOf(workId: string, attempt: number): CreditId {
  return numberOf(workId, 'credit', attempt) as CreditId;
}
