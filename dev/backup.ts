/**
 * `npm run backup`: ops/backup.ts that also backs the local stack up when the environment names no installation,
 * whether the stack runs or not. `--local DIR` for a stack that keeps its state elsewhere, or has a server of the
 * user's.
 */
import { backupCommand } from '../ops/backup/backup-command.ts';
import { findLocalBackupKeys, withLocalPlaces } from './stack/local-places.ts';

await backupCommand(withLocalPlaces, findLocalBackupKeys);
