/** Reads what the pipeline has packed with gzip. */
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';

/** Unpacked as it is read. Undefined where there is no such object. */
export async function openPacked(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Readable | undefined> {
  try {
    const packed = await objects.get(key, undefined, signal);
    // Errors of either side reach the reader through the last stream; the callback only keeps them from being thrown.
    return pipeline(packed, createGunzip(), () => {});
  } catch (error) {
    if (error instanceof ObjectMissingError) return undefined;
    throw error;
  }
}
