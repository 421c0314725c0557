/** Reads the arguments of a back-up and makes it. Callers: ops/backup.ts, and dev/backup.ts, which passes in a local stack. */
import { parseArgs } from 'node:util';
import { backUp, checkBackup, describeManifest } from './back-up.ts';
import { BackupFolder } from './backup-folder.ts';
import { runCommand } from './command.ts';

import type { FindBackupKeys, WithPlaces } from './place-types.ts';

import { recordBackup } from './record-backup.ts';

import { UserError } from './user-error.ts';

const options = {
  to: { type: 'string' },
  check: { type: 'string' },
  'customer-keys': { type: 'boolean', default: false },
  local: { type: 'string' },
} as const;

export async function backupCommand(withPlaces: WithPlaces, findKeys: FindBackupKeys): Promise<void> {
  await runCommand(async (report) => {
    const { to, check, local, 'customer-keys': keys } = parseArgs({ options }).values;
    if (check !== undefined) return void (await checkBackup(new BackupFolder(check, findKeys(local)), report));
    if (to === undefined) throw new UserError('npm run backup -- [--customer-keys] --to DIR, or --check DIR');
    const made = await withPlaces({ local, whileRunning: true, mustExist: true, keysAlone: keys, report }, (places) =>
      recordBackup(places, 'create', keys ? 'customer-keys' : 'data', report, () =>
        backUp(places, keys ? 'customer-keys' : 'data', new BackupFolder(to, findKeys(local)), report),
      ),
    );
    report(`${to} holds a back-up: ${describeManifest(made)}`);
  });
}
