/**
 * A back-up of the service, while it runs:
 *
 *     npm run backup -- --to DIR                    # documents and objects; never the customers' keys
 *     npm run backup -- --customer-keys --to DIR    # those alone, in a folder that is kept elsewhere
 *     npm run backup -- --check DIR                 # reads every byte of one again
 *
 * Of what MONGODB_URI, S3_… and CUSTOMER_KEYS_MONGODB_URI name; where none is set, of the local stack (`--local DIR` for one that keeps its
 * state elsewhere, or has a server of the user's), also when that does not run. Killed, it goes on when it is called again. See docs/operations/backup.md.
 */
import { parseArgs } from 'node:util';
import { backUp, checkBackup, describeManifest } from './backup/back-up.ts';
import { BackupFolder } from './backup/backup-folder.ts';
import { runCommand } from './backup/command.ts';
import { withPlaces } from './backup/places.ts';
import { UserError } from './backup/user-error.ts';

const options = {
  to: { type: 'string' },
  check: { type: 'string' },
  'customer-keys': { type: 'boolean', default: false },
  local: { type: 'string' },
} as const;

await runCommand(async (report) => {
  const { to, check, local, 'customer-keys': keys } = parseArgs({ options }).values;
  if (check !== undefined) return void (await checkBackup(new BackupFolder(check), report));
  if (to === undefined) throw new UserError('npm run backup -- [--customer-keys] --to DIR, or --check DIR');
  const made = await withPlaces({ local, whileRunning: true, report }, (places) =>
    backUp(places, keys ? 'customer-keys' : 'data', new BackupFolder(to), report),
  );
  report(`${to} holds a back-up: ${describeManifest(made)}`);
});
