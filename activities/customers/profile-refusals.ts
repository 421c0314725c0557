/** The errors of a profile that cannot be read or written. Callers: the stores of this folder. */
import type { AggregateBusy } from '../../platform/aggregate/aggregate-busy.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such profile');
}

/** Replaces the kit's own error. */
export function busy({ reason, retryAfterSeconds }: AggregateBusy): ServiceError {
  const detail =
    reason === 'LOST_RACES'
      ? 'Too many requests are changing the profile at once; try again'
      : 'The profile has been changed too often within 73 hours; try again later';
  return new ServiceError('UNAVAILABLE', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

/** Omits the database's error as cause: it quotes the written values and would appear in the log. */
export function duplicateEmail(): ServiceError {
  return new ServiceError('DUPLICATE_EMAIL', 'Another profile has this e-mail address');
}

export function duplicateCustomerRef(): ServiceError {
  return new ServiceError('DUPLICATE_CUSTOMER_REF', 'Another profile has this reference');
}
