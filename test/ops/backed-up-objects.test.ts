/** Which copies of objects a back-up keeps: those that its own run found in the store, whatever the clocks say. */
import assert from 'node:assert/strict';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpObjects } from '../../ops/backup/back-up-objects.ts';
import { eachStored, removeOthers } from '../../ops/backup/stored-object.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { useObjectStore } from '../support/stack.ts';

describe('Objects of a back-up', () => {
  let objects: ObjectStore;
  let folder: string;

  beforeEach(async () => {
    objects = ObjectStore.connect(await useObjectStore());
    folder = temporaryDirectory('backed-up-objects');
    for (const key of ['first', 'second']) await objects.put(key, Buffer.from(key), 'text/plain');
  });
  afterEach(() => objects.close());

  const kept = async () => (await Array.fromAsync(eachStored(folder))).map(({ key }) => key).sort();
  const files = async () => (await readdir(folder, { recursive: true })).filter((name) => name.includes('.'));

  it('stay though the clock of the file server is an hour behind', async () => {
    await backUpObjects(objects, folder, 'run');
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const file of await files()) await utimes(join(folder, file), hourAgo, hourAgo);
    await removeOthers(folder, 'run');
    assert.deepEqual(await kept(), ['first', 'second']);
  });

  it('are not copied again by the run after a killed one, and are removed by it when no longer needed', async () => {
    await backUpObjects(objects, folder, 'killed');
    await objects.delete('first');
    await objects.put('third', Buffer.from('third'), 'text/plain');
    assert.equal(await backUpObjects(objects, folder, 'next'), 1);
    await removeOthers(folder, 'next');
    assert.deepEqual(await kept(), ['second', 'third']);
    assert.equal((await files()).length, 4);
  });

  it('stay where the store lost them after this run had found them: its documents may name them', async () => {
    await backUpObjects(objects, folder, 'run');
    await objects.delete('first');
    assert.equal(await backUpObjects(objects, folder, 'run'), 0);
    await removeOthers(folder, 'run');
    assert.deepEqual(await kept(), ['first', 'second']);
  });
});
