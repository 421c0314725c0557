/** What a restore of keys would do to the keys that are there, before it does. Caller: restore-keys.ts. Changes nothing. */
import { existsSync } from 'node:fs';
import mongoose, { type mongo } from 'mongoose';
import { CUSTOMER_KEYS_COLLECTION as KEYS } from '../../activities/customers/customer-keys.ts';
import { PROFILE_COLLECTION, type ProfileDocument } from '../../activities/customers/profile-document.ts';
import { batchesOf } from '../../platform/batches.ts';
import type { BackupFolder } from './backup-folder.ts';
import { readBsonFile } from './bson-file.ts';

interface Key {
  readonly _id: string;
  readonly customerNumber: string;
}
type Profile = Pick<ProfileDocument, 'status' | 'keyId'> & { readonly _id: string };

const FIELDS = { projection: { customerNumber: 1 } } as const;
const AT_ONCE = 500;

/** Customers whose key in the back-up is not the one that is there: both cannot stay. */
export async function countOtherKeys(keys: mongo.Db, folder: BackupFolder): Promise<number> {
  let others = 0;
  for await (const batch of batchesOf(readKeys(folder), { count: AT_ONCE })) {
    const ids = new Map(batch.map(({ _id, customerNumber }) => [customerNumber, _id]));
    const found = keys.collection<Key>(KEYS).find({ customerNumber: { $in: [...ids.keys()] } }, FIELDS);
    for await (const { _id, customerNumber } of found) if (ids.get(customerNumber) !== _id) others += 1;
  }
  return others;
}

/** Keys that are not in the back-up though a living profile names them; where the data is empty nobody can say, and each counts. */
export async function countTakenKeys(keys: mongo.Db, data: mongo.Db, folder: BackupFolder): Promise<number> {
  const kept = new Set<string>();
  for await (const { _id } of readKeys(folder)) kept.add(_id);
  const profiles = data.collection<Profile>(PROFILE_COLLECTION);
  const isEmpty = (await profiles.findOne({}, { projection: { _id: 1 } })) === null;
  let taken = 0;
  for await (const batch of batchesOf(keys.collection<Key>(KEYS).find({}, FIELDS), { count: AT_ONCE })) {
    const missing = new Map(batch.filter(({ _id }) => !kept.has(_id)).map((key) => [key.customerNumber, key._id]));
    if (isEmpty) taken += missing.size;
    if (isEmpty || missing.size === 0) continue;
    const living = profiles.find({ _id: { $in: [...missing.keys()] }, status: 'ACTIVE' }, { projection: { keyId: 1 } });
    for await (const { _id, keyId } of living) if (missing.get(_id) === keyId) taken += 1;
  }
  return taken;
}

async function* readKeys(folder: BackupFolder): AsyncGenerator<Key> {
  const file = folder.collectionFile(KEYS);
  // Of an installation without customers.
  if (!existsSync(file)) return;
  for await (const bytes of readBsonFile(file)) {
    yield mongoose.mongo.BSON.deserialize(bytes) as Key;
  }
}
