/**
 * Puts a back-up's objects into the store, streamed, and removes what the back-up does not have. Objects that a restore
 * only adds are left as they are. Caller: the command of restoring; whether there may be anything is decided before
 * (restore-target.ts). Repeating it leads to the same.
 */
import { Readable } from 'node:stream';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { isAddedObject } from './added-objects.ts';
import type { BackupFolder } from './backup-folder.ts';
import { eachStored, findStored, type StoredObject } from './stored-object.ts';

const AT_ONCE = 4;

/** `adds`: whether the objects that a restore only adds belong to what the installation holds. */
export async function restoreObjects(objects: ObjectStore, folder: BackupFolder, adds: boolean): Promise<void> {
  for await (const { key } of objects.list('')) {
    if (!isAddedObject(key) && !(await findStored(folder, key))) await objects.delete(key);
  }
  const stored = eachStored(folder);
  const work = async () => {
    for (let next = await stored.next(); !next.done; next = await stored.next()) {
      const isLeft = isAddedObject(next.value.key) && (!adds || (await objects.head(next.value.key)));
      if (!isLeft) await put(objects, next.value);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function put(objects: ObjectStore, { key, contentType, dataFile, sizeBytes }: StoredObject): Promise<void> {
  const written = await objects.putStream(key, Readable.from(dataFile.read()), { contentType });
  const found = await objects.head(key);
  if (written !== sizeBytes || found?.sizeBytes !== sizeBytes) throw new Error(`${key} was not restored whole`);
}
