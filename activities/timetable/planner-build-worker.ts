/**
 * Runs in a thread: makes one planner snapshot from local copies of the published archives, then ends. In the main
 * thread, reading and sorting a country's timetable would block the event loop and its heartbeats for seconds. Only
 * planner-build-thread.ts starts it.
 */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { openArchive, openFileRangeReader } from '../../netex/zip/index.ts';
import { createTimetableBuilder } from '../../planner/index.ts';
import type { SnapshotJob, SnapshotThreadMessage, UnreadableDataset } from './planner-build-thread-messages.ts';
import { DatasetImportError, importDatasets } from './planner-import/import-datasets.ts';
import type { ImportSource } from './planner-import/import-types.ts';

const NO_MEMORY = /allocation failed|Invalid (typed array|array buffer) length/i;

function send(message: SnapshotThreadMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** A typed array with its own memory, so that it can be transferred. */
function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

async function build({ datasets, register, archiveLimits, options }: SnapshotJob): Promise<SnapshotThreadMessage> {
  const begunAt = performance.now();
  const readers = await Promise.all(datasets.map(({ path }) => openFileRangeReader(path)));
  try {
    const sources: ImportSource[] = [];
    const unreadable: UnreadableDataset[] = [];
    for (const [at, reader] of readers.entries()) {
      const { codespace = '' } = datasets[at] ?? {};
      try {
        sources.push({ codespace, archive: await openArchive(reader, archiveLimits) });
      } catch (error) {
        unreadable.push(unreadableDataset(new DatasetImportError(codespace, error)));
      }
    }
    if (unreadable.length > 0) return { type: 'unreadable', datasets: unreadable };
    const builder = createTimetableBuilder();
    const imported = await importDatasets(
      {
        datasets: sources,
        register,
        fromDay: options.fromDay,
        toDay: options.toDay,
        atMs: options.builtAt * 1_000,
        progress: (progress) => send({ type: 'progress', ...progress }),
      },
      builder,
    );
    const built = builder.finish(options);
    const bytes = ownMemory(built.bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const report = { ...built.report, imported, durationMs: Math.round(performance.now() - begunAt) };
    return { type: 'built', bytes, snapshotId: built.snapshotId, sha256, report };
  } finally {
    await Promise.all(readers.map((reader) => reader.close()));
  }
}

/** Throws the error again when the machine may be at fault: a failing disk, too little memory. */
function unreadableDataset(error: DatasetImportError): UnreadableDataset {
  const { cause, codespace, message } = error;
  const isMachines = cause instanceof Error && ('syscall' in cause || NO_MEMORY.test(cause.message));
  if (isMachines) throw error;
  return { codespace, message };
}

try {
  const outcome = await build(workerData as SnapshotJob).catch((error: unknown) => {
    if (!(error instanceof DatasetImportError)) throw error;
    return { type: 'unreadable', datasets: [unreadableDataset(error)] } as const;
  });
  send(outcome, outcome.type === 'built' ? [outcome.bytes.buffer] : []);
} catch (error) {
  send({ type: 'failed', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
}
