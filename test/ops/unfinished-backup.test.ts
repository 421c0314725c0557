/** An unfinished back-up is continued only where this installation began it, with the key that writes now. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import { UserError } from '../../ops/backup/user-error.ts';
import { parseKeyRing } from '../../platform/keys/key-ring.ts';
import { newBackupKeys, newBackupKeysText } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';

describe('An unfinished back-up', () => {
  const oldKey = newBackupKeysText('old');
  const newKey = newBackupKeysText('new');
  const ring = (...keys: string[]) => parseKeyRing(keys.join(','), 'BACKUP_KEYS');
  let path: string;

  beforeEach(async () => {
    path = temporaryDirectory('unfinished-backup');
    await new BackupFolder(path, ring(oldKey)).begin('data');
  });

  const begun = async () => JSON.parse(await readFile(join(path, 'unfinished.json'), 'utf8')) as Record<string, string>;

  it('is continued under its own id', async () => {
    const { id } = await begun();
    await new BackupFolder(path, ring(oldKey)).begin('data');
    assert.equal((await begun()).id, id);
  });

  it('is refused when another key writes now', async () => {
    await assert.rejects(new BackupFolder(path, ring(newKey, oldKey)).begin('data'), UserError);
    await assert.rejects(new BackupFolder(path, newBackupKeys()).begin('data'), UserError);
  });

  it('is refused when it names another key, id or kind than it was begun with', async () => {
    const own = await begun();
    for (const [changed, keys, kind] of [
      [{ keyId: 'new' }, ring(newKey, oldKey), 'data'],
      [{ id: '7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11' }, ring(oldKey), 'data'],
      [{ kind: 'customer-keys' }, ring(oldKey), 'customer-keys'],
      [{ sealed: undefined }, ring(oldKey), 'data'],
    ] as const) {
      await writeFile(join(path, 'unfinished.json'), JSON.stringify({ ...own, ...changed }));
      await assert.rejects(new BackupFolder(path, keys).begin(kind), UserError, JSON.stringify(changed));
    }
  });
});
