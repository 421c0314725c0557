/** The errors of an order that cannot be read or written. Callers: the stores of this folder. */
import type { AggregateBusy } from '../../platform/aggregate/aggregate-busy.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such order.');
}

export function versionNotFound(version: number): ServiceError {
  const detail = `The order has no confirmed version ${version}. Read it without \`version\` as it is now.`;
  return new ServiceError('NOT_FOUND', detail);
}

export function busy({ reason, retryAfterSeconds }: AggregateBusy): ServiceError {
  const detail =
    reason === 'LOST_RACES'
      ? 'Too many requests are changing the order at once; try again.'
      : 'The order has been changed too often within 73 hours; try again later.';
  return new ServiceError('UNAVAILABLE', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
}
