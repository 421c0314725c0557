/**
 * Makes one planner snapshot in a thread of its own. Caller: the activity buildSnapshot. The thread reads only local
 * files and memory, so every failure would repeat: it is a SnapshotThreadError, which is not retried. When one dataset
 * is at fault it is an UnreadableDatasetsError: without that dataset the snapshot can be made.
 */
import { Worker } from 'node:worker_threads';
import type { SnapshotJob, SnapshotThreadMessage, UnreadableDataset } from './planner-build-thread-messages.ts';
import type { ImportProgress } from './planner-import/import-types.ts';

export class SnapshotThreadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SnapshotThreadError';
  }
}

export class UnreadableDatasetsError extends Error {
  readonly datasets: readonly UnreadableDataset[];
  constructor(datasets: readonly UnreadableDataset[]) {
    super(datasets.map(({ message }) => message).join('; '));
    this.name = 'UnreadableDatasetsError';
    this.datasets = datasets;
  }
}

export interface ThreadLimits {
  readonly longestMs?: number;
  /** Limit of the heap, without typed arrays; undefined: Node's default. */
  readonly heapMegabytes?: number;
}

/** A country takes a minute or two; a build that takes this long will not end. */
const LONGEST_MS = 45 * 60_000;

export type SnapshotInMemory = Omit<Extract<SnapshotThreadMessage, { type: 'built' }>, 'type'>;

/** Throws SnapshotThreadError, UnreadableDatasetsError, or the signal's reason; the thread has ended by then. */
export async function buildInThread(
  job: SnapshotJob,
  signal: AbortSignal,
  onProgress: (progress: ImportProgress) => void,
  { longestMs = LONGEST_MS, heapMegabytes }: ThreadLimits = {},
): Promise<SnapshotInMemory> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./planner-build-worker.ts', import.meta.url), {
    workerData: job,
    ...(heapMegabytes !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
  });
  let outcome: SnapshotThreadMessage | undefined;
  const fail = (message: string): void => {
    outcome ??= { type: 'failed', message };
  };
  const stop = () => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => {
    fail(`The build took longer than ${longestMs} ms`);
    stop();
  }, longestMs);
  thread.on('message', (message: SnapshotThreadMessage) => {
    if (message.type === 'progress') onProgress(message);
    else outcome ??= message;
  });
  thread.on('error', (error) => fail(`${error.name}: ${error.message}`));
  // Not `once` of node:events: it rejects with the thread's error, which does not say whether a retry helps.
  await new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (outcome?.type === 'built') return outcome;
  if (outcome?.type === 'unreadable') throw new UnreadableDatasetsError(outcome.datasets);
  throw new SnapshotThreadError(outcome?.type === 'failed' ? outcome.message : 'The thread ended without a word');
}
