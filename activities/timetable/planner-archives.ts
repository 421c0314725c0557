/**
 * Local copies of the archives that a planner snapshot is made from: each is read several times from front to back, which
 * over the network would be many small requests. Caller: the activity buildSnapshot.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../shared/object-store.ts';
import { uploadKey } from './object-keys.ts';
import type { PlannerSource } from './planner-input.ts';

export interface LocalArchive {
  readonly codespace: string;
  readonly path: string;
}

const FOLDER = 'samferd-planner-build-';
/** No build takes so long: the process of such a folder has died. */
const LEFT_BEHIND_MS = 24 * 60 * 60_000;

/** Removes the copies when `use` has ended. Throws ObjectMissingError for an archive that is gone. */
export async function withLocalArchives<Result>(
  objects: ObjectStore,
  sources: readonly PlannerSource[],
  signal: AbortSignal,
  use: (archives: readonly LocalArchive[]) => Promise<Result>,
): Promise<Result> {
  await removeLeftBehind();
  const folder = await mkdtemp(join(tmpdir(), FOLDER));
  try {
    const archives: LocalArchive[] = [];
    for (const { codespace, correlationId } of sources) {
      const path = join(folder, `${correlationId}.zip`);
      const archive = await objects.get(uploadKey(codespace, correlationId), undefined, signal);
      await pipeline(archive, createWriteStream(path, { mode: 0o600 }), { signal });
      archives.push({ codespace, path });
    }
    return await use(archives);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A country's archives, each time a process dies, would fill the disk in the end. */
async function removeLeftBehind(): Promise<void> {
  const before = Date.now() - LEFT_BEHIND_MS;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER)) continue;
    const path = join(tmpdir(), name);
    // Another process may remove it at the same time; what belongs to another user stays.
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
