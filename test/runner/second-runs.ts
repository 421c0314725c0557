/**
 * Runs failed files once more, alone. A file that passes then fails only beside others, or now and then: the run names it as
 * unsteady with its first failure, so that it is mended, and does not fail. Caller: main.ts.
 */
import { type FileRun, LaneProcess } from './lane-process.ts';

export interface SecondRuns {
  /** Of each file, the run that counts. */
  readonly runs: readonly FileRun[];
  /** The first runs of files that passed alone. */
  readonly unsteady: readonly FileRun[];
}

/** More failed files than this have a cause of their own. */
const MOST_FILES = 10;

export async function runFailedAgain(
  runs: readonly FileRun[],
  env: Readonly<Record<string, string>>,
  report: (run: FileRun) => void,
): Promise<SecondRuns> {
  const failed = runs.filter((run) => run.failed > 0);
  if (failed.length > MOST_FILES) return { runs, unsteady: [] };
  const unsteady: FileRun[] = [];
  const counted = new Map(runs.map((run) => [run.file, run]));
  for (const first of failed) {
    const lane = new LaneProcess(env);
    const second = await lane.run(first.file);
    await lane.end();
    report(second);
    if (second.failed > 0 || second.passed === 0) continue;
    unsteady.push(first);
    counted.set(first.file, second);
  }
  return { runs: [...counted.values()], unsteady };
}
