/**
 * Checks the address of a request before it is routed: percent-encoding, NUL, and the `Host` header, whose absence Node would
 * answer without a body. Pure.
 */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** The error to answer with; undefined when the address is usable. */
export function findTargetFault(request: IncomingMessage): ServiceError | undefined {
  try {
    if (decodeURIComponent(request.url ?? '').includes('\0')) return targetFault('/path', 'must not contain NUL');
  } catch {
    return targetFault('/path', 'must be percent-encoded UTF-8');
  }
  // A caller that speaks to a proxy sends a whole address.
  const { url = '' } = request;
  if (!url.startsWith('/') && url !== '*' && !URL.canParse(url)) return targetFault('/path', 'must be a path or a URL');
  const hosts = request.headersDistinct.host?.length ?? 0;
  if (request.httpVersion === '1.1' && hosts === 0) return targetFault('/header/Host', 'is required');
  // RFC 9112 §3.2: proxies may choose different ones.
  if (hosts > 1) return targetFault('/header/Host', 'must not be repeated');
  return undefined;
}

export function targetFault(pointer: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `The address of the request cannot be used: ${pointer} ${detail}.`, {
    errors: [{ pointer, code: 'TARGET', detail }],
  });
}
