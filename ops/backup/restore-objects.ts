/**
 * Puts a back-up's objects into the store, streamed, and removes what the back-up does not have. Caller: the command of restoring;
 * whether there may be anything is decided before (restore-target.ts). Repeating it leads to the same.
 */
import { createReadStream } from 'node:fs';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { eachStored, findStored, type StoredObject } from './stored-object.ts';

const AT_ONCE = 4;

export async function restoreObjects(objects: ObjectStore, folder: string): Promise<void> {
  for await (const { key } of objects.list('')) if (!(await findStored(folder, key))) await objects.delete(key);
  const stored = eachStored(folder);
  const work = async () => {
    for (let next = await stored.next(); !next.done; next = await stored.next()) await put(objects, next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function put(objects: ObjectStore, { key, contentType, dataFile, sizeBytes }: StoredObject): Promise<void> {
  const written = await objects.putStream(key, createReadStream(dataFile), { contentType });
  const found = await objects.head(key);
  if (written !== sizeBytes || found?.sizeBytes !== sizeBytes) throw new Error(`${key} was not restored whole`);
}
