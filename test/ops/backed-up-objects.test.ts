/**
 * Checks which copies of objects a back-up keeps: those that its own run found in the store, even when clocks differ.
 */
import assert from 'node:assert/strict';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpObjects } from '../../ops/backup/back-up-objects.ts';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import { eachStored, removeOthers } from '../../ops/backup/stored-object.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { newBackupKeys } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { useObjectStore } from '../support/stack.ts';

describe('Objects of a back-up', () => {
  let objects: ObjectStore;
  let folder: BackupFolder;

  beforeEach(async () => {
    objects = ObjectStore.connect(await useObjectStore());
    folder = new BackupFolder(temporaryDirectory('backed-up-objects'), newBackupKeys());
    await folder.begin('data');
    for (const key of ['first', 'second']) await objects.put(key, Buffer.from(key), 'text/plain');
  });
  afterEach(() => objects.close());

  const kept = async () => (await Array.fromAsync(eachStored(folder))).map(({ key }) => key).sort();
  const files = async () => (await readdir(folder.objects, { recursive: true })).filter((name) => name.includes('.'));

  it('remain when the clock of the file server is an hour behind', async () => {
    await backUpObjects(objects, folder, 'run');
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const file of await files()) await utimes(join(folder.objects, file), hourAgo, hourAgo);
    await removeOthers(folder, 'run');
    assert.deepEqual(await kept(), ['first', 'second']);
  });

  it('are not copied again after a killed run, and are removed when no longer needed', async () => {
    await backUpObjects(objects, folder, 'killed');
    await objects.delete('first');
    await objects.put('third', Buffer.from('third'), 'text/plain');
    assert.equal(await backUpObjects(objects, folder, 'next'), 1);
    await removeOthers(folder, 'next');
    assert.deepEqual(await kept(), ['second', 'third']);
    assert.equal((await files()).length, 4);
  });

  it('remain when the store loses them after this run found them: its documents may name them', async () => {
    await backUpObjects(objects, folder, 'run');
    await objects.delete('first');
    assert.equal(await backUpObjects(objects, folder, 'run'), 0);
    await removeOthers(folder, 'run');
    assert.deepEqual(await kept(), ['first', 'second']);
  });
});
