/**
 * Makes one planner snapshot in a thread of its own. Caller: the activity buildSnapshot. What the thread reads are local
 * files and memory, so whatever fails in it fails again: a SnapshotThreadError, which retrying does not cure.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SnapshotJob, SnapshotThreadMessage } from './planner-build-thread-messages.ts';
import type { ImportProgress } from './planner-import/import-types.ts';

export class SnapshotThreadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SnapshotThreadError';
  }
}

export type SnapshotInMemory = Omit<Extract<SnapshotThreadMessage, { type: 'built' }>, 'type'>;

/** Throws SnapshotThreadError, or the signal's reason; the thread has ended by then. */
export async function buildInThread(
  job: SnapshotJob,
  signal: AbortSignal,
  onProgress: (progress: ImportProgress) => void,
): Promise<SnapshotInMemory> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./planner-build-worker.ts', import.meta.url), { workerData: job });
  const stop = () => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  let outcome: SnapshotThreadMessage | undefined;
  thread.on('message', (message: SnapshotThreadMessage) => {
    if (message.type === 'progress') onProgress(message);
    else outcome = message;
  });
  thread.on('error', (error) => {
    outcome ??= { type: 'failed', message: `${error.name}: ${error.message}` };
  });
  await once(thread, 'exit');
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (outcome?.type === 'built') return outcome;
  throw new SnapshotThreadError(outcome?.type === 'failed' ? outcome.message : 'The thread ended without a word');
}
