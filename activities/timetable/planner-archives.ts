/**
 * Local copies of the archives that a planner snapshot is made from: each is read several times from front to back, which
 * over the network would be many small requests. Caller: the activity buildSnapshot.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../shared/object-store.ts';
import { withBuildFolder } from './build-folder.ts';
import { uploadKey } from './object-keys.ts';
import type { PlannerSource } from './planner-input.ts';

export interface LocalArchive {
  readonly codespace: string;
  readonly path: string;
}

/** Removes the copies when `use` has ended. Throws ObjectMissingError for an archive that is gone. */
export async function withLocalArchives<Result>(
  objects: ObjectStore,
  sources: readonly PlannerSource[],
  signal: AbortSignal,
  use: (archives: readonly LocalArchive[]) => Promise<Result>,
): Promise<Result> {
  return await withBuildFolder(async (folder) => {
    const archives: LocalArchive[] = [];
    for (const { codespace, correlationId } of sources) {
      const path = join(folder, `${correlationId}.zip`);
      const archive = await objects.get(uploadKey(codespace, correlationId), undefined, signal);
      await pipeline(archive, createWriteStream(path, { mode: 0o600 }), { signal });
      archives.push({ codespace, path });
    }
    return await use(archives);
  });
}
