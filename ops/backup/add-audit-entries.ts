/**
 * Restores the audit log: a restore adds the entries that are missing and never removes one, so that no restore hides
 * what happened since. Caller: the restore.
 */
import mongoose, { type mongo } from 'mongoose';
import type { AuditEntry } from '../../activities/audit/audit-entry.ts';
import { AUDIT_ENTRIES } from '../../activities/audit/audit-query.ts';
import { batchesOf } from '../../platform/batches.ts';
import type { Report } from './back-up.ts';
import type { BackupFolder } from './backup-folder.ts';
import { readBsonFile } from './bson-file.ts';
import type { Manifest } from './manifest.ts';
import { addDocuments } from './restore-documents.ts';

const BATCH = { count: 1_000, weight: { of: (bson: Uint8Array) => bson.length, limit: 8 * 1024 * 1024 } };

/**
 * If the existing log is another chain than the back-up's, it stays as it is, and the answer is false: the back-up's
 * anchors are not of this log. Its entries can still be read from the back-up's folder.
 */
export async function addAuditEntries(
  db: mongo.Db,
  folder: BackupFolder,
  { collections }: Pick<Manifest, 'collections'>,
  report: Report,
): Promise<boolean> {
  const kept = collections.find(({ name }) => name === AUDIT_ENTRIES.collection);
  if (!kept) return true;
  if (!(await isSameChain(AUDIT_ENTRIES.open(db), folder))) {
    report('audit log: the one of this installation is another than the back-up’s, and stays as it is');
    return false;
  }
  report(`audit log: ${await addDocuments(db, folder, kept)} entries added`);
  return true;
}

/** True when every number that both have stands for the same entry. */
async function isSameChain(entries: mongo.Collection<AuditEntry>, folder: BackupFolder): Promise<boolean> {
  const file = readBsonFile(folder.collectionFile(AUDIT_ENTRIES.collection));
  for await (const batch of batchesOf(file, BATCH)) {
    const ours = batch.map((bytes) => mongoose.mongo.BSON.deserialize(bytes) as AuditEntry);
    const hashes = new Map(ours.map(({ _id, hash }) => [_id, hash]));
    // An id that is not a number is of no entry.
    const numbers = [...hashes.keys()].filter((_id) => typeof _id === 'number');
    const theirs = entries.find({ _id: { $in: numbers } }, { projection: { hash: 1 } });
    for await (const { _id, hash } of theirs) if (hashes.get(_id) !== hash) return false;
  }
  return true;
}
