/** Counts the existing keys that a restore of keys would contradict or remove. Caller: restore-keys.ts. Changes nothing. */
import { existsSync } from 'node:fs';
import mongoose, { type mongo } from 'mongoose';
import { PROFILES } from '../../activities/customers/profile-document.ts';
import { CUSTOMER } from '../../activities/shared/customer-kind.ts';
import { batchesOf } from '../../platform/batches.ts';
import { SUBJECT_KEYS } from '../../platform/personal/key-document.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import type { BackupFolder } from './backup-folder.ts';
import { readBsonFile } from './bson-file.ts';

interface Key {
  readonly _id: string;
  readonly subject: SubjectId;
}

const FIELDS = { projection: { subject: 1 } } as const;
const AT_ONCE = 500;

/** Subjects whose key in the back-up differs from the existing one: both cannot stay. */
export async function countOtherKeys(keys: mongo.Db, folder: BackupFolder): Promise<number> {
  let others = 0;
  for await (const batch of batchesOf(readKeys(folder), { count: AT_ONCE })) {
    const ids = new Map(batch.map(({ _id, subject }) => [subject, _id]));
    const found = SUBJECT_KEYS.open(keys).find({ subject: { $in: [...ids.keys()] } }, FIELDS);
    for await (const { _id, subject } of found) if (ids.get(subject) !== _id) others += 1;
  }
  return others;
}

/** Keys that a living profile names and the back-up lacks. Without any data every key counts, as its customer may live. */
export async function countTakenKeys(keys: mongo.Db, data: mongo.Db, folder: BackupFolder): Promise<number> {
  const kept = new Set<string>();
  for await (const { _id } of readKeys(folder)) kept.add(_id);
  const profiles = PROFILES.open(data);
  const isEmpty = (await profiles.findOne({}, { projection: { _id: 1 } })) === null;
  let taken = 0;
  for await (const batch of batchesOf(SUBJECT_KEYS.open(keys).find({}, FIELDS), { count: AT_ONCE })) {
    const lost = batch.filter(({ _id }) => !kept.has(_id));
    const customers = lost.filter(({ subject }) => CUSTOMER.includes(subject));
    // For another kind of subject, this command cannot tell whether the subject exists.
    taken += isEmpty ? lost.length : lost.length - customers.length;
    if (isEmpty || customers.length === 0) continue;
    const missing = new Map(customers.map(({ _id, subject }) => [CUSTOMER.idOf(subject), _id]));
    const living = profiles.find({ _id: { $in: [...missing.keys()] }, status: 'ACTIVE' }, { projection: { keyId: 1 } });
    for await (const { _id, keyId } of living) if (missing.get(_id) === keyId) taken += 1;
  }
  return taken;
}

async function* readKeys(folder: BackupFolder): AsyncGenerator<Key> {
  const file = folder.collectionFile(SUBJECT_KEYS.collection);
  // An installation without customers has no such collection.
  if (!existsSync(file.path)) return;
  for await (const bytes of readBsonFile(file)) {
    yield mongoose.mongo.BSON.deserialize(bytes) as Key;
  }
}
