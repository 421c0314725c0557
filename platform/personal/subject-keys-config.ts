/**
 * The settings of processes that make or open data keys. The variables are named after customers, the first subjects; the
 * keys of every kind are in one database. Callers: the areas with personal subjects.
 */
import { z } from 'zod';
import type { StoreBase } from '../area.ts';
import { parseKeyRing } from '../keys/key-ring.ts';
import { SubjectKeys } from './subject-keys.ts';

export const subjectKeysShape = {
  /** The database of the data keys: another than that of the data, and left out of its back-ups. */
  CUSTOMER_KEYS_MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb://'),
  /** Master keys that wrap the data keys: `keyId:base64 of 32 bytes`, comma-separated; the first writes, all read. */
  CUSTOMER_MASTER_KEYS: z.string().transform((text, context) => {
    try {
      return parseKeyRing(text, 'CUSTOMER_MASTER_KEYS');
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  }),
};

/** The process needs rights on `subject_keys`: see the manifest of customers. */
export async function openSubjectKeys(base: Pick<StoreBase, 'readConfig' | 'connectKeys'>): Promise<SubjectKeys> {
  const config = base.readConfig(subjectKeysShape);
  const connection = await base.connectKeys(config.CUSTOMER_KEYS_MONGODB_URI);
  return new SubjectKeys({ connection, masterKeys: config.CUSTOMER_MASTER_KEYS });
}
