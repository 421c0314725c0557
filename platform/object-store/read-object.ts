/** Reads whole objects that are known to be small, or that must be in memory anyway. */
import type { ObjectStore } from './object-store.ts';

/** Throws ObjectMissingError. */
export async function readObject(objects: ObjectStore, key: string, signal?: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await objects.get(key, undefined, signal)) chunks.push(chunk as Uint8Array);
  const { buffer, byteOffset, byteLength } = Buffer.concat(chunks);
  // Not a Buffer: its `slice` shares memory where that of a Uint8Array copies, which readers of packed data rely on.
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The same bytes where every thread sees them without a copy each. */
export function shareBytes(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
