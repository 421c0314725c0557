/** Runs rounds of fuzzing in a thread and supervises it: time of each round, memory, failures. */
import { Worker } from 'node:worker_threads';
import type { FuzzMessage, FuzzOptions, FuzzTally } from './fuzz-thread.ts';

export interface FuzzFailure {
  readonly round: number;
  readonly error: string;
  /** The document that failed; empty for a hang, which the number of the round reproduces. */
  readonly xml: string;
}

export interface FuzzOutcome {
  readonly failures: readonly FuzzFailure[];
  readonly tally: FuzzTally | undefined;
  readonly slowest: { readonly round: number; readonly ms: number };
  /** Resident size of the process at each tenth of the rounds, in millions of bytes. */
  readonly megabytes: readonly number[];
}

/** Longest time for a file. */
const HANG_MS = 15_000;
/** Compiling a schema takes seconds, which must not count against the round that needs it first. */
const COMPILE_MS = 180_000;

export function fuzz(options: FuzzOptions, report: (line: string) => void = () => undefined): Promise<FuzzOutcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./fuzz-thread.ts', import.meta.url), { workerData: options });
    const failures: FuzzFailure[] = [];
    const megabytes: number[] = [];
    let slowest = { round: -1, ms: 0 };
    let current = { round: -1, startedAt: performance.now(), where: 'reading the samples' };
    let timer: NodeJS.Timeout | undefined;

    const end = (tally: FuzzTally | undefined): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve({ failures, tally, slowest, megabytes });
    };
    const watch = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        failures.push({ round: current.round, error: `No end after ${ms} ms: ${current.where}`, xml: '' });
        end(undefined);
      }, ms);
    };
    const endRound = (): void => {
      const ms = performance.now() - current.startedAt;
      if (current.round >= 0 && ms > slowest.ms) slowest = { round: current.round, ms };
    };
    worker.on('message', (message: FuzzMessage) => {
      if (message.type === 'compiling') watch(COMPILE_MS);
      else if (message.type === 'compiled') {
        current = { ...current, startedAt: performance.now() };
        watch(HANG_MS);
      } else if (message.type === 'failed') {
        failures.push(message);
        report(`round ${message.round}: ${message.error}`);
      } else if (message.type === 'done') {
        endRound();
        end(message.tally);
      } else {
        endRound();
        current = { round: message.round, startedAt: performance.now(), where: `${message.sample} ${message.file}` };
        const done = message.round - options.firstRound;
        if (done % Math.max(1, Math.floor(options.rounds / 10)) === 0) {
          megabytes.push(Math.round(process.memoryUsage().rss / 1e6));
          report(`${done} rounds, ${megabytes.at(-1)} MB`);
        }
        watch(HANG_MS);
      }
    });
    worker.on('error', (error) => {
      failures.push({ round: current.round, error: `The thread broke off: ${error.stack ?? error.message}`, xml: '' });
      end(undefined);
    });
    worker.on('messageerror', reject);
    watch(COMPILE_MS);
  });
}
