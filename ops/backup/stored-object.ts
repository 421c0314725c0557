/**
 * The objects of a back-up: each under the hash of its key, with a note beside it that describes it. The note is
 * written last, so an object without one is no copy yet. Callers: back-up and restore of objects. Never holds a list of
 * all objects in memory.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BackupFolder } from './backup-folder.ts';
import type { ObjectsEntry } from './manifest.ts';
import { readWhole, type SealedFile } from './sealed-file.ts';
import { UserError } from './user-error.ts';

const NOTE = '.note';

const note = z.object({
  key: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  contentType: z.string(),
  lastModified: z.iso.datetime(),
  /** The last run that found the object in the store. It is not a time, because the clocks of file servers differ. */
  run: z.string().optional(),
});

export type ObjectNote = z.infer<typeof note>;

interface ObjectFiles {
  readonly directory: string;
  readonly dataFile: SealedFile;
  readonly noteFile: SealedFile;
}

export interface StoredObject extends ObjectNote, ObjectFiles {}

export function placeOf(folder: BackupFolder, key: string): ObjectFiles {
  const hash = createHash('sha256').update(key).digest('hex');
  const place = `objects/${hash.slice(0, 2)}`;
  return {
    directory: join(folder.path, place),
    dataFile: folder.file(`${place}/${hash}.object`),
    noteFile: folder.file(`${place}/${hash}${NOTE}`),
  };
}

/** Writes the fields of a note and leaves out all others. Readers see the old note or the new one. */
export async function writeNote(noteFile: SealedFile, found: ObjectNote): Promise<void> {
  const unfinished = `${noteFile.path}.part`;
  await noteFile.write(once(Buffer.from(JSON.stringify(note.parse(found)))), unfinished);
  await rename(unfinished, noteFile.path);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Undefined when there is no complete copy: the note is written after the object. */
export async function findStored(folder: BackupFolder, key: string): Promise<StoredObject | undefined> {
  const place = placeOf(folder, key);
  if (!existsSync(place.noteFile.path) || !existsSync(place.dataFile.path)) return undefined;
  return { ...(await readNote(place.noteFile)), ...place };
}

async function readNote(noteFile: SealedFile): Promise<ObjectNote> {
  const read = note.safeParse(JSON.parse((await readWhole(noteFile)).toString()));
  if (!read.success) throw new UserError(`${noteFile.path} is damaged`);
  return read.data;
}

/** Yields the objects in the same order every time. */
export async function* eachStored(folder: BackupFolder): AsyncGenerator<StoredObject> {
  for (const directory of (await readdir(folder.objects)).sort()) {
    const names = await readdir(join(folder.objects, directory));
    for (const name of names.filter((each) => each.endsWith(NOTE)).sort()) {
      const read = await readNote(folder.file(`objects/${directory}/${name}`));
      yield { ...read, ...placeOf(folder, read.key) };
    }
  }
}

/** Returns the manifest's entry about objects. `check` reads every byte again. */
export async function summarise(folder: BackupFolder, { check }: { readonly check: boolean }): Promise<ObjectsEntry> {
  const hash = createHash('sha256');
  let [count, bytes] = [0, 0];
  for await (const { key, sizeBytes, sha256, dataFile } of eachStored(folder)) {
    if (check && (await hashOf(dataFile)) !== sha256) throw new UserError(`${dataFile.path} is damaged (${key})`);
    hash.update(JSON.stringify([key, sizeBytes, sha256]));
    count += 1;
    bytes += sizeBytes;
  }
  return { count, bytes, sha256: hash.digest('hex') };
}

async function hashOf(file: SealedFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of file.read()) hash.update(chunk);
  return hash.digest('hex');
}

/** Removes copies that `run` did not find in the store: an earlier run made them, and the objects have been deleted since. */
export async function removeOthers(folder: BackupFolder, run: string): Promise<void> {
  for await (const { noteFile, dataFile, run: last } of eachStored(folder)) {
    if (last === run) continue;
    await rm(noteFile.path);
    await rm(dataFile.path, { force: true });
  }
}
