/**
 * One part of an upload while it is received. It lies in an unlinked file, so a slow sender costs no memory. It is in
 * memory only while it is sent to the store, in one of a few buffers that all uploads of the process share.
 *
 * Caller: object-store-upload.ts only.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The least size that S3 accepts for a part that is not the last. */
const PART_BYTES = 5 * 1024 * 1024;
/** Parts sent at once: enough to keep a store busy, and little compared with the memory of the process. */
const SENDING_AT_ONCE = 2;

export class Part {
  readonly #file: FileHandle;
  #sizeBytes = 0;
  #hash = createHash('sha256');

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(): Promise<Part> {
    const path = join(tmpdir(), `samferd-part-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new Part(file);
  }

  get isFull(): boolean {
    return this.#sizeBytes === PART_BYTES;
  }

  get isEmpty(): boolean {
    return this.#sizeBytes === 0;
  }

  /** Takes the bytes that still fit; answers their number. */
  async append(bytes: Uint8Array): Promise<number> {
    const fitting = bytes.subarray(0, PART_BYTES - this.#sizeBytes);
    for (let written = 0; written < fitting.length; ) {
      const position = this.#sizeBytes + written;
      const { bytesWritten } = await this.#file.write(fitting, written, fitting.length - written, position);
      written += bytesWritten;
    }
    this.#sizeBytes += fitting.length;
    this.#hash.update(fitting);
    return fitting.length;
  }

  clear(): void {
    this.#sizeBytes = 0;
    this.#hash = createHash('sha256');
  }

  /**
   * Waits for a free buffer; `send` must not keep the bytes once it has returned. It gets their SHA-256 in hexadecimal
   * too. The hash is updated as the bytes come, because hashing all at once blocks the event loop for milliseconds.
   */
  async withBytes<Result>(send: (bytes: Uint8Array, sha256: string) => Promise<Result>): Promise<Result> {
    const buffer = await takeBuffer();
    try {
      const bytes = buffer.subarray(0, this.#sizeBytes);
      for (let filled = 0; filled < bytes.length; ) {
        const { bytesRead } = await this.#file.read(bytes, filled, bytes.length - filled, filled);
        if (bytesRead === 0) throw new Error('A gathered part has become shorter');
        filled += bytesRead;
      }
      return await send(bytes, this.#hash.copy().digest('hex'));
    } finally {
      giveBack(buffer);
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

const free: Buffer[] = [];
const waiting: Array<(buffer: Buffer) => void> = [];
let made = 0;

async function takeBuffer(): Promise<Buffer> {
  const idle = free.pop();
  if (idle) return idle;
  if (made < SENDING_AT_ONCE) {
    made += 1;
    return Buffer.allocUnsafeSlow(PART_BYTES);
  }
  return await new Promise((resolve) => waiting.push(resolve));
}

function giveBack(buffer: Buffer): void {
  const next = waiting.shift();
  if (next) next(buffer);
  else free.push(buffer);
}
