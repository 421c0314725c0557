/**
 * Reads a stored planner snapshot into memory that all threads share. The bytes are streamed, so memory holds them
 * once, and their SHA-256 is compared with the stored one. Callers: planner processes, the activity that writes its
 * journeys.
 */
import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { plannerSnapshotKey } from './planner-snapshot.ts';
import type { SnapshotStatement } from './snapshot-signature.ts';

export type SnapshotFile = Pick<SnapshotStatement, 'snapshotId' | 'sha256' | 'sizeBytes'>;

/** The bytes are not those that were stored; another read may help. */
export class SnapshotDamagedError extends Error {
  constructor(snapshotId: string, what: string) {
    super(`The snapshot ${snapshotId} is damaged: ${what}`);
    this.name = 'SnapshotDamagedError';
  }
}

/** Throws SnapshotDamagedError, and ObjectMissingError when the file does not exist. */
export async function fetchSnapshot(
  objects: ObjectStore,
  file: SnapshotFile,
  signal?: AbortSignal,
): Promise<SharedArrayBuffer> {
  return await fillSnapshot(file, await objects.get(plannerSnapshotKey(file.snapshotId), undefined, signal));
}

/** The same from any source of bytes. */
export async function fillSnapshot(file: SnapshotFile, source: AsyncIterable<unknown>): Promise<SharedArrayBuffer> {
  const { snapshotId, sha256, sizeBytes } = file;
  const shared = new SharedArrayBuffer(sizeBytes);
  const bytes = new Uint8Array(shared);
  const hash = createHash('sha256');
  let filled = 0;
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    if (filled + chunk.length > sizeBytes) throw new SnapshotDamagedError(snapshotId, 'it is too long');
    bytes.set(chunk, filled);
    hash.update(chunk);
    filled += chunk.length;
  }
  if (filled !== sizeBytes) throw new SnapshotDamagedError(snapshotId, `it ends after ${filled} bytes`);
  if (hash.digest('hex') !== sha256) throw new SnapshotDamagedError(snapshotId, 'its SHA-256 is another one');
  return shared;
}
