/**
 * Copies every object of the store, streamed. To be run before the documents are copied and again after: what the documents
 * name was there at their instant, so it was copied before, or is there now. Caller: the command of back-ups.
 *
 * An object that is copied already is not copied again, also by a run after one that was killed: its note is given the new run's id.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type ObjectInfo, ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { findStored, type ObjectNote, placeOf, writeNote } from './stored-object.ts';

const AT_ONCE = 4;
const TRIES = 3;

/** Answers how many were copied. `run` comes to stand in the note of each that the store lists. */
export async function backUpObjects(objects: ObjectStore, folder: string, run: string): Promise<number> {
  const listed = objects.list('');
  let copied = 0;
  const work = async () => {
    // The generator hands each object to one of those who ask.
    for (let next = await listed.next(); !next.done; next = await listed.next()) {
      if (await copyObject(objects, { folder, run }, next.value)) copied += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return copied;
}

interface Copying {
  readonly folder: string;
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
      // Gone since it was listed: nobody shall miss it, or the copy made before the documents' instant stays.
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
  const unfinished = `${dataFile}.part`;
  await pipeline(await objects.get(key), counted, createWriteStream(unfinished, { mode: 0o600, flush: true }));
  if (sizeBytes !== head.sizeBytes) throw new Error(`${key} changed, or was cut, while it was copied`);
  const note: ObjectNote = {
    ...{ key, sizeBytes, sha256: hash.digest('hex') },
    contentType: head.contentType ?? 'application/octet-stream',
    // As listed: a head tells whole seconds.
    lastModified: lastModified.toISOString(),
    run,
  };
  await rm(noteFile, { force: true });
  await rename(unfinished, dataFile);
  await writeNote(noteFile, note);
  return true;
}
