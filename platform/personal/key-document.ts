/** The collections of the keys database. Imports no driver: manifests name it. */
import type { mongo } from 'mongoose';
import { CollectionDefinition } from '../mongo/collection.ts';
import type { SubjectId } from './subject-id.ts';

export interface KeyDocument {
  _id: string;
  subject: SubjectId;
  organisationId: number;
  wrapped: Uint8Array | mongo.Binary;
  masterKeyId: string;
  createdAt: Date;
}

export const KEY_INDEX = { subject: 'subject', age: 'age' } as const;

/** One subject has one key, or erasure would leave one behind. */
export const SUBJECT_KEYS = new CollectionDefinition<KeyDocument>('subject_keys', [
  { name: KEY_INDEX.subject, key: { subject: 1 }, unique: true },
  { name: 'master_keys', key: { masterKeyId: 1 } },
  { name: KEY_INDEX.age, key: { createdAt: 1 } },
]);

/** Facts about a master key; the key itself is configured, never stored. */
export interface MasterKeyDocument {
  _id: string;
  /** Present while it wraps data keys. */
  usedSince?: Date;
  /** Absent while it wraps data keys. */
  unusedSince?: Date;
  /** From then on no process starts that would write with it. */
  withdrawnAt?: Date;
}

export const MASTER_KEYS = new CollectionDefinition<MasterKeyDocument>('master_keys');
