/**
 * Ends bodies that arrive too slowly. A connection that sends a byte now and then would otherwise hold its place for an hour.
 * Callers: everything that reads a request body. Small bodies have a time for the whole; streamed ones must make progress.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** For a whole small body. 256 KiB in this time is 0.14 Mbit/s; what is slower is an attack or a dead connection. */
export const BODY_TIMEOUT_MS = 15_000;

/** `windowBytes` must arrive in each `windowMs` of waiting. Time in which the reader is busy does not count. */
export interface Progress {
  readonly windowMs: number;
  readonly windowBytes: number;
}

/** 0.07 Mbit/s: a tenth of what the slowest lines of operators carry. */
export const UPLOAD_PROGRESS: Progress = { windowMs: 30_000, windowBytes: 262_144 };

/** How long a caller may go on sending a body whose answer it has. */
export const DISCARD_MS = 2_000;
/** How much of it is read then: what was under way. To read all that comes would be the work that was refused. */
export const DISCARD_BYTES = 262_144;

export function bodyTooSlow(): ServiceError {
  return new ServiceError('REQUEST_TIMEOUT', 'The body did not arrive in time. Send the request again.');
}

/**
 * The chunks of a body as they arrive. Throws REQUEST_TIMEOUT when they come too slowly, and the stream's error when the caller
 * disconnects. Leaves the request open, so that it can be answered.
 */
export async function* arriving(request: IncomingMessage, progress: Progress): AsyncGenerator<Buffer, undefined> {
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let leftMs = progress.windowMs;
  let missingBytes = progress.windowBytes;
  for (;;) {
    const startedAt = performance.now();
    const next = await inTime(chunks.next(), leftMs);
    if (next.done) return;
    leftMs -= performance.now() - startedAt;
    missingBytes -= next.value.length;
    if (missingBytes <= 0) {
      leftMs = progress.windowMs;
      missingBytes = progress.windowBytes;
    }
    yield next.value;
  }
}

async function inTime<T>(arrival: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(bodyTooSlow()), Math.max(timeoutMs, 0));
  try {
    return await Promise.race([arrival, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Call for each request. After an answer that came before the end of the body, the caller may not send the rest for ever. */
export function endUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.socket.destroy(), DISCARD_MS);
    const done = () => clearTimeout(timer);
    request.once('end', done).once('close', done);
  });
}
