/** Writes a Reply to the connection: the only place that does. Never throws; a failing stream cuts the connection. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sweepingBuffers } from './buffer-sweep.ts';
import type { Reply } from './operation.ts';
import { hasBody } from './request-body.ts';
import type { RequestContext } from './request-context.ts';

/** How long a caller whose body is not wanted may go on sending before the connection is cut. */
const LINGER_MS = 2_000;
const BODILESS = new Set([204, 304]);

export interface FlatReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | Readable;
}

export function flattenReply(reply: Reply): FlatReply {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers[name.toLowerCase()] = value;
  if (reply.stream) return { status: reply.status, headers, body: reply.stream };
  if (reply.json !== undefined) headers['content-type'] ??= 'application/json';
  const content = reply.json === undefined ? (reply.bytes ?? '') : JSON.stringify(reply.json);
  const body =
    typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return { status: reply.status, headers, body };
}

export async function sendReply(context: RequestContext, reply: Reply): Promise<void> {
  const { request, response, log } = context;
  const { status, headers, body } = flattenReply(reply);
  if (response.headersSent || response.destroyed) {
    if (!Buffer.isBuffer(body)) body.destroy();
    return;
  }
  response.statusCode = status;
  response.setHeader('cache-control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (Buffer.isBuffer(body)) {
    if (!BODILESS.has(status)) response.setHeader('content-length', headers['content-length'] ?? body.length);
    await sendBytes(context, BODILESS.has(status) ? Buffer.alloc(0) : body);
    return;
  }
  if (request.method === 'HEAD' || BODILESS.has(status)) {
    body.destroy();
    response.end();
    return;
  }
  try {
    await sweepingBuffers(() => pipeline(body, response));
  } catch (error) {
    log.warn({ err: error }, 'the answer was cut off');
    response.destroy();
  }
}

/**
 * When the request body was not read, the whole answer goes out first and the connection closes a little later: closing
 * at once would reset it, and the caller might lose the answer.
 */
async function sendBytes(context: RequestContext, body: Buffer): Promise<void> {
  const { request, response } = context;
  const bodyUnread = hasBody(request) && !request.complete;
  if (!bodyUnread) {
    response.end(body);
    return;
  }
  response.setHeader('connection', 'close');
  if (context.sendContinue !== undefined) {
    // The caller still waits for leave to send its body.
    response.end(body);
    return;
  }
  response.write(body);
  await drain(request);
  response.end();
}

async function drain(request: RequestContext['request']): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request
      .on('data', () => {})
      .once('end', done)
      .once('close', done)
      .once('error', done);
    request.resume();
  });
}
