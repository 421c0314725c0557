/**
 * The objects of a back-up: each under the hash of its key, with a note beside it that describes it. The note is written last, so an object
 * without one is no copy yet. Callers: back-up and restore of objects. Never holds a list of all objects in memory.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type ObjectsEntry, writeWhole } from './backup-folder.ts';
import { UserError } from './user-error.ts';

const note = z.object({
  key: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  contentType: z.string(),
  lastModified: z.iso.datetime(),
  /** The last run of the command that found the object in the store. Not a time: clocks of file servers differ. */
  run: z.string().optional(),
});

export type ObjectNote = z.infer<typeof note>;

export interface StoredObject extends ObjectNote {
  readonly dataFile: string;
  readonly noteFile: string;
}

export function placeOf(folder: string, key: string) {
  const hash = createHash('sha256').update(key).digest('hex');
  const directory = join(folder, hash.slice(0, 2));
  return { directory, dataFile: join(directory, `${hash}.object`), noteFile: join(directory, `${hash}.json`) };
}

/** Writes the fields of a note and leaves out all others. */
export async function writeNote(noteFile: string, found: ObjectNote): Promise<void> {
  await writeWhole(noteFile, JSON.stringify(note.parse(found)));
}

/** Undefined when there is no complete copy. */
export async function findStored(folder: string, key: string): Promise<StoredObject | undefined> {
  const place = placeOf(folder, key);
  const text = await readFile(place.noteFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const read = note.parse(JSON.parse(text));
  const found = await stat(place.dataFile).catch(() => undefined);
  return found?.size === read.sizeBytes ? { ...read, ...place } : undefined;
}

/** The order is always the same. */
export async function* eachStored(folder: string): AsyncGenerator<StoredObject> {
  for (const directory of (await readdir(folder)).sort()) {
    const names = await readdir(join(folder, directory));
    for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
      const noteFile = join(folder, directory, name);
      const read = note.safeParse(JSON.parse(await readFile(noteFile, 'utf8')));
      if (!read.success) throw new UserError(`${noteFile} is damaged`);
      yield { ...read.data, noteFile, dataFile: placeOf(folder, read.data.key).dataFile };
    }
  }
}

/** Returns the manifest's entry about objects. `check` reads every byte again. */
export async function summarise(folder: string, { check }: { readonly check: boolean }): Promise<ObjectsEntry> {
  const hash = createHash('sha256');
  let [count, bytes] = [0, 0];
  for await (const { key, sizeBytes, sha256, dataFile } of eachStored(folder)) {
    if (check && (await hashOf(dataFile)) !== sha256) throw new UserError(`${dataFile} is damaged (${key})`);
    hash.update(JSON.stringify([key, sizeBytes, sha256]));
    count += 1;
    bytes += sizeBytes;
  }
  return { count, bytes, sha256: hash.digest('hex') };
}

async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/** Removes copies that `run` did not find in the store: an earlier run made them, and the objects have been deleted since. */
export async function removeOthers(folder: string, run: string): Promise<void> {
  for await (const { noteFile, dataFile, run: last } of eachStored(folder)) {
    if (last === run) continue;
    await rm(noteFile);
    await rm(dataFile, { force: true });
  }
}
