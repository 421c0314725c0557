/** Distributes test files to lanes until all have run. Caller: main.ts. */
import { FileQueue } from './file-queue.ts';
import { type FileRun, LaneProcess } from './lane-process.ts';
import type { TestFile } from './test-files.ts';

export interface LanesRun {
  readonly runs: readonly FileRun[];
  /** Faults other than failed tests. */
  readonly faults: readonly string[];
}

export interface LaneOptions {
  readonly lanes: number;
  /** How long a file takes, as far as it is known. */
  readonly secondsOf: (file: TestFile) => number;
  /** Variables to add to the environment of every lane. */
  readonly env: Readonly<Record<string, string>>;
}

/** A lane keeps every module and what these remember. With more than this after a file, a new one takes its place. */
const LARGEST_LANE_BYTES = 1_000_000_000;

/**
 * Runs the files and calls `report` with each run as it ends. The last lane begins with files that need only the
 * processor, while the other lanes wait for servers.
 */
export async function runLanes(
  files: readonly TestFile[],
  { lanes, secondsOf, env }: LaneOptions,
  report: (run: FileRun) => void,
): Promise<LanesRun> {
  const queue = new FileQueue(files, secondsOf);
  const runs: FileRun[] = [];
  const faults: string[] = [];
  const end = async (lane: LaneProcess | undefined): Promise<void> => {
    const fault = await lane?.end();
    if (fault) faults.push(fault);
  };
  const work = async (_: unknown, index: number): Promise<void> => {
    let lane: LaneProcess | undefined;
    const prefersProcessor = lanes > 1 && index === lanes - 1;
    for (let file = queue.take(index, prefersProcessor); file; file = queue.take(index, prefersProcessor)) {
      lane ??= new LaneProcess(env);
      const run = await lane.run(file.path);
      runs.push(run);
      report(run);
      if (!lane.isRunning) lane = undefined;
      else if (run.memoryBytes > LARGEST_LANE_BYTES && !queue.isEmpty) {
        await end(lane);
        lane = undefined;
      }
    }
    await end(lane);
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return { runs, faults: [...faults, ...findFaults(files, runs)] };
}

const SERVERS = ['mongod', 'minio', 'temporal'];

/**
 * Finds faults that mocha does not report: a file that did not run, ran no test, or counts as quick and started a
 * server.
 */
function findFaults(files: readonly TestFile[], runs: readonly FileRun[]): string[] {
  const byFile = new Map(runs.map((run) => [run.file, run]));
  const quick = files.filter(({ need }) => need === 'quick').length === files.length;
  return files.flatMap(({ path }) => {
    const run = byFile.get(path);
    if (!run) return [`${path} has not run`];
    const servers = quick ? run.programs.filter((program) => SERVERS.includes(program)) : [];
    if (servers.length > 0) return [`${path} runs among those without servers and started ${servers.join(', ')}`];
    return run.passed + run.failed + run.skipped === 0 ? [`${path} has no test`] : [];
  });
}
