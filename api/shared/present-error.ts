/**
 * The answer to a failed request: problem+json, or the area's own error format where the document says `x-errors`. Logs the
 * cause, which the caller never sees.
 */
import type { ServiceError } from '../../workflows/shared/service-error.ts';
import { isLimitRefusal } from './late-refusals.ts';
import type { PresentError, Reply } from './operation.ts';
import { problemReply } from './problem.ts';
import type { RequestContext } from './request-context.ts';
import { toServiceError } from './to-service-error.ts';

export function presentError(context: RequestContext, thrown: unknown, present?: PresentError): Reply {
  const error = toServiceError(thrown);
  note(context, error);
  return present
    ? present(error)
    : problemReply(error, { instance: context.path, correlationId: context.correlationId });
}

function note(context: RequestContext, error: ServiceError): void {
  context.errorCode = error.code;
  context.refusedByLimit = isLimitRefusal(error);
  // The request's own line says the code. A stack for each would cost more than the refusal.
  if (context.refusedByLimit && error.cause === undefined) return;
  if (error.status >= 500) context.log.error({ err: error.cause ?? error, code: error.code }, 'the request failed');
  else if (error.cause !== undefined)
    context.log.info({ err: error.cause, code: error.code }, 'the request was refused');
}
