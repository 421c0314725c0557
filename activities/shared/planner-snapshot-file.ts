/**
 * Reads a stored planner snapshot into memory that all threads share: streamed, so it is there once only, and compared with
 * the SHA-256 it was stored under. Callers: planner processes, the activity that writes its journeys.
 */
import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { type PlannerPointer, plannerSnapshotKey } from './planner-snapshot.ts';

export type SnapshotFile = Pick<PlannerPointer, 'snapshotId' | 'sha256' | 'sizeBytes'>;

/** The bytes are not those that were stored; reading again may help. */
export class SnapshotDamagedError extends Error {
  constructor(snapshotId: string, what: string) {
    super(`The snapshot ${snapshotId} is damaged: ${what}`);
    this.name = 'SnapshotDamagedError';
  }
}

/** Throws SnapshotDamagedError, and ObjectMissingError when there is none (any more). */
export async function fetchSnapshot(
  objects: ObjectStore,
  file: SnapshotFile,
  signal?: AbortSignal,
): Promise<SharedArrayBuffer> {
  return await fillSnapshot(file, await objects.get(plannerSnapshotKey(file.snapshotId), undefined, signal));
}

/** From any source of its bytes. */
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
