/**
 * Ends streamed answers that are read too slowly. A caller that stops reading would otherwise hold its connection, and
 * that of the source, for ever. Called for each streamed answer.
 */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from './slow-body.ts';
import { downloadPace } from './stream-pace.ts';

/**
 * 0.035 Mbit/s. The window is twice that of uploads: the system buffers up to 4 MB of a connection, and takes more only
 * when a third of it is free.
 */
export const READ_PROGRESS: Progress = { windowMs: 60_000, windowBytes: 262_144 };

/**
 * Sends `body`. Only time in which the response takes no more counts: a slow source is not the caller's fault. Destroys
 * the response and throws when the caller reads too slowly or disconnects.
 */
export async function sendStream(body: Readable, response: Writable, progress: Progress): Promise<void> {
  const { windowMs, windowBytes } = progress;
  let timer: NodeJS.Timeout | undefined;
  let tooSlow = false;
  const cutAfter = (waitMs: number) => {
    timer = setTimeout(() => {
      tooSlow = true;
      response.destroy();
    }, waitMs);
  };
  async function* paced(chunks: AsyncIterable<Buffer | string>) {
    let leftMs = windowMs;
    let missingBytes = windowBytes;
    for await (const chunk of chunks) {
      await downloadPace.wait(chunk.length);
      const startedAt = performance.now();
      cutAfter(Math.max(leftMs, 0));
      yield chunk;
      clearTimeout(timer);
      leftMs -= performance.now() - startedAt;
      missingBytes -= chunk.length;
      if (missingBytes <= 0) {
        leftMs = windowMs;
        missingBytes = windowBytes;
      }
    }
    // The rest leaves the buffers of this process.
    cutAfter(windowMs);
  }
  try {
    await pipeline(body, paced, response);
  } catch (error) {
    throw tooSlow ? new Error('The caller read the answer too slowly', { cause: error }) : error;
  } finally {
    clearTimeout(timer);
    // Of an answer of another server, `pipeline` ends the connection alone: one that had arrived whole would stay open.
    body.destroy();
  }
}
