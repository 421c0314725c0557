/** Tests the copies of snapshots on a planner's disk, in a folder that several processes share. */
import assert from 'node:assert/strict';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SnapshotLoader } from '../../../../api/journey-planner/snapshot-loader.ts';
import { temporaryDirectory } from '../../../support/folders.ts';
import { silentLog } from '../../support/parcels.ts';

const [NEWEST, OLDER] = ['a'.repeat(64), 'b'.repeat(64)];
const YESTERDAY = new Date(Date.now() - 86_400_000);

describe('Copies of snapshots', () => {
  let directory: string;
  let loader: SnapshotLoader;

  beforeEach(() => {
    directory = temporaryDirectory('copies');
    loader = new SnapshotLoader({ objects: undefined as never, directory, log: silentLog });
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('are removed except the newest, together with old unfinished ones only', async () => {
    const unfinished = `${NEWEST}.snapshot.0b5f4b4e-5a3c-4d0c-8b1f-0d2f6c1f3a11`;
    const leftBehind = `${OLDER}.snapshot.1b5f4b4e-5a3c-4d0c-8b1f-0d2f6c1f3a11`;
    const names = [`${NEWEST}.snapshot`, `${OLDER}.snapshot`, unfinished, leftBehind, 'not ours'];
    for (const name of names) await writeFile(join(directory, name), 'x');
    for (const name of [leftBehind, 'not ours']) await utimes(join(directory, name), YESTERDAY, YESTERDAY);
    await loader.forgetOthers([NEWEST]);
    assert.deepEqual((await readdir(directory)).sort(), [`${NEWEST}.snapshot`, unfinished, 'not ours']);
  });

  it('may remain without a failure of the snapshot', async () => {
    await mkdir(join(directory, `${OLDER}.snapshot`));
    await loader.forgetOthers([NEWEST]);
  });
});
