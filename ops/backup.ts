/**
 * A back-up of the installation that MONGODB_URI, S3_… and CUSTOMER_KEYS_MONGODB_URI name, while it runs:
 *
 *     node ops/backup.ts --to DIR                    # documents and objects; never the customers' keys
 *     node ops/backup.ts --customer-keys --to DIR    # the keys alone, in a folder that is kept elsewhere
 *     node ops/backup.ts --check DIR                 # reads every byte of one again
 *
 * A killed back-up goes on when the command is repeated. See docs/operations/backup.md. `npm run backup` also knows the
 * local stack.
 */
import { backupCommand } from './backup/backup-command.ts';
import { namedBackupKeys } from './backup/backup-keys.ts';
import { withNamedPlaces } from './backup/places.ts';

await backupCommand(withNamedPlaces, () => namedBackupKeys(process.env));
