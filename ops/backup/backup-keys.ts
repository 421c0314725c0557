/**
 * The keys that seal back-ups: `BACKUP_KEYS`, the first writes and all read. Callers: the commands; the folder of a back-up.
 *
 * Each back-up has a key of its own, derived from one of these and its id: a file of another back-up does not open.
 */
import { hkdfSync } from 'node:crypto';
import type { Environment } from '../../platform/config.ts';
import { type KeyRing, parseKeyRing } from '../../platform/keys/key-ring.ts';
import { UserError } from './user-error.ts';

const KEY_BYTES = 32;

export function namedBackupKeys({ BACKUP_KEYS }: Environment): KeyRing {
  if (!BACKUP_KEYS) {
    throw new UserError('Nothing was done: set BACKUP_KEYS, the keys that seal back-ups (docs/operations/backup.md)');
  }
  try {
    return parseKeyRing(BACKUP_KEYS, 'BACKUP_KEYS');
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : 'BACKUP_KEYS is malformed');
  }
}

/** Throws UserError for an id that is not configured. */
export function keyOfBackup({ keys }: KeyRing, keyId: string, backupId: string): Uint8Array {
  const key = keys.get(keyId);
  if (!key) {
    throw new UserError(
      `The back-up is sealed with the key ${keyId}, which BACKUP_KEYS does not have: it is of another installation, or the key ` +
        'was removed',
    );
  }
  return new Uint8Array(hkdfSync('sha256', key, backupId, 'samferd back-up', KEY_BYTES));
}
