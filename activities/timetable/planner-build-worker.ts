/**
 * Runs in a thread: makes one planner snapshot out of local copies of the published archives, then ends. Reading and
 * sorting a country's timetable would keep the process's event loop, and with it the heartbeats, waiting for seconds.
 * Started by planner-build-thread.ts alone.
 */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { openArchive, openFileRangeReader } from '../../netex/zip/index.ts';
import { createTimetableBuilder } from '../../planner/index.ts';
import type { SnapshotJob, SnapshotThreadMessage } from './planner-build-thread-messages.ts';
import { DatasetImportError, importDatasets } from './planner-import/import-datasets.ts';

function tell(message: SnapshotThreadMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** A typed array that has its memory for itself, so that it can be handed over. */
function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

async function build({ datasets, register, archiveLimits, options }: SnapshotJob): Promise<void> {
  const begunAt = performance.now();
  const readers = await Promise.all(datasets.map(({ path }) => openFileRangeReader(path)));
  try {
    const sources = [];
    for (const [at, reader] of readers.entries()) {
      const { codespace = '' } = datasets[at] ?? {};
      const archive = await openArchive(reader, archiveLimits).catch((error: unknown) => {
        throw new DatasetImportError(codespace, error);
      });
      sources.push({ codespace, archive });
    }
    const builder = createTimetableBuilder();
    const imported = await importDatasets(
      {
        ...{ datasets: sources, register, fromDay: options.fromDay, toDay: options.toDay },
        atMs: options.builtAt * 1_000,
        progress: (progress) => tell({ type: 'progress', ...progress }),
      },
      builder,
    );
    const built = builder.finish(options);
    const bytes = ownMemory(built.bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const report = { ...built.report, imported, durationMs: Math.round(performance.now() - begunAt) };
    tell({ type: 'built', bytes, snapshotId: built.snapshotId, sha256, report }, [bytes.buffer]);
  } finally {
    await Promise.all(readers.map((reader) => reader.close()));
  }
}

try {
  await build(workerData as SnapshotJob);
} catch (error) {
  tell({ type: 'failed', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
}
