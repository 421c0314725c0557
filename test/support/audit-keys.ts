/** Keys of audit logs, new each time. */
import { randomBytes } from 'node:crypto';
import { type KeyRing, parseKeyRing } from '../../platform/keys/key-ring.ts';

export function newAuditKeysText(): string {
  return `test:${randomBytes(32).toString('base64')}`;
}

export function newAuditKeys(): KeyRing {
  return parseKeyRing(newAuditKeysText(), 'AUDIT_KEYS');
}
