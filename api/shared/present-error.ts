/**
 * What a failed request is answered with: problem+json, or an area's own shape where the document says `x-errors`. Writes
 * our own failures to the log with their cause; the caller never sees it.
 */
import type { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Exchange } from './exchange.ts';
import { toServiceError } from './known-failure.ts';
import type { PresentError, Reply } from './operation.ts';
import { problemReply } from './problem.ts';

export function presentError(exchange: Exchange, thrown: unknown, present?: PresentError): Reply {
  const error = toServiceError(thrown);
  note(exchange, error);
  return present
    ? present(error)
    : problemReply(error, { instance: exchange.path, correlationId: exchange.correlationId });
}

function note(exchange: Exchange, error: ServiceError): void {
  exchange.errorCode = error.code;
  if (error.status >= 500) exchange.log.error({ err: error.cause ?? error, code: error.code }, 'the request failed');
  else if (error.cause !== undefined)
    exchange.log.info({ err: error.cause, code: error.code }, 'the request was refused');
}
