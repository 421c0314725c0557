/**
 * Local copies of the archives for a planner snapshot. Each archive is read several times from front to back, which
 * over the network would take many small requests. Caller: the build of a snapshot.
 */
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { uploadKey } from './object-keys.ts';
import type { PlannerSource } from './planner-input.ts';

export interface LocalArchive {
  readonly source: PlannerSource;
  readonly path: string;
}

/** Consecutive tries: a missing object may be in a store that was just starting. */
const LOOKS = 3;
const PAUSE_MS = 1_000;

/**
 * The path of its copy in the folder, made if it is missing. Throws ObjectMissingError when the archive is missing for
 * good.
 */
export async function fetchArchive(
  objects: ObjectStore,
  { codespace, correlationId }: PlannerSource,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, `${correlationId}.zip`);
  for (let looks = 1; !existsSync(path); looks++) {
    try {
      const archive = await objects.get(uploadKey(codespace, correlationId), undefined, signal);
      await pipeline(archive, createWriteStream(`${path}.part`, { mode: 0o600 }), { signal });
      await rename(`${path}.part`, path);
    } catch (error) {
      if (!(error instanceof ObjectMissingError) || looks === LOOKS) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
  return path;
}
