/**
 * Runs the tests: `node test/runner/main.ts [--quick] [--lanes N] [--times FILE] [FILE|FOLDER]…`. Files run in parallel
 * lanes, which are separate processes. `--quick` runs the files that start no server and no other program. `--times`
 * writes every file's times as JSON.
 *
 * Fails when a test fails twice, a file has not run or has no test, or a lane does not end by itself.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { temporaryDirectory } from '../support/folders.ts';
import { run as runCommand } from '../support/run.ts';
import type { FileRun } from './lane-process.ts';
import { listTree, sumSeconds } from './processor-time.ts';
import { runLanes } from './run-lanes.ts';
import { compileMissingSchemas } from './schema-images.ts';
import { runFailedAgain } from './second-runs.ts';
import { showEnd, showFile } from './summary.ts';
import { listTestFiles } from './test-files.ts';
import { estimateBy, keepTimes, readLastTimes } from './times.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    lanes: { type: 'string' },
    times: { type: 'string' },
  },
});
const files = listTestFiles(positionals).filter(({ need }) => !values.quick || need === 'quick');
// Tests wait for timers and servers, so more lanes than cores keep the cores busy.
const lanes = Number(values.lanes ?? availableParallelism() + (values.quick ? 1 : 2));
const startedAt = performance.now();
const folder = temporaryDirectory('run');
// Lanes share compiled code, which halves the cost of starting a process.
const NODE_COMPILE_CACHE = join(projectRoot, 'dist/compiled');
const usesServers = files.some(({ need }) => need !== 'quick');
const bundle = usesServers ? await prepareServers() : {};
const env = {
  NODE_COMPILE_CACHE,
  ...bundle,
};
const secondsOf = estimateBy(readLastTimes());
const report = (run: FileRun): void => console.log(showFile(run));
const first = await runLanes(files, { lanes, secondsOf, env }, report);
const result = { ...first, ...(await runFailedAgain(first.runs, env, report)) };
const times = {
  wallSeconds: (performance.now() - startedAt) / 1_000,
  processorSeconds: sumSeconds(listTree(process.pid)),
};
keepTimes(result.runs);
if (values.times) writeFileSync(values.times, JSON.stringify({ ...times, files: result.runs.map(pickTimes) }, null, 2));
console.log(showEnd(result, times));
process.exitCode = result.faults.length > 0 || result.runs.some(({ failed }) => failed > 0) ? 1 : 0;

/** The module of the bundle loads Temporal, which the quick run does not need. */
async function prepareServers(): Promise<Readonly<Record<string, string>>> {
  const { BUNDLE_VARIABLE, buildBundle } = await import('../support/bundle.ts');
  const [bundle] = await Promise.all([buildBundle(folder), compileProcesses(), compileMissingSchemas()]);
  return { [BUNDLE_VARIABLE]: bundle };
}

async function compileProcesses(): Promise<void> {
  await runCommand(process.execPath, [join(import.meta.dirname, 'compile-processes.ts')], { NODE_COMPILE_CACHE });
}

function pickTimes(run: (typeof result.runs)[number]) {
  return { file: run.file, wallSeconds: run.wallSeconds, processorSeconds: run.processorSeconds };
}
