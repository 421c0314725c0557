/** Keys of back-ups, new each time. */
import { randomBytes } from 'node:crypto';
import { type KeyRing, parseKeyRing } from '../../platform/keys/key-ring.ts';

export function newBackupKeysText(id = 'test'): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

export function newBackupKeys(): KeyRing {
  return parseKeyRing(newBackupKeysText(), 'BACKUP_KEYS');
}
