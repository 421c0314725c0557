/**
 * Headers of a forwarded request and of its answer: end-to-end ones, and what the other process must know. Caller:
 * forward.ts.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { tracing } from '../../platform/tracing/tracing.ts';
import { connectionOptions } from './framing-fault.ts';
import type { RequestContext } from './request-context.ts';
import { isSecure, type TrustedProxies } from './trusted-proxies.ts';

/** Headers of one connection (RFC 9110 §7.6.1). `Expect` is answered by this process. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Without hop-by-hop headers and those that `Connection` names. */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set(connectionOptions(headers.connection));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)));
}

/** `collectedBytes`: the length of a body that has arrived whole. Other bodies keep their framing. */
export function requestHeaders(
  { request, correlationId }: RequestContext,
  trustedProxies: TrustedProxies,
  collectedBytes: number | undefined,
): IncomingHttpHeaders {
  const given = request.headers;
  const headers = endToEnd(given);
  const { remoteAddress = '' } = request.socket;
  const before = given['x-forwarded-for'];
  headers['x-forwarded-for'] = before === undefined ? remoteAddress : `${before}, ${remoteAddress}`;
  // The other process trusts this one, so a caller's own header must not reach it.
  headers['x-forwarded-proto'] = isSecure(request, trustedProxies) ? 'https' : 'http';
  if (given.host !== undefined) headers['x-forwarded-host'] ??= given.host;
  headers['x-correlation-id'] = correlationId;
  tracing()?.inject(headers as Record<string, string>);
  if (collectedBytes !== undefined) headers['content-length'] = String(collectedBytes);
  else if (given['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  return headers;
}
