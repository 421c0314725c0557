/**
 * Refuses requests whose end another server could read differently. Node's parser refuses most of them (two lengths,
 * length and chunks, bare line feeds, folded headers). A request that it accepts, but a proxy behind it may not, is
 * refused here. Pure.
 */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** A proxy removes the headers that `Connection` names (RFC 9110 §7.6.1). Without these, the body would become a request. */
const FRAMING_HEADERS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

/** The error to answer with; undefined when the request has one reading. */
export function findFramingFault({ headers, httpVersion }: IncomingMessage): ServiceError | undefined {
  const named = connectionOptions(headers.connection).find((option) => FRAMING_HEADERS.has(option));
  if (named !== undefined) return framingFault('/header/Connection', `must not name ${named}`);
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return framingFault('/header/Transfer-Encoding', 'needs HTTP/1.1');
  return coding.toLowerCase() === 'chunked' ? undefined : framingFault('/header/Transfer-Encoding', 'must be chunked');
}

/** Names in a `Connection` header, in lower case. */
export function connectionOptions(header: string | undefined): readonly string[] {
  return (header ?? '').toLowerCase().split(/[\s,]+/);
}

function framingFault(pointer: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `The request cannot be read safely: ${pointer} ${detail}.`, {
    errors: [{ pointer, code: 'FRAMING', detail }],
    headers: { connection: 'close' },
  });
}
