/**
 * Restores a back-up into the installation that MONGODB_URI, S3_… and CUSTOMER_KEYS_MONGODB_URI name, while no process
 * of the service runs:
 *
 *     node ops/restore.ts --from DIR                    # documents and objects
 *     node ops/restore.ts --customer-keys --from DIR    # the customers' keys
 *
 * It first checks the whole back-up, and refuses an installation that holds anything; `--replace` deletes that, but
 * keys are added to those that are there. Then it compares what it wrote, and erases the customers again who were
 * erased since. Repeat a killed restore. See docs/operations/backup.md. `npm run restore` also knows the local stack.
 */
import { namedBackupKeys } from './backup/backup-keys.ts';
import { withNamedPlaces } from './backup/places.ts';
import { restoreCommand } from './backup/restore-command.ts';

await restoreCommand(withNamedPlaces, () => namedBackupKeys(process.env));
