/** What callers are told when a profile cannot be had or written. Callers: the stores of this folder. */
import { ServiceError } from '../../workflows/shared/service-error.ts';

export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such profile');
}

/** So many are changing it that this one never came first. */
export function busy(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The profile is being changed by many at once; try again', {
    headers: { 'retry-after': '1' },
  });
}

/** Without the database's error as its cause, which quotes what was written and would stand in the log. */
export function duplicateEmail(): ServiceError {
  return new ServiceError('DUPLICATE_EMAIL', 'Another profile has this e-mail address');
}

export function duplicateCustomerRef(): ServiceError {
  return new ServiceError('DUPLICATE_CUSTOMER_REF', 'Another profile has this reference');
}
