/**
 * Folders of planner builds must be removed when the build ends or a killed worker is replaced, but never while their
 * process runs.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { folderPrefix, removeDeadBuildFolders, withBuildFolder } from '../../../activities/timetable/build-folder.ts';

const HOST = hostname().replace(/[^A-Za-z0-9.-]/g, '_');
const DAY_MS = 24 * 3_600_000;

describe('Folders of planner builds', () => {
  const made: string[] = [];

  async function folder(prefix: string, ageMs = 0): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), prefix));
    made.push(path);
    await writeFile(join(path, 'archive.zip'), 'x');
    const at = new Date(Date.now() - ageMs);
    await utimes(path, at, at);
    return path;
  }

  afterEach(async () => {
    await Promise.all(made.splice(0).map((path) => rm(path, { recursive: true, force: true })));
  });

  it('are removed when the build ends, also with an error', async () => {
    let path = '';
    const failing = withBuildFolder(async (given) => {
      path = given;
      assert.ok(existsSync(path));
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.equal(existsSync(path), false);
  });

  it('of a killed process are removed, and of a living one kept', async () => {
    const other = spawn('sleep', ['60']);
    const { pid = 0 } = other;
    const theirs = await folder(folderPrefix({ host: HOST, pid, run: 'aaaaaaaa' }));
    const elsewhere = await folder(folderPrefix({ host: 'elsewhere', pid, run: 'aaaaaaaa' }));
    await removeDeadBuildFolders();
    assert.ok(existsSync(theirs));
    other.kill('SIGKILL');
    await once(other, 'exit');
    assert.ok((await removeDeadBuildFolders()).includes(basename(theirs)));
    assert.deepEqual([existsSync(theirs), existsSync(elsewhere)], [false, true]);
  });

  it('of an earlier process with the same process id are removed, its own are not', async () => {
    const own = await folder(folderPrefix());
    const before = await folder(folderPrefix({ host: HOST, pid: process.pid, run: 'bbbbbbbb' }));
    await removeDeadBuildFolders();
    assert.deepEqual([existsSync(own), existsSync(before)], [true, false]);
  });

  it('of other hosts are kept for a day', async () => {
    const paths = [
      await folder(folderPrefix({ host: 'elsewhere', pid: 1, run: 'cccccccc' }), DAY_MS + 1_000),
      await folder('samferd-planner-build-', DAY_MS + 1_000),
      await folder('samferd-planner-build-', DAY_MS - 60_000),
    ];
    await removeDeadBuildFolders();
    assert.deepEqual(paths.map(existsSync), [false, false, true]);
  });
});
