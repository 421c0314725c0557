/**
 * `npm run restore`: ops/restore.ts that also restores into the stopped local stack when the environment names no
 * installation. It starts the stack's database and object store for that time; Temporal begins anew. `--local DIR` as
 * for `npm run backup`.
 */
import { restoreCommand } from '../ops/backup/restore-command.ts';
import { findLocalBackupKeys, withLocalPlaces } from './stack/local-places.ts';

await restoreCommand(withLocalPlaces, findLocalBackupKeys);
