/**
 * Filters a published archive into a private one, object store to object store, in bounded memory.
 *
 * Caller: the activity `exportPrivateDataset`, which may be stopped or killed at any instant and then starts over. Each
 * attempt writes an object of its own, which is read only after it is shown. So an attempt that is taken for dead but
 * still writes does not harm later ones.
 */
import { createHash } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import { type FilterOutcome, filterDataset } from '../../netex/filter/index.ts';
import type { ArchiveLimits } from '../../netex/zip/index.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { readObject } from '../../platform/object-store/read-object.ts';
import type { PrivateExport, PrivateExportInput } from '../../workflows/timetable/activities.ts';
import type { ActionDetails } from './import-model.ts';
import { privateDatasetKey, privateFactsKey } from './object-keys.ts';
import { openStoredArchive } from './stored-archive.ts';

export interface PrivateExportDependencies {
  readonly objects: ObjectStore;
  readonly archiveLimits: ArchiveLimits;
}

/** Facts that the version's document gets when the export is shown. */
export interface PrivateExportFacts {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal; that of zero bytes for an empty export. */
  readonly sha256: string;
  readonly empty: boolean;
  /** Details of the step PRIVATE_EXPORT. */
  readonly details: ActionDetails;
}

/** Number of attempts, with this one, whose objects are searched. */
const ATTEMPTS_CLEARED = 5;

export async function writePrivateExport(
  { objects, archiveLimits }: PrivateExportDependencies,
  { codespace, correlationId, day }: PrivateExportInput,
  signal: AbortSignal,
): Promise<{ readonly exportId: string; readonly empty: boolean }> {
  const [exportId = '', ...earlier] = exportIds(day);
  for (const dead of earlier) {
    const key = privateDatasetKey(codespace, correlationId, dead);
    await objects.abortUploads(key);
    await objects.delete(key);
  }
  const archive = await openStoredArchive(objects, { codespace, correlationId }, archiveLimits, signal);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const outcome = await filterDataset(
    // A codespace owns the ids that begin with its upper-case form.
    { archive, xmlns: codespace.toUpperCase(), day, mode: 'private', signal },
    async (zip) => {
      const measured = measure(zip, (chunk) => {
        hash.update(chunk);
        sizeBytes += chunk.length;
      });
      const key = privateDatasetKey(codespace, correlationId, exportId);
      await objects.putStream(key, measured, { contentType: 'application/zip', signal });
    },
  );
  const { empty } = outcome;
  const sha256 = hash.digest('hex');
  const facts: PrivateExportFacts = { sizeBytes, sha256, empty, details: describe(day, sizeBytes, outcome) };
  const text = new TextEncoder().encode(JSON.stringify(facts));
  await objects.put(privateFactsKey(codespace, correlationId, exportId), text, 'application/json', signal);
  return { exportId, empty };
}

export async function readPrivateExportFacts(
  objects: ObjectStore,
  { codespace, correlationId, exportId }: PrivateExport,
): Promise<PrivateExportFacts> {
  const bytes = await readObject(objects, privateFactsKey(codespace, correlationId, exportId));
  return JSON.parse(new TextDecoder().decode(bytes)) as PrivateExportFacts;
}

/** The id of this attempt, then those of the attempts before it. */
function exportIds(day: string): string[] {
  const { attempt, activityId, workflowExecution } = activityInfo();
  const count = Math.min(attempt, ATTEMPTS_CLEARED);
  const step = `${day}_${workflowExecution?.runId ?? ''}_${activityId}`;
  return Array.from({ length: count }, (_, back) => `${step}_${attempt - back}`);
}

async function* measure(
  zip: AsyncIterable<Uint8Array>,
  count: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of zip) {
    count(chunk);
    yield chunk;
  }
}

function describe(day: string, bytes: number, outcome: FilterOutcome): ActionDetails {
  const { empty, files, droppedFiles, kept, dropped, cutReferences } = outcome;
  const counts = { droppedFiles: droppedFiles.length, dropped, cutReferences };
  if (empty) return { day, empty, ...counts };
  return { day, bytes, files: files.length, kept, ...counts };
}
