/**
 * Order of refusals: NOT_FOUND and FORBIDDEN for this caller come before faults in the content of the request. Called
 * by the endpoint with the error of a refused request, so a request that succeeds costs no extra look-up.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { AnyFind, Caller } from './operation.ts';

/** Statuses of faults in the content: headers, parameters or body. */
const REQUEST_FAULTS = new Set([400, 406, 413, 415, 422]);

/** The refusals by the resource. */
const RESOURCE_STATUSES = new Set([403, 404]);

/** The error to answer with. */
export async function preferNotFound(
  error: unknown,
  find: AnyFind | undefined,
  caller: Caller | undefined,
  path: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (!find || !caller || !isFaultOfContent(error)) return error;
  try {
    // The path is valid: isFaultOfContent has excluded a malformed identifier.
    await find({ path, caller } as never);
    return error;
  } catch (refusal) {
    return refusal instanceof ServiceError && RESOURCE_STATUSES.has(refusal.status) ? refusal : error;
  }
}

/** Of a header; the caller learns nothing of the resource by it. */
const FORBIDDEN_CHANNEL = 'DISTRIBUTION_CHANNEL_FORBIDDEN';

/** Also 422, but no fault of the content: a reused key, and a profile that exists. */
const OTHER_FAULTS: ReadonlySet<string> = new Set(['IDEMPOTENCY_KEY_REUSED', 'NOT_ALLOWED_FOR_TEMPORARY_PROFILE']);

/** A malformed identifier in the path cannot be looked up. */
function isFaultOfContent(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (error.code === FORBIDDEN_CHANNEL) return true;
  if (!REQUEST_FAULTS.has(error.status)) return false;
  if (OTHER_FAULTS.has(error.code)) return false;
  return !error.errors?.some(({ pointer }) => pointer.startsWith('/path/'));
}
