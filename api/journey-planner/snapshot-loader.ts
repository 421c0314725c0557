/**
 * Loads a snapshot into memory, from the copy on the machine's disk, else from the object store. It then keeps a copy.
 * The content must match its SHA-256 in both cases. Several processes may share the folder. Caller: the follower.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlannerPointer } from '../../activities/shared/planner-snapshot.ts';
import { fetchSnapshot, fillSnapshot } from '../../activities/shared/planner-snapshot-file.ts';
import type { Logger } from '../../platform/log.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';

export interface SnapshotLoaderOptions {
  readonly objects: ObjectStore;
  readonly directory: string;
  readonly log: Logger;
}

const CHUNK_BYTES = 1024 * 1024;
const COPY = /^[0-9a-f]{64}\.snapshot$/;
const UNFINISHED = /^[0-9a-f]{64}\.snapshot\.[0-9a-f-]{36}$/;
/** No copy takes so long to write. An older unfinished file belongs to a dead process or a full disk. */
const UNFINISHED_MS = 60 * 60_000;

export class SnapshotLoader {
  readonly #options: SnapshotLoaderOptions;

  constructor(options: SnapshotLoaderOptions) {
    this.#options = options;
  }

  /** Throws when neither source has it. A failing disk only costs time. */
  async load(pointer: PlannerPointer, signal: AbortSignal): Promise<SharedArrayBuffer> {
    const { objects, directory, log } = this.#options;
    const path = join(directory, `${pointer.snapshotId}.snapshot`);
    try {
      return await readCopy(path, pointer);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') log.warn({ err: error, path }, 'the copy is of no use');
    }
    const bytes = await fetchSnapshot(objects, pointer, signal);
    await this.#keepCopy(path, bytes).catch((error: unknown) =>
      log.warn({ err: error, path }, 'no copy could be kept'),
    );
    return bytes;
  }

  /** Removes copies of other snapshots, and unfinished files of dead processes. A failing disk only costs space. */
  async forgetOthers(snapshotIds: readonly string[]): Promise<void> {
    const { directory, log } = this.#options;
    const kept = new Set(snapshotIds.map((id) => `${id}.snapshot`));
    try {
      for (const name of await readdir(directory)) {
        const path = join(directory, name);
        const isOther = (COPY.test(name) && !kept.has(name)) || (UNFINISHED.test(name) && (await isLeftBehind(path)));
        if (isOther) await rm(path, { force: true });
      }
    } catch (error) {
      log.warn({ err: error, directory }, 'old copies could not be removed');
    }
  }

  /** Writes to another name until the copy is complete, so that no process reads a part of it. */
  async #keepCopy(path: string, bytes: SharedArrayBuffer): Promise<void> {
    await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${randomUUID()}`;
    try {
      const file = await open(unfinished, 'wx', 0o600);
      try {
        await writeAll(file, new Uint8Array(bytes));
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}

/** False for a file that another process has just removed. */
async function isLeftBehind(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < Date.now() - UNFINISHED_MS;
}

async function readCopy(path: string, pointer: PlannerPointer): Promise<SharedArrayBuffer> {
  const file = await open(path, 'r');
  try {
    return await fillSnapshot(pointer, chunksOf(file));
  } finally {
    await file.close();
  }
}

/** Reuses one buffer, so the caller must process each chunk before it takes the next. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const length = Math.min(CHUNK_BYTES, bytes.length - written);
    written += (await file.write(bytes, written, length, written)).bytesWritten;
  }
}
