/** Records back-ups and restores in the audit log of the installation. Callers: the commands of back-ups. */
import { AuditLog } from '../../activities/audit/audit-log.ts';
import { createLog } from '../../platform/log.ts';
import { connectForRestore } from '../../platform/mongo/mongo.ts';
import { commandOf } from '../audited-command.ts';
import type { Report } from './back-up.ts';
import type { BackupKind } from './manifest.ts';
import type { Places } from './place-types.ts';
import { UserError } from './user-error.ts';

/**
 * A back-up or restore that cannot be recorded does not happen. Only a back-up of the keys may do without AUDIT_KEYS,
 * as its environment may name the keys alone; the report then says that it is not recorded.
 */
export async function recordBackup<Result>(
  places: Places,
  verb: 'create' | 'restore',
  kind: BackupKind,
  report: Report,
  act: () => Promise<Result>,
): Promise<Result> {
  const { auditKeys: keys } = places;
  if (!keys) {
    if (verb === 'restore' || kind === 'data') throw missingKeys();
    report('not recorded in the audit log: AUDIT_KEYS is not set');
    return await act();
  }
  const connection = await connectForRestore(places.mongodbUri);
  try {
    const auditLog = new AuditLog({ connection, keys, log: createLog({ level: 'silent', name: 'backup' }) });
    const command = commandOf(verb === 'create' ? 'backup' : 'restore');
    return await auditLog.record({ ...command, action: `backup.${verb}`, resource: { type: 'backup', id: kind } }, act);
  } finally {
    await connection.close();
  }
}

/** For a restore, before it changes anything. Throws UserError. */
export function requireAuditKeys({ auditKeys }: Places): void {
  if (!auditKeys) throw missingKeys();
}

function missingKeys(): UserError {
  return new UserError(
    'Nothing was done: set AUDIT_KEYS, the keys of the audit log, which records each back-up and restore ' +
      '(docs/operations/audit-log.md)',
  );
}
