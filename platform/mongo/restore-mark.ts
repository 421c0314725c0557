/**
 * The mark of a restore that is not finished: it stands in a database from before the first change until all is done, and what lies
 * beside it may be a part. Callers: every process as it connects, back-ups, restores.
 */
import type { mongo } from 'mongoose';

export const RESTORE_MARK = 'restore_in_progress';

/** Repeating whatever met it does not help: only the restore does. */
export class UnfinishedRestore extends Error {}

export async function refuseUnfinishedRestore(db: mongo.Db): Promise<void> {
  if ((await db.collection(RESTORE_MARK).findOne({}, { projection: { _id: 1 } })) === null) return;
  throw new UnfinishedRestore(
    `A restore into the database ${db.databaseName} was not finished: run it again first (docs/operations/backup.md)`,
  );
}
