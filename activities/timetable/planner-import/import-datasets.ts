/**
 * Maps published datasets and the stop register to the planner's builder.
 *
 * Callers: the activity that builds snapshots, dev tools, tests. Gives the builder all entities, and counts there those
 * that it left out; never calls `finish`. The same input in any order gives the builder the same calls in the same
 * order.
 */
import type { InterchangeEntity } from '../../../netex/entities/entity-types.ts';
import { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import { DEFAULT_DATASET_LIMITS, limitDataset, requireWithin } from './dataset-limits.ts';
import { DatedJourneys } from './dated-journeys.ts';
import { importDataset } from './import-dataset.ts';
import type { DatasetImport, ImportReport, ImportRequest, ImportSource } from './import-types.ts';
import { InterchangeIndex } from './interchange-index.ts';
import { LineImport } from './line-import.ts';
import { StopImport } from './stop-import.ts';

/** Names the dataset at fault, for instance one whose archive was damaged since it was published. */
export class DatasetImportError extends Error {
  readonly codespace: string;
  constructor(codespace: string, cause: unknown) {
    const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`The dataset of ${codespace} cannot be imported: ${message}`, { cause });
    this.name = 'DatasetImportError';
    this.codespace = codespace;
  }
}

/** Throws DatasetImportError, and the signal's reason. */
export async function importDatasets(request: ImportRequest, builder: TimetableBuilder): Promise<ImportReport> {
  const sources = request.datasets.toSorted((a, b) => (a.codespace < b.codespace ? -1 : 1));
  const filesTotal = sources.reduce((sum, { archive }) => sum + archive.entries.length, 0);
  let filesDone = 0;
  const fileDone = (codespace: string, fileName: string): void => {
    filesDone++;
    request.progress?.({ codespace, fileName, filesDone, filesTotal });
  };
  const { signal, atMs, register, limits = DEFAULT_DATASET_LIMITS } = request;
  const bounds = {
    fromDay: request.fromDay ?? Number.NEGATIVE_INFINITY,
    toDay: request.toDay ?? Number.POSITIVE_INFINITY,
  };
  const stops = new StopImport(builder, register && StopRegister.open(register));
  const calls = new InterchangeIndex();
  const interchanges: InterchangeEntity[] = [];
  stops.addRegister(atMs);
  const datasets: DatasetImport[] = [];
  for (const source of sources) {
    signal?.throwIfAborted();
    const { count, counts } = counter();
    const limited = limitDataset(builder, limits);
    const context = { builder: limited, stops, calls, interchanges, count, ...partsOf(limited) };
    const quaysBefore = stops.counts.quays;
    const onFile = (name: string): void => {
      requireWithin(limits, 'quays', stops.counts.quays - quaysBefore);
      fileDone(source.codespace, name);
    };
    await importDataset({ source, bounds, atMs, signal, fileDone: onFile }, context).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new DatasetImportError(source.codespace, error);
    });
    datasets.push({ ...sizeOf(source), counts });
  }
  stops.addRegisterTransfers();
  for (const interchange of interchanges) calls.give(builder, interchange);
  return { datasets, stops: stops.counts };
}

/** Context of one dataset. */
function partsOf(builder: TimetableBuilder): { lines: LineImport; dated: DatedJourneys } {
  return { lines: new LineImport(builder), dated: new DatedJourneys() };
}

function counter(): { count: (kind: string, number?: number) => void; counts: Record<string, number> } {
  const counts: Record<string, number> = {};
  return {
    counts,
    count(kind, number = 1) {
      counts[kind] = (counts[kind] ?? 0) + number;
    },
  };
}

function sizeOf({ codespace, archive }: ImportSource): Pick<DatasetImport, 'codespace' | 'files' | 'bytes'> {
  const { entries } = archive;
  return { codespace, files: entries.length, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0) };
}
