/**
 * Keeps how long each test file last took, so that the longest start first: a long file that starts last runs alone. A
 * new clone takes the times from usual-times.json, which names the files of 4 s and more.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import type { FileRun } from './lane-process.ts';
import type { Need, TestFile } from './test-files.ts';

const KEPT = join(projectRoot, 'dist/test-times.json');
const USUAL = join(import.meta.dirname, 'usual-times.json');
/** For a file whose time is not known. */
const SECONDS_BY_NEED: Readonly<Record<Need, number>> = { service: 30, servers: 3, processes: 2, quick: 0.5 };

type Seconds = Readonly<Record<string, number>>;

/** Returns how long a file takes: by the given times, else by what it needs. */
export function estimateBy(seconds: Seconds): (file: TestFile) => number {
  return ({ path, need }) => seconds[path] ?? SECONDS_BY_NEED[need];
}

/** The committed times. They are the same in every clone, so a test can rely on them. */
export function readUsualTimes(): Seconds {
  return readTimes(USUAL);
}

/** The times of this clone's own runs. For a file that has not run here, the committed time. */
export function readLastTimes(): Seconds {
  return { ...readTimes(USUAL), ...readTimes(KEPT) };
}

/** Stores the new times. Files that have not run keep their times. */
export function keepTimes(runs: readonly FileRun[]): void {
  const times = { ...readTimes(KEPT), ...Object.fromEntries(runs.map((run) => [run.file, run.wallSeconds])) };
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, JSON.stringify(times));
}

function readTimes(file: string): Seconds {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Seconds;
  } catch {
    return {};
  }
}
