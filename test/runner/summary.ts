/** Prints each file of the test runner as it ends, and the summary of the run. */
import type { FileRun } from './lane-process.ts';
import type { LanesRun } from './run-lanes.ts';
import type { SecondRuns } from './second-runs.ts';

const LISTED_FILES = 10;
/** Names files that take a larger share of the run's processor time. */
const LARGEST_SHARE = 0.1;

export function showFile(run: FileRun): string {
  const time = `${run.wallSeconds.toFixed(1)} s, ${run.processorSeconds.toFixed(1)} s of processor time`;
  const parts = [`${run.file} (${time})`, run.text, run.output.trimEnd(), run.failures];
  return parts.filter((part) => part !== '').join('\n');
}

export interface RunTimes {
  readonly wallSeconds: number;
  readonly processorSeconds: number;
}

/** Prints the summary, with the counts in mocha's words at the end. */
export function showEnd({ runs, faults, unsteady }: LanesRun & SecondRuns, times: RunTimes): string {
  const failures = runs.filter(({ failed }) => failed > 0).map(({ file, failures }) => `${file}\n${failures}`);
  const count = (key: 'passed' | 'failed' | 'skipped'): number => runs.reduce((sum, run) => sum + run[key], 0);
  return [
    ...failures,
    ...showSlowest(runs, times),
    ...unsteady.map((run) => `\nUNSTEADY: ${run.file} failed beside others and passed alone\n${run.failures}`),
    ...faults.map((fault) => `\nFAULT: ${fault}`),
    `\n  ${count('passed')} passing (${Math.round(times.wallSeconds)}s, ${Math.round(times.processorSeconds)}s of processor time)`,
    `  ${count('skipped')} pending`,
    `  ${count('failed') + faults.length} failing\n`,
  ].join('\n');
}

function showSlowest(runs: readonly FileRun[], times: RunTimes): string[] {
  const share = (run: FileRun): number => run.processorSeconds / Math.max(times.processorSeconds, 0.01);
  const slowest = [...runs].sort((one, other) => other.wallSeconds - one.wallSeconds).slice(0, LISTED_FILES);
  const greedy = runs.length > LISTED_FILES ? runs.filter((run) => share(run) > LARGEST_SHARE) : [];
  return [
    `\nSlowest ${slowest.length} files: seconds, processor seconds, share of the run's processor time`,
    ...slowest.map((run) => {
      const [wall, processor] = [run.wallSeconds, run.processorSeconds].map((each) => each.toFixed(1).padStart(8));
      return `${wall} ${processor} ${`${Math.round(share(run) * 100)} %`.padStart(6)}  ${run.file}`;
    }),
    ...greedy.map((run) => `WARNING: ${run.file} takes more than a tenth of the run's processor time`),
  ];
}
