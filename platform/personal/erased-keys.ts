/**
 * Destroys the keys of erased subjects again, which a restore of older keys has brought back. The manifests say which
 * subjects are erased. A subject that the data lacks keeps its key, because a later restore of the data may bring it
 * back. Caller: the restore command, while no process runs.
 */
import type { Connection } from 'mongoose';
import type { Area } from '../area.ts';
import { batchesOf } from '../batches.ts';
import { SubjectKeys } from './subject-keys.ts';

const AT_ONCE = 500;

/** Safe to repeat. */
export async function destroyKeysOfErased(
  areas: readonly Area[],
  data: Connection,
  keysConnection: Connection,
): Promise<void> {
  // No key is opened here.
  const masterKeys = { writingKeyId: '', keys: new Map<string, Uint8Array>() };
  const keys = new SubjectKeys({ connection: keysConnection, masterKeys });
  for (const { listErased } of areas.flatMap(({ subjectKinds = [] }) => subjectKinds)) {
    for await (const batch of batchesOf(await listErased(data), { count: AT_ONCE })) await keys.destroyOf(...batch);
  }
}
