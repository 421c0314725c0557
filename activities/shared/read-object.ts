/** Reads whole objects that are known to be small, or that must be in memory anyway. */
import type { ObjectStore } from './object-store.ts';

/** Throws ObjectMissingError. */
export async function readObject(objects: ObjectStore, key: string, signal?: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await objects.get(key, undefined, signal)) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** The same bytes where every thread sees them without a copy each. */
export function shareBytes(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
