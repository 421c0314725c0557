/** Reads the arguments of a restore and does it. Callers: ops/restore.ts, and dev/restore.ts, which passes in a local stack. */
import { parseArgs } from 'node:util';
import { BackupFolder } from './backup-folder.ts';
import { runCommand } from './command.ts';
import type { FindBackupKeys, WithPlaces } from './place-types.ts';
import { restore } from './restore.ts';
import { UserError } from './user-error.ts';

const options = {
  from: { type: 'string' },
  'customer-keys': { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  'erase-keyless': { type: 'boolean', default: false },
  local: { type: 'string' },
} as const;

export async function restoreCommand(withPlaces: WithPlaces, findKeys: FindBackupKeys): Promise<void> {
  await runCommand(async (report) => {
    const {
      from,
      local,
      replace,
      'customer-keys': keys,
      'erase-keyless': eraseKeyless,
    } = parseArgs({ options }).values;
    if (from === undefined) throw new UserError('npm run restore -- [--customer-keys] [--replace] --from DIR');
    await withPlaces({ local, whileRunning: false, report }, async (places) => {
      const kind = keys ? 'customer-keys' : 'data';
      await restore(places, kind, new BackupFolder(from, findKeys(local)), { replace, eraseKeyless }, report);
      if (kind === 'data') places.forgetTemporal?.();
    });
    report('Restored. What to check now: docs/operations/backup.md');
  });
}
