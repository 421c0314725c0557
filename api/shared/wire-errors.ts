/**
 * Requests that Node's HTTP parser refuses before the app sees them, and CONNECT, which it never hands to the app: they
 * too are answered with problem+json.
 */
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { rawProblem } from './problem.ts';

export type AllowedFor = (target: string) => readonly string[] | undefined;

const REQUEST_LINE = /^\r?\n?([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\S{1,2048}) HTTP\/1\.[01]\r?\n/;

interface ParserError extends Error {
  readonly code?: string | undefined;
  readonly rawPacket?: Buffer;
}

/** What a refused request gets. `head` is the start of what arrived, when Node still has it. */
export function wireProblem(error: ParserError, allowedFor: AllowedFor): string {
  const line = REQUEST_LINE.exec(error.rawPacket?.subarray(0, 4096).toString('latin1') ?? '');
  const target = line?.[2];
  return rawProblem(toServiceError(error, line?.[1], target, allowedFor), {
    instance: target?.split('?')[0] ?? '/',
    correlationId: randomUUID(),
  });
}

function toServiceError(
  error: ParserError,
  method: string | undefined,
  target: string | undefined,
  allowedFor: AllowedFor,
): ServiceError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('HEADERS_TOO_LARGE', 'The request header is too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive in time.');
    default:
      if (method !== undefined && target !== undefined && !METHODS.includes(method)) {
        return refuseMethod(target, allowedFor);
      }
      return new ServiceError('VALIDATION_FAILED', 'This is not an HTTP/1.1 request the service can read.');
  }
}

/** For a method that no path takes: 405 where the path exists, 404 elsewhere. */
export function refuseMethod(target: string, allowedFor: AllowedFor): ServiceError {
  const allow = allowedFor(target)?.join(', ');
  if (allow === undefined) return new ServiceError('NOT_FOUND', 'There is nothing at this address.');
  return new ServiceError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
}

/** Writes a last answer on a bare connection. A peer that has gone is none of our business. */
export function endSocket(socket: Duplex, text: string): void {
  socket.on('error', () => {});
  if (socket.writable) socket.end(text, () => socket.destroy());
  else socket.destroy();
}
