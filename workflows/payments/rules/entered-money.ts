/** What tells apart the money that a payment has taken from another system. Pure. */
import { importKeyOf } from '../../shared/import-keys.ts';
import type { Payment } from './payment.ts';

/** One for each import: unique in the organisation, so that no money is entered twice. Orders guard what came with them. */
export function importKeys(payment: Pick<Payment, 'transactions' | 'cameWithOrder'>): readonly string[] {
  const { transactions, cameWithOrder } = payment;
  if (cameWithOrder) return [];
  return transactions.flatMap(({ isImport, rrn, capturedAt }) =>
    isImport && rrn !== undefined && capturedAt ? [importKeyOf({ rrn, takenAt: capturedAt })] : [],
  );
}
