/**
 * Writes what a published version changes against the one before it, object store to object store, in bounded memory.
 *
 * Caller: the activity `compareVersions`, which may run twice and two at once: the plan decides the bytes. Written once:
 * a later run of the import leaves them as they are.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { compareOutlines } from '../../netex/differences/compare-outlines.ts';
import type { DatasetDifferences } from '../../netex/differences/differences.ts';
import { type DatasetOutline, Vocabulary } from '../../netex/differences/outline.ts';
import { readOutline } from '../../netex/differences/outline-reader.ts';
import { outlineRegister } from '../../netex/differences/stop-outline.ts';
import { parseDay } from '../../netex/model/calendar-day.ts';
import { StopRegister } from '../../netex/stop-register/stop-register.ts';
import type { ArchiveLimits } from '../../netex/zip/index.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { ComparedVersion, ComparisonPlan } from '../../workflows/timetable/comparison-activities.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import { differencesKey } from './object-keys.ts';
import { readStopRegister } from './stop-register-store.ts';
import { openStoredArchive } from './stored-archive.ts';

export interface DifferencesDependencies {
  readonly objects: ObjectStore;
  readonly archiveLimits: ArchiveLimits;
}

/** As stored and served. */
export interface StoredDifferences extends DatasetDifferences {
  readonly codespace: string;
  readonly correlationId: string;
  readonly importKey: string;
  readonly createdAt: string;
  readonly with: { readonly correlationId: string; readonly importKey: string; readonly createdAt: string };
}

const packed = promisify(gzip);

export async function writeDifferences(
  dependencies: DifferencesDependencies,
  input: DatasetImportInput & ComparisonPlan,
  signal: AbortSignal,
): Promise<void> {
  const { objects } = dependencies;
  const { codespace, correlationId, version, previous } = input;
  const key = differencesKey(codespace, correlationId);
  if (await objects.head(key, signal)) return;
  const vocabulary = new Vocabulary(parseDay(input.day) ?? 0);
  const outline = await outlines(dependencies, input, vocabulary, signal);
  const before = await outline(previous);
  const after = await outline(version);
  const stored: StoredDifferences = {
    codespace,
    correlationId,
    importKey: version.importKey,
    createdAt: version.receivedAt,
    with: { correlationId: previous.correlationId, importKey: previous.importKey, createdAt: previous.receivedAt },
    ...(await compareOutlines(before, after, vocabulary)),
  };
  await objects.put(key, await packed(JSON.stringify(stored)), 'application/json', signal);
}

type ReadVersion = (version: ComparedVersion) => Promise<DatasetOutline>;

async function outlines(
  { objects, archiveLimits }: DifferencesDependencies,
  { codespace, kind, stopRegister }: DatasetImportInput & ComparisonPlan,
  vocabulary: Vocabulary,
  signal: AbortSignal,
): Promise<ReadVersion> {
  if (kind === 'stop-register') {
    return async ({ correlationId, receivedAt }) => {
      const bytes = await readStopRegister(objects, { codespace, correlationId, receivedAt }, archiveLimits);
      return outlineRegister(StopRegister.open(bytes), vocabulary);
    };
  }
  const register = stopRegister
    ? StopRegister.open(await readStopRegister(objects, stopRegister, archiveLimits))
    : undefined;
  return async ({ correlationId, receivedAt }) => {
    const archive = await openStoredArchive(objects, { codespace, correlationId }, archiveLimits, signal);
    return await readOutline({ archive, vocabulary, register, atMs: Date.parse(receivedAt), signal });
  };
}
