/**
 * Reads an archive's bytes by ranges, so that it may stay in the object store.
 *
 * Callers: everything in netex/zip reads through this; activities implement it over the object store.
 */
import { open } from 'node:fs/promises';

export interface RangeReader {
  readonly sizeBytes: number;
  /** Exactly `lengthBytes` bytes from `offset`. Callers never request bytes outside the archive. */
  read(offset: number, lengthBytes: number): Promise<Uint8Array>;
}

/** Enforces the reader's contract. A breach is the reader's failure and not the archive's, so it may be retried. */
export async function readExactly(reader: RangeReader, offset: number, lengthBytes: number): Promise<Buffer> {
  if (lengthBytes === 0) return Buffer.alloc(0);
  const bytes = await reader.read(offset, lengthBytes);
  if (bytes.length !== lengthBytes) {
    throw new Error(`Read ${bytes.length} of ${lengthBytes} bytes at ${offset}: the archive changed or was cut`);
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** For tests and for archives that are in memory anyway. */
export function bufferRangeReader(bytes: Uint8Array): RangeReader {
  return { sizeBytes: bytes.length, read: async (offset, lengthBytes) => bytes.subarray(offset, offset + lengthBytes) };
}

/** A local file; close it after use. */
export async function openFileRangeReader(path: string): Promise<RangeReader & { close(): Promise<void> }> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return {
    sizeBytes: size,
    async read(offset, lengthBytes) {
      const bytes = Buffer.allocUnsafe(lengthBytes);
      const { bytesRead } = await file.read(bytes, 0, lengthBytes, offset);
      return bytes.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}
