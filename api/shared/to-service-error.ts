/**
 * Converts any thrown value to a ServiceError. ServiceErrors stay unchanged. A lost database, object store or workflow
 * service becomes UNAVAILABLE; everything else becomes INTERNAL, with the cause for the log.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';

const AWAY_NAMES =
  /^(Mongo(ose)?(ServerSelection|Network|NetworkTimeout|NotConnected|TopologyClosed|PoolCleared|PoolClosed|WaitQueueTimeout|OperationTimeout|WriteConcern)\w*Error|ConnectTimeoutError|NetworkingError|TimeoutError)$/;
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Codes of a database server that shuts down or is no longer the primary. The next primary takes over in seconds. */
const AWAY_MONGO = new Set([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);
/**
 * gRPC CANCELLED, DEADLINE_EXCEEDED, FAILED_PRECONDITION and UNAVAILABLE, as the workflow client reports them. The server may
 * cancel a call at its deadline before the client does. A workflow whose task keeps failing is not ready.
 */
const AWAY_GRPC = new Set([1, 4, 9, 14]);
const MAX_CAUSES = 5;

export function toServiceError(thrown: unknown): ServiceError {
  let error: unknown = thrown;
  for (let depth = 0; error instanceof Error && depth < MAX_CAUSES; depth += 1) {
    if (error instanceof ServiceError) return error;
    if (isAway(error)) {
      return new ServiceError('UNAVAILABLE', 'A part of the service is unavailable. Try again shortly.', {
        cause: thrown,
        headers: { 'retry-after': '5' },
      });
    }
    error = error.cause;
  }
  return new ServiceError('INTERNAL', 'The request could not be processed.', { cause: thrown });
}

function isAway(error: Error): boolean {
  const { code } = error as { code?: unknown };
  if (AWAY_NAMES.test(error.name)) return true;
  if (typeof code === 'string' && AWAY_CODES.has(code)) return true;
  // The object store's client marks failures of the server so.
  if ('$fault' in error && error.$fault === 'server') return true;
  if (error.name === 'MongoServerError' && typeof code === 'number' && AWAY_MONGO.has(code)) return true;
  if (typeof code === 'number' && AWAY_GRPC.has(code) && 'details' in error) return true;
  return error instanceof AggregateError && error.errors.some((each) => each instanceof Error && isAway(each));
}
