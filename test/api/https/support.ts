/**
 * Reads server options as a process does, and sends requests that `fetch` cannot send: other hosts, odd targets, own
 * certificates.
 */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  type HttpServerOptions,
  httpServerShape,
  readHttpServerOptions,
} from '../../../api/shared/http-server-options.ts';
import { environmentShape, parseConfig } from '../../../platform/config.ts';
import { silentLog, startParcels, type TestServer } from '../support/parcels.ts';

type Environment = Readonly<Record<string, string>>;

export const PUBLIC_URL = 'https://api.example.no';

/** The options of a production process at {@link PUBLIC_URL}; `environment` overrides variables. */
export function httpServerOptionsOf(environment: Environment = {}): HttpServerOptions {
  const given = { ENVIRONMENT: 'production', PORT: '0', PUBLIC_URL, SHUTDOWN_GRACE_MS: '1000', ...environment };
  return readHttpServerOptions(parseConfig({ ...environmentShape, ...httpServerShape() }, given), silentLog);
}

export async function startBehind(
  environment: Environment = {},
  more: Parameters<typeof startParcels>[0] = {},
): Promise<TestServer> {
  const { app, listen } = httpServerOptionsOf(environment);
  return await startParcels({ ...app, ...more, listen: { ...listen, drainMs: 0, ...more.listen } });
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The fingerprint of the server certificate; undefined without TLS. */
  readonly fingerprint: string | undefined;
}

export async function fetchUrl(
  url: string,
  options: RequestOptions & { readonly body?: string } = {},
): Promise<Answer> {
  const { body, ...rest } = options;
  const send = url.startsWith('https:') ? tlsRequest : plainRequest;
  const outgoing = send(url, { agent: false, ...rest });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const fingerprint = (response.socket as Partial<TLSSocket>).getPeerCertificate?.().fingerprint256;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text, fingerprint };
}

/** Sends these bytes and reads until the server closes the connection. */
export async function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(Buffer.from(bytes, 'latin1'));
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString('latin1');
  return text;
}
