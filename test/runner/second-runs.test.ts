/** Failed test files run once more, alone. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { temporaryDirectory } from '../support/folders.ts';
import { type FileRun, LaneProcess } from './lane-process.ts';
import { runFailedAgain } from './second-runs.ts';

describe('a second run of failed test files', () => {
  const folder = temporaryDirectory('second-runs');
  const testFile = (name: string, body: string): string => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, `import { existsSync, writeFileSync } from 'node:fs';\nit('${name}', () => {${body}});\n`);
    return relative(projectRoot, path);
  };
  const SECOND_TIME = `const mark = '${join(folder, 'mark')}';
    if (!existsSync(mark)) { writeFileSync(mark, ''); throw new Error('the first time'); }`;

  async function runOnce(file: string): Promise<FileRun> {
    const lane = new LaneProcess();
    const run = await lane.run(file);
    await lane.end();
    return run;
  }

  it('counts a file that passes alone, and names it', async () => {
    const first = await runOnce(testFile('unsteady', SECOND_TIME));
    assert.equal(first.failed, 1);
    const shown: string[] = [];
    const { runs, unsteady } = await runFailedAgain([first], {}, ({ file }) => shown.push(file));
    assert.deepEqual([runs.map(({ failed, passed }) => [failed, passed]), unsteady], [[[0, 1]], [first]]);
    assert.deepEqual(shown, [first.file]);
  });

  it('leaves a file failed that fails again', async () => {
    const first = await runOnce(testFile('broken', "throw new Error('always')"));
    assert.deepEqual(await runFailedAgain([first], {}, () => undefined), { runs: [first], unsteady: [] });
  });

  it('runs nothing again where nothing failed, or much', async () => {
    const passed = await runOnce(testFile('sound', ''));
    const failed = { ...passed, passed: 0, failed: 1 };
    for (const runs of [[passed], Array.from({ length: 11 }, (_, each) => ({ ...failed, file: `${each}` }))]) {
      const again = await runFailedAgain(runs, {}, () => assert.fail('ran again'));
      assert.deepEqual(again, { runs, unsteady: [] });
    }
  });
});
