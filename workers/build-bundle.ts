/**
 * Builds the workflow bundle, `dist/workflow-bundle.js`, with its checksum in a file next to it, and the bundle for
 * traced workers.
 *
 * `--check` builds to a temporary file and fails when workflow code reaches a Node module. `--out PATH` writes
 * elsewhere. `--without-traced` builds the first alone: a traced bundle of the same code stays, one of other code is
 * removed.
 */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DefaultLogger } from '@temporalio/worker';
import { tracedBundlePath } from '../platform/temporal/traced-worker.ts';
import { buildWorkflowBundle, loadWorkflowBundle } from './shared/bundle.ts';

const DEFAULT_PATH = resolve(import.meta.dirname, '../dist/workflow-bundle.js');

/** Written to a temporary name and renamed, so that a worker that starts at the same time never reads half a bundle. */
async function buildTo(path: string, traced = false): Promise<string> {
  const { code, checksum } = await buildWorkflowBundle(new DefaultLogger('WARN'), { traced });
  await mkdir(dirname(path), { recursive: true });
  if (!traced) await removeOtherTraced(path, checksum);
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, path);
  await writeFile(`${path}.checksum`, `${checksum}\n`);
  return checksum;
}

/**
 * Done first: a stale traced bundle would be taken for one of the same workflows. One of the same code stays, because
 * workers may be using it.
 */
async function removeOtherTraced(path: string, checksum: string): Promise<void> {
  const before = await loadWorkflowBundle(path).catch(() => undefined);
  if (before?.checksum === checksum) return;
  const traced = tracedBundlePath(path);
  for (const each of [traced, `${traced}.checksum`]) await rm(each, { force: true });
}

async function check(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workflow-bundle-'));
  try {
    const path = join(folder, 'workflow-bundle.js');
    const checksum = await buildTo(path);
    if ((await loadWorkflowBundle(path)).checksum !== checksum) throw new Error('The bundle reads back differently');
    await buildTo(tracedBundlePath(path), true);
    return checksum;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    out: { type: 'string', default: DEFAULT_PATH },
    'without-traced': { type: 'boolean' },
  },
});
const checksum = values.check ? await check() : await buildTo(values.out);
if (!values.check && !values['without-traced']) await buildTo(tracedBundlePath(values.out), true);
process.stdout.write(`workflow bundle ${checksum}${values.check ? ' is sound' : ` in ${values.out}`}\n`);
