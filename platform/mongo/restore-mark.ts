/**
 * Marks a database while it is restored, from before the first change until all is done. Until then it may hold only a
 * part of the data. Callers: every process as it connects, back-ups, restores.
 */
import type { mongo } from 'mongoose';

export const RESTORE_MARK = 'restore_in_progress';

/** A retry does not help: only a completed restore does. */
export class UnfinishedRestore extends Error {}

export async function refuseUnfinishedRestore(db: mongo.Db): Promise<void> {
  if ((await db.collection(RESTORE_MARK).findOne({}, { projection: { _id: 1 } })) === null) return;
  throw new UnfinishedRestore(
    `A restore into the database ${db.databaseName} was not finished: run it again first (docs/operations/backup.md)`,
  );
}
