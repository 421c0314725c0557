/**
 * Holds a request body back until it has arrived whole or is known to be large. A caller that sends byte by byte then occupies no
 * connection to the process behind. Caller: forward.ts.
 */
import { Readable } from 'node:stream';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { RequestContext } from './request-context.ts';
import { arriving } from './slow-body.ts';

export interface ReadAheadOptions {
  /** Smaller bodies are collected; of larger ones this much. */
  readonly limitBytes: number;
  /** In which `limitBytes`, or the whole body, must arrive. */
  readonly timeoutMs: number;
  /** Bytes held by all requests together. */
  readonly heldBytes: number;
}

export class ReadAhead {
  readonly #options: ReadAheadOptions;
  #heldBytes = 0;

  constructor(options: ReadAheadOptions) {
    this.#options = options;
  }

  /**
   * The whole body, or a stream that begins with what has arrived. Throws REQUEST_TIMEOUT for a slow body and UNAVAILABLE when
   * too much is held already. The stream fails with the same error when the rest is slow.
   */
  async read({ request, response }: RequestContext): Promise<Buffer | Readable> {
    const { limitBytes, timeoutMs } = this.#options;
    const chunks = arriving(request, { windowMs: timeoutMs, windowBytes: limitBytes });
    const held: Buffer[] = [];
    let sizeBytes = 0;
    response.once('close', () => {
      this.#heldBytes -= sizeBytes;
    });
    while (sizeBytes < limitBytes) {
      const next = await chunks.next();
      if (next.done) return Buffer.concat(held);
      held.push(next.value);
      sizeBytes += next.value.length;
      this.#hold(next.value.length);
    }
    return Readable.from(joined(held, chunks), { objectMode: false });
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (this.#heldBytes <= this.#options.heldBytes) return;
    throw new ServiceError('UNAVAILABLE', 'The service is busy with other requests. Try again shortly.', {
      headers: { 'retry-after': '2' },
    });
  }
}

async function* joined(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}
