/**
 * Order of refusals: a resource that is absent or forbidden for the caller comes before what is wrong with the rest of the request.
 * Called by the endpoint with what a request was refused for; a request that is served costs no extra look.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, Find } from './operation.ts';

/** What the request holds is wrong, as seen after token, scope and path. */
const REQUEST_FAULTS = new Set([400, 406, 413, 415, 422]);

/** What a look for the resource may answer instead. */
const RESOURCE_STATUSES = new Set([403, 404]);

/** The error to answer with. */
export async function preferNotFound(
  error: unknown,
  find: Find | undefined,
  caller: Caller | undefined,
  path: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (!find || !caller || !isFaultOfContent(error)) return error;
  try {
    await find({ path, caller });
    return error;
  } catch (refusal) {
    return refusal instanceof ServiceError && RESOURCE_STATUSES.has(refusal.status) ? refusal : error;
  }
}

/** Of a used key, and of a profile that was found to be temporary. */
const OTHER_FAULTS: ReadonlySet<string> = new Set(['IDEMPOTENCY_KEY_REUSED', 'NOT_ALLOWED_FOR_TEMPORARY_PROFILE']);

/** A malformed identifier names nothing that could be looked for. */
function isFaultOfContent(error: unknown): boolean {
  if (!(error instanceof ServiceError) || !REQUEST_FAULTS.has(error.status)) return false;
  if (OTHER_FAULTS.has(error.code)) return false;
  return !error.errors?.some(({ pointer }) => pointer.startsWith('/path/'));
}
