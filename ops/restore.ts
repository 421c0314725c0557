/**
 * Restores what `npm run backup` has made, while no process of the service runs:
 *
 *     npm run restore -- --from DIR                    # documents and objects
 *     npm run restore -- --customer-keys --from DIR    # the customers' keys
 *
 * Checks the back-up whole first, refuses where anything is (`--replace` deletes it; keys are added to those that are there),
 * compares what it wrote, and has customers erased again that were erased since. Goes where MONGODB_URI, S3_… and CUSTOMER_KEYS_MONGODB_URI name; where none is set, into the local stack, whose
 * servers it starts for that time; there Temporal begins anew. Killed, it is called again. See docs/operations/backup.md.
 */
import { parseArgs } from 'node:util';
import { BackupFolder } from './backup/backup-folder.ts';
import { runCommand } from './backup/command.ts';
import { withPlaces } from './backup/places.ts';
import { restore } from './backup/restore.ts';
import { UserError } from './backup/user-error.ts';

const options = {
  from: { type: 'string' },
  'customer-keys': { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  'erase-keyless': { type: 'boolean', default: false },
  local: { type: 'string' },
} as const;

await runCommand(async (report) => {
  const { from, local, replace, 'customer-keys': keys, 'erase-keyless': eraseKeyless } = parseArgs({ options }).values;
  if (from === undefined) throw new UserError('npm run restore -- [--customer-keys] [--replace] --from DIR');
  await withPlaces({ local, whileRunning: false, report }, async (places) => {
    const kind = keys ? 'customer-keys' : 'data';
    await restore(places, kind, new BackupFolder(from), { replace, eraseKeyless }, report);
    if (kind === 'data') places.forgetTemporal?.();
  });
  report('Restored. What to look at now: docs/operations/backup.md');
});
