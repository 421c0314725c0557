/** The bundle that workers load: the same code from the same sources, and no Node module within. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { tracedBundlePath } from '../../platform/temporal/traced-worker.ts';
import { buildWorkflowBundle, loadWorkflowBundle } from '../../workers/shared/bundle.ts';
import { useWorkflowBundle } from '../support/bundle.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { run } from '../support/run.ts';

const SCRIPT = join(projectRoot, 'workers/build-bundle.ts');
const silent = new DefaultLogger('ERROR', () => {});

describe('The workflow bundle', function () {
  this.timeout(60_000);

  it('has the same checksum each time it is built', async () => {
    const { checksum } = await useWorkflowBundle();
    assert.equal((await buildWorkflowBundle(silent)).checksum, checksum);
  });

  it('is written whole, with its checksum in a file next to it', async () => {
    const path = join(temporaryDirectory('bundle'), 'workflow-bundle.js');
    const told = await run(process.execPath, [SCRIPT, '--out', path]);
    const { checksum, code } = await loadWorkflowBundle(path);
    assert.equal(checksum, (await useWorkflowBundle()).checksum);
    assert.equal(await readFile(`${path}.checksum`, 'utf8'), `${checksum}\n`);
    assert.ok(told.includes(checksum) && code.includes('datasetImport') && !code.includes(projectRoot));
  });

  it('comes with a traced bundle of the same code, or with none', async () => {
    const path = join(temporaryDirectory('bundle'), 'workflow-bundle.js');
    const traced = tracedBundlePath(path);
    const build = () => run(process.execPath, [SCRIPT, '--out', path, '--without-traced']);
    await build();
    await writeFile(traced, 'traced');
    await writeFile(`${traced}.checksum`, 'traced');
    await build();
    assert.equal(await readFile(traced, 'utf8'), 'traced');

    await writeFile(path, `/* other workflows */\n${await readFile(path, 'utf8')}`);
    await build();
    const there = await readdir(dirname(path));
    assert.deepEqual(there.sort(), ['workflow-bundle.js', 'workflow-bundle.js.checksum']);
  });

  it('passes its check', async () => {
    assert.match(await run(process.execPath, [SCRIPT, '--check']), /is sound/);
  });

  for (const module of ['node:fs', 'fs']) {
    it(`is refused when workflow code reaches ${module}, by name`, async () => {
      const folder = temporaryDirectory('impure');
      await mkdir(join(folder, 'workflows'));
      const entry = join(folder, 'workflows/index.ts');
      await writeFile(entry, `import { rmSync } from '${module}';\nexport async function bad() { rmSync('/x'); }\n`);
      await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
      let told = '';
      const logger = new DefaultLogger('ERROR', ({ message }) => {
        told += message;
      });
      const error = await buildWorkflowBundle(logger, { entry }).catch((failure: Error) => failure);
      assert.ok(error instanceof Error);
      assert.ok(`${told}${error.message}`.includes(module));
    });
  }
});
