/**
 * The bundle that workers load: the same sources give the same code, without Node modules. `npm run check` builds it with
 * `--check`.
 */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { tracedBundlePath } from '../../platform/temporal/traced-worker.ts';
import { buildWorkflowBundle, loadWorkflowBundle } from '../../workers/shared/bundle.ts';
import { useBundleFile } from '../support/bundle.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { run } from '../support/run.ts';

const SCRIPT = join(projectRoot, 'workers/build-bundle.ts');

describe('the workflow bundle', () => {
  it('is written completely, with its checksum in a second file', async () => {
    const path = await useBundleFile();
    const { checksum, code } = await loadWorkflowBundle(path);
    assert.equal(await readFile(`${path}.checksum`, 'utf8'), `${checksum}\n`);
    assert.ok(code.includes('datasetImport') && !code.includes(projectRoot));
  });

  it('has the same checksum each time it is built, and a traced bundle of the same code or none', async () => {
    const path = join(temporaryDirectory('bundle'), 'workflow-bundle.js');
    const traced = tracedBundlePath(path);
    const { checksum } = await loadWorkflowBundle(await useBundleFile());
    const build = () => run(process.execPath, [SCRIPT, '--out', path, '--without-traced']);
    await copyFile(await useBundleFile(), path);
    await writeFile(traced, 'traced');
    await writeFile(`${traced}.checksum`, 'traced');
    assert.ok((await build()).includes(checksum));
    assert.equal((await loadWorkflowBundle(path)).checksum, checksum);
    assert.equal(await readFile(traced, 'utf8'), 'traced');

    await writeFile(path, `/* other workflows */\n${await readFile(path, 'utf8')}`);
    assert.ok((await build()).includes(checksum));
    const there = await readdir(dirname(path));
    assert.deepEqual(there.sort(), ['workflow-bundle.js', 'workflow-bundle.js.checksum']);
  });

  for (const module of ['node:fs', 'fs']) {
    it(`is refused, with the module's name, when workflow code imports ${module}`, async () => {
      const folder = temporaryDirectory('impure');
      await mkdir(join(folder, 'workflows'));
      const entry = join(folder, 'workflows/index.ts');
      await writeFile(entry, `import { rmSync } from '${module}';\nexport async function bad() { rmSync('/x'); }\n`);
      await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
      let output = '';
      const logger = new DefaultLogger('ERROR', ({ message }) => {
        output += message;
      });
      const error = await buildWorkflowBundle(logger, { entry }).catch((failure: Error) => failure);
      assert.ok(error instanceof Error);
      assert.ok(`${output}${error.message}`.includes(module));
    });
  }
});
