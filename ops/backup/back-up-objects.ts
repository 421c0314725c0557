/**
 * Copies every object of the store as a stream. It runs before the documents are copied and again afterwards. An object
 * that the documents name existed at their instant, so one of the two runs copies it. Caller: the command of back-ups.
 *
 * An object is copied once, also when the first run was killed: later runs only write their id into its note.
 */
import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { type ObjectInfo, ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import type { BackupFolder } from './backup-folder.ts';
import { findStored, type ObjectNote, placeOf, writeNote } from './stored-object.ts';

const AT_ONCE = 4;
const TRIES = 3;

/** Returns the number of copied objects. Writes `run` into the note of every object that the store lists. */
export async function backUpObjects(objects: ObjectStore, folder: BackupFolder, run: string): Promise<number> {
  const listed = objects.list('');
  let copied = 0;
  const work = async () => {
    // The generator gives each object to one of the parallel loops.
    for (let next = await listed.next(); !next.done; next = await listed.next()) {
      if (await copyObject(objects, { folder, run }, next.value)) copied += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return copied;
}

interface Copying {
  readonly folder: BackupFolder;
  readonly run: string;
}

async function copyObject(objects: ObjectStore, to: Copying, info: ObjectInfo): Promise<boolean> {
  const stored = await findStored(to.folder, info.key);
  const lastModified = info.lastModified.toISOString();
  if (stored?.lastModified === lastModified && stored.sizeBytes === info.sizeBytes) {
    if (stored.run !== to.run) await writeNote(stored.noteFile, { ...stored, run: to.run });
    return false;
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await copyOnce(objects, to, info);
    } catch (error) {
      // The object was deleted since it was listed: no document names it, or an earlier copy exists.
      if (error instanceof ObjectMissingError) return false;
      if (tries === TRIES) throw error;
    }
  }
}

async function copyOnce(
  objects: ObjectStore,
  { folder, run }: Copying,
  { key, lastModified }: ObjectInfo,
): Promise<boolean> {
  const { directory, dataFile, noteFile } = placeOf(folder, key);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const head = await objects.head(key);
  if (!head) throw new ObjectMissingError(key);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* counted(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  }
  const unfinished = `${dataFile.path}.part`;
  await dataFile.write(counted(await objects.get(key)), unfinished);
  if (sizeBytes !== head.sizeBytes) throw new Error(`${key} changed, or was cut, while it was copied`);
  const note: ObjectNote = {
    key,
    sizeBytes,
    sha256: hash.digest('hex'),
    contentType: head.contentType ?? 'application/octet-stream',
    // The list has milliseconds; the head of an object has whole seconds only.
    lastModified: lastModified.toISOString(),
    run,
  };
  await rm(noteFile.path, { force: true });
  await rename(unfinished, dataFile.path);
  await writeNote(noteFile, note);
  return true;
}
