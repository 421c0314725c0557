/**
 * Decides whether a restore may begin. It may in an empty installation, where the same restore did not end, or where
 * the caller deletes the content or adds to it. A mark in the database lasts from before the first change until the
 * end. Caller: the command of restoring.
 */
import type { mongo } from 'mongoose';
import { RESTORE_MARK } from '../../platform/mongo/restore-mark.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { isAdded } from './added-collections.ts';
import { isAddedObject } from './added-objects.ts';
import { listCollections } from './back-up-documents.ts';
import { UserError } from './user-error.ts';

interface Mark {
  readonly _id: 'current';
  readonly backupId: string;
}

export interface RestoreTarget {
  readonly db: mongo.Db;
  /** Absent when only documents are restored. */
  readonly objects?: ObjectStore | undefined;
}

export async function beginRestore(target: RestoreTarget, backupId: string, takesContent: boolean): Promise<void> {
  const marks = target.db.collection<Mark>(RESTORE_MARK);
  const begun = await marks.findOne({ _id: 'current' });
  if (begun?.backupId !== backupId && !takesContent) {
    const found = begun ? 'the restore of another back-up was begun there' : await findContent(target);
    if (found) throw new UserError(`Nothing was changed: ${found}. With --replace all of it is deleted first.`);
  }
  await marks.replaceOne({ _id: 'current' }, { backupId }, { upsert: true });
}

export async function endRestore({ db }: RestoreTarget): Promise<void> {
  await db.dropCollection(RESTORE_MARK);
}

/** Names what the installation holds. Indexes do not count: every process makes them. */
export async function findContent({ db, objects }: RestoreTarget): Promise<string | undefined> {
  for (const { name } of await listCollections(db)) {
    if (isAdded(name)) continue;
    const found = await db.collection(name).findOne({}, { projection: { _id: 1 } });
    if (found) return `the database ${db.databaseName} is not empty (${name})`;
  }
  for await (const { key } of objects?.list('') ?? []) {
    if (!isAddedObject(key)) return `the bucket is not empty (${key})`;
  }
  return undefined;
}
