/** Writes replies to the connection. No other code does. Never throws: a failing stream closes the connection. */
import type { Readable } from 'node:stream';
import { sweepingBuffers } from './buffer-sweep.ts';
import type { Reply } from './operation.ts';
import { hasBody } from './request-body.ts';
import type { RequestContext } from './request-context.ts';
import { DISCARD_BYTES, DISCARD_MS, type Progress } from './slow-body.ts';
import { READ_PROGRESS, sendStream } from './slow-reader.ts';

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

export async function sendReply(
  context: RequestContext,
  reply: Reply,
  readProgress: Progress = READ_PROGRESS,
): Promise<void> {
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
    await sweepingBuffers(() => sendStream(body, response, readProgress));
  } catch (error) {
    log.warn({ err: error }, 'the answer was cut off');
    response.destroy();
  }
}

/** Sends the body; the head is set already. Also for handlers of Express that refuse a request before they read its body. */
export async function sendBytes(
  { request, response, sendContinue }: Pick<RequestContext, 'request' | 'response' | 'sendContinue'>,
  body: Buffer,
): Promise<void> {
  const bodyUnread = hasBody(request) && !request.complete;
  if (!bodyUnread) {
    response.end(body);
    return;
  }
  response.setHeader('connection', 'close');
  if (sendContinue !== undefined) {
    // The caller waits for 100 Continue and has sent no body.
    response.end(body);
    return;
  }
  // Closing at once would reset the connection, and the caller could lose the answer.
  response.write(body);
  await discardBody(request);
  response.end();
}

/** Reads what the caller had under way. The bytes beyond it stay in the connection, which stops the caller. */
async function discardBody(request: RequestContext['request']): Promise<void> {
  // A handler that has iterated over the body leaves this listener, with which no 'data' comes.
  request.removeAllListeners('readable');
  let leftBytes = DISCARD_BYTES;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DISCARD_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request
      .on('data', (chunk: Buffer) => {
        leftBytes -= chunk.length;
        if (leftBytes <= 0) request.pause();
      })
      .once('end', done)
      .once('close', done)
      .once('error', done);
    request.resume();
  });
}
