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
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    return targetFault('/header/Host', 'is required');
  }
  return undefined;
}

export function targetFault(pointer: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `The address of the request cannot be used: ${pointer} ${detail}.`, {
    errors: [{ pointer, code: 'TARGET', detail }],
  });
}
