/** The errors of tickets that cannot be read or written. Callers: the stores of this folder. */
import type { AggregateBusy } from '../../platform/aggregate/aggregate-busy.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export function notFound(what = 'ticket distribution group'): ServiceError {
  return new ServiceError('NOT_FOUND', `There is no such ${what}.`);
}

export function busy({ reason, retryAfterSeconds }: AggregateBusy): ServiceError {
  const detail =
    reason === 'LOST_RACES'
      ? 'Too many requests are changing the tickets at once; try again.'
      : 'The tickets have been changed too often within 73 hours; try again later.';
  return new ServiceError('UNAVAILABLE', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

/** The end of the refund may be long in coming. */
export function underRefund(detail = 'A refund of the tickets is running; ask again when it has ended.'): ServiceError {
  return new ServiceError('ORDER_LOCKED', detail, { headers: { 'Retry-After': '30' } });
}

export function noIdLeft(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'No number was found; try again.', { headers: { 'retry-after': '1' } });
}
