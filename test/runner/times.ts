/** How long each test file took last time, so that the longest begin first. A clone that has not run them yet goes by what files need. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import type { FileRun } from './lane-process.ts';
import type { Need, TestFile } from './test-files.ts';

const KEPT = join(projectRoot, 'dist/test-times.json');
/** What starts processes waits for them: others run meanwhile. */
const ORDER: readonly Need[] = ['service', 'servers', 'processes', 'quick'];

type Seconds = Readonly<Record<string, number>>;

/** Those that wait for servers first, the longest at the front; those that need the processor alone last, the longest at the end. */
export function inOrder(files: readonly TestFile[]): TestFile[] {
  const seconds = readTimes();
  const rank = ({ path, need }: TestFile): number => (seconds[path] ?? 0) * (need === 'quick' ? 1 : -1);
  return files.toSorted((one, other) => ORDER.indexOf(one.need) - ORDER.indexOf(other.need) || rank(one) - rank(other));
}

/** Files that have not run keep their times. */
export function keepTimes(runs: readonly FileRun[]): void {
  const times = { ...readTimes(), ...Object.fromEntries(runs.map((run) => [run.file, run.wallSeconds])) };
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, JSON.stringify(times));
}

function readTimes(): Seconds {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8')) as Seconds;
  } catch {
    return {};
  }
}
