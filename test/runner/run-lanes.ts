/** Shares test files out to lanes until all have run. Caller: main.ts. */
import { type FileRun, LaneProcess } from './lane-process.ts';
import type { TestFile } from './test-files.ts';

export interface LanesRun {
  readonly runs: readonly FileRun[];
  /** What went wrong beside the files' own tests. */
  readonly faults: readonly string[];
}

export interface LaneOptions {
  readonly lanes: number;
  /** Added to the environment of every lane. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * `report` gets each file's run as it ends. The last lane takes files from the end of the list, where those are that need the processor
 * alone: they run beside those that wait for servers.
 */
export async function runLanes(
  files: readonly TestFile[],
  { lanes, env }: LaneOptions,
  report: (run: FileRun) => void,
): Promise<LanesRun> {
  const queue = [...files];
  const runs: FileRun[] = [];
  const faults: string[] = [];
  const work = async (_: unknown, index: number): Promise<void> => {
    let lane: LaneProcess | undefined;
    while (queue.length > 0) {
      const file = lanes > 1 && index === lanes - 1 ? queue.pop() : queue.shift();
      if (!file) break;
      lane ??= new LaneProcess(env);
      const run = await lane.run(file.path);
      runs.push(run);
      report(run);
      if (!lane.isRunning) lane = undefined;
    }
    const fault = await lane?.end();
    if (fault) faults.push(fault);
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return { runs, faults: [...faults, ...findFaults(files, runs)] };
}

const SERVERS = ['mongod', 'minio', 'temporal'];

/** What would otherwise pass unnoticed: a file that did not run, ran no test, or is taken for quick and started a server. */
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
