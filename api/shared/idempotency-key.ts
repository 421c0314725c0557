/** Reads the `Idempotency-Key` of a request, and makes the hashes by which keys and requests are compared. Pure. */
import { createHash } from 'node:crypto';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { canonicalJson } from './json.ts';
import type { Caller } from './operation.ts';
import type { RequestContext } from './request-context.ts';

const HEADER = 'idempotency-key';
const KEY = /^[\x20-\x7e]{1,255}$/;

/** The key of the request, checked; undefined when there is none. */
export function readKey(context: RequestContext): string | undefined {
  const lines = context.request.headersDistinct[HEADER] ?? [];
  if (lines.length === 0) return undefined;
  const [key = ''] = lines;
  if (lines.length === 1 && KEY.test(key)) return key;
  const detail = 'must be one value of 1 to 255 printable ASCII characters';
  throw new ServiceError('VALIDATION_FAILED', `Idempotency-Key ${detail}.`, {
    errors: [{ pointer: '/header/Idempotency-Key', code: 'PATTERN', detail }],
  });
}

/** A key counts within one client, organisation, method and path. */
export function keyScope(caller: Caller, method: string, path: string, key: string): string {
  return sha256(JSON.stringify([caller.organisationId, caller.clientId, method, path, key]));
}

/** Equal for requests that differ only in the order of query parameters or body members. */
export function jsonFingerprint(method: string, path: string, query: URLSearchParams, body: unknown): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return sha256(JSON.stringify([method, path, sorted.toString(), body === undefined ? null : canonicalJson(body)]));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
