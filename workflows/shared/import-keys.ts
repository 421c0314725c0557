/** Money that another system has taken is entered once. Orders and payments both take such money. Pure. */
import { ServiceError } from './service-error.ts';

/** Unique in an organisation: a payment network gives a reference once a day. Days are those of UTC. */
export function importKeyOf({ rrn, takenAt }: { readonly rrn: string; readonly takenAt: Date }): string {
  return `${takenAt.toISOString().slice(0, 10)}/${rrn}`;
}

export function duplicateTransaction(): ServiceError {
  return new ServiceError('DUPLICATE_TRANSACTION', 'The transaction with this `rrn` of this day was imported before.');
}
