/**
 * Problem answers to requests that Node never hands to the app: malformed ones, which its HTTP parser refuses, and CONNECT.
 * Called by the listener.
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

/** The answer to a request that the parser refused. Reads method and target from the raw packet when Node still has it. */
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
      return new ServiceError('HEADERS_TOO_LARGE', 'The request headers exceed 16 KiB. Send fewer or shorter headers.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.');
    default:
      if (method !== undefined && target !== undefined && !METHODS.includes(method)) {
        return refuseMethod(target, allowedFor);
      }
      return new ServiceError('VALIDATION_FAILED', 'The request is not well-formed HTTP/1.1.');
  }
}

/** The refusal of a method that no path supports: 405 when the path exists, otherwise 404. */
export function refuseMethod(target: string, allowedFor: AllowedFor): ServiceError {
  const allow = allowedFor(target)?.join(', ');
  if (allow === undefined) return new ServiceError('NOT_FOUND', 'There is nothing at this address.');
  return new ServiceError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
}

/** Writes a last answer to a socket and closes it. Errors of a peer that has closed are ignored. */
export function endSocket(socket: Duplex, text: string): void {
  socket.on('error', () => {});
  if (socket.writable) socket.end(text, () => socket.destroy());
  else socket.destroy();
}
