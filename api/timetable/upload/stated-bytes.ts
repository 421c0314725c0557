/** The unpacked size of a stored archive, for the quota of its sender. Caller: the upload handler. */
import { statedBytes } from '../../../netex/zip/index.ts';
import type { ObjectStore } from '../../../platform/object-store/object-store.ts';
import { Mutex } from '../../../workflows/shared/mutex.ts';
import type { ReceivedFile } from './receive-file.ts';

/** A directory may have 16 MiB: one at a time in the memory of the process. */
const turns = new Mutex();

/** The size of the archive itself when it cannot be read: it costs no more than that. */
export async function countStatedBytes(
  objects: ObjectStore,
  key: string,
  { sizeBytes }: Pick<ReceivedFile, 'sizeBytes'>,
): Promise<number> {
  const reader = { sizeBytes, read: (offset: number, bytes: number) => objects.getRange(key, offset, bytes) };
  return (await turns.run(() => statedBytes(reader))) ?? sizeBytes;
}
