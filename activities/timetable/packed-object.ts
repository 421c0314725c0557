/** Reads what the pipeline has packed with gzip. */
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';

/** Unpacked as it is read. Throws {@link ObjectMissingError}. */
export async function openPacked(objects: ObjectStore, key: string, signal?: AbortSignal): Promise<Readable> {
  const packed = await objects.get(key, undefined, signal);
  // Errors of either side reach the reader through the last stream; the callback only keeps them from being thrown.
  return pipeline(packed, createGunzip(), () => {});
}

/** As {@link openPacked}; undefined where there is no such object. */
export async function findPacked(
  objects: ObjectStore,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Readable | undefined> {
  try {
    return await openPacked(objects, key, signal);
  } catch (error) {
    if (error instanceof ObjectMissingError) return undefined;
    throw error;
  }
}
