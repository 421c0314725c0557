/** The collection of data keys. Imports no driver: manifests name it. */
import type { mongo } from 'mongoose';
import { CollectionDefinition } from '../mongo/collection.ts';
import type { SubjectId } from './subject-id.ts';

export interface KeyDocument {
  _id: string;
  subject: SubjectId;
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
