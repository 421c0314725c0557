/**
 * Controls a lane from the runner: starts its process, sends it files, and notices an early end. Caller: run-lanes.ts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FileResult, LaneTask } from './messages.ts';
import { listTree, sumSeconds } from './processor-time.ts';

/** A file's run as the runner reports it. */
export interface FileRun extends FileResult {
  readonly file: string;
  readonly wallSeconds: number;
  /** Processor time of the lane and of every process that the file started. */
  readonly processorSeconds: number;
  /** Output of the file's tests and processes. */
  readonly output: string;
  /** Programs that ran below the lane meanwhile, sampled every half second. */
  readonly programs: readonly string[];
}

const LOOK_MS = 500;
/**
 * A young generation that starts small is collected often, for a tenth of the quick run's processor time. Flags that change
 * compiled code, as `--initial-heap-size`, would keep lanes from the code that other processes have compiled.
 */
const HEAP_FLAGS = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

export class LaneProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#child = fork(join(import.meta.dirname, 'lane.ts'), {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: HEAP_FLAGS,
      env: { ...process.env, ...env },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    this.#ended = once(this.#child, 'exit');
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Runs the file to its end. A lane that dies meanwhile counts as a failed run. */
  async run(file: string): Promise<FileRun> {
    const pid = this.#child.pid ?? 0;
    const before = { at: performance.now(), seconds: sumSeconds(listTree(pid)) };
    this.#output = '';
    const programs = new Set<string>();
    const recordPrograms = () => listTree(pid).forEach((row) => void programs.add(row.program));
    const looking = setInterval(recordPrograms, LOOK_MS);
    const answer = once(this.#child, 'message') as Promise<[FileResult]>;
    this.#send({ file });
    const result = await Promise.race([answer.then(([first]) => first), this.#ended.then(() => this.#lost())]);
    clearInterval(looking);
    recordPrograms();
    return {
      ...result,
      file,
      wallSeconds: (performance.now() - before.at) / 1_000,
      processorSeconds: Math.max(0, sumSeconds(listTree(pid)) - before.seconds),
      output: this.#output,
      programs: [...programs],
    };
  }

  /** Ends the process and its children. Returns a fault when it did not end properly. */
  async end(): Promise<string | undefined> {
    this.#output = '';
    if (this.isRunning) this.#send({ file: undefined });
    await this.#ended;
    const { exitCode, signalCode } = this.#child;
    return exitCode === 0 ? undefined : `A lane ended with ${exitCode ?? signalCode}.\n${this.#output}`;
  }

  #send(task: LaneTask): void {
    this.#child.send(task);
  }

  #lost(): FileResult {
    const { exitCode, signalCode } = this.#child;
    const failures = `  The process that ran the file ended with ${exitCode ?? signalCode} before the file's end.`;
    return { passed: 0, failed: 1, skipped: 0, text: '', failures, memoryBytes: 0 };
  }
}
