/**
 * Runs the tests: `node test/runner/main.ts [--quick] [--lanes N] [--times FILE] [FILE|FOLDER]…`. Files run side by side in lanes, which are
 * processes of their own. `--quick` runs what starts no server and no other program. `--times` writes every file's times as JSON.
 *
 * Fails when a test fails, a file has not run or has no test, or a lane does not end by itself.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { BUNDLE_VARIABLE, buildBundle } from '../support/bundle.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { listTree, sumSeconds } from './processor-time.ts';
import { runLanes } from './run-lanes.ts';
import { showEnd, showFile } from './summary.ts';
import { listTestFiles } from './test-files.ts';
import { inOrder, keepTimes } from './times.ts';

const QUICK_ORACLE_TRIALS = '300';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    lanes: { type: 'string' },
    times: { type: 'string' },
  },
});
const files = inOrder(listTestFiles(positionals).filter(({ need }) => !values.quick || need === 'quick'));
// Tests that use servers mostly wait: one lane more than cores keeps these busy.
const lanes = Number(values.lanes ?? availableParallelism() + (values.quick ? 0 : 1));
const startedAt = performance.now();
const folder = temporaryDirectory('run');
const env = {
  // The quick run serves while one works; the full run compares the search with its oracle on every network.
  ...(values.quick && { ORACLE_TRIALS: process.env.ORACLE_TRIALS ?? QUICK_ORACLE_TRIALS }),
  // What one process has compiled the others need not: half of what it costs to start one.
  NODE_COMPILE_CACHE: join(projectRoot, 'dist/compiled'),
  ...(files.some(({ need }) => need !== 'quick') && { [BUNDLE_VARIABLE]: await buildBundle(folder) }),
};
const result = await runLanes(files, { lanes, env }, (run) => console.log(showFile(run)));
const times = {
  wallSeconds: (performance.now() - startedAt) / 1_000,
  processorSeconds: sumSeconds(listTree(process.pid)),
};
keepTimes(result.runs);
if (values.times) writeFileSync(values.times, JSON.stringify({ ...times, files: result.runs.map(pickTimes) }, null, 2));
console.log(showEnd(result, times));
process.exitCode = result.faults.length > 0 || result.runs.some(({ failed }) => failed > 0) ? 1 : 0;

function pickTimes(run: (typeof result.runs)[number]) {
  return { file: run.file, wallSeconds: run.wallSeconds, processorSeconds: run.processorSeconds };
}
