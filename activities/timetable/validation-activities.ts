/**
 * The pipeline's steps on the queue `timetable-validation`: long, bound to one core, with heartbeats.
 *
 * Every step writes objects whose keys and bytes depend on the import alone, so it may run twice and two at once.
 * Faults of the sender end the import with a readable refusal; faults of servers are retried by Temporal.
 */
import { activityInfo } from '@temporalio/activity';
import { addStreamIds, SEVERAL_FILES } from '../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../netex/dataset/id-index.ts';
import { CommonFactsBuilder } from '../../netex/model/common-facts.ts';
import { DatasetStopsBuilder } from '../../netex/stop-register/stop-register-reader.ts';
import { streamEntry } from '../../netex/zip/index.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { ManifestInput, ValidationActivities } from '../../workflows/timetable/activities.ts';
import { giveUp, guardActivities } from './activity-guard.ts';
import { refusingArchives } from './archive-refusal.ts';
import { type BatchDependencies, validateBatch } from './batch-validation.ts';
import { judgeDataset } from './dataset-judgement.ts';
import type { ImportMaterialSource } from './import-materials.ts';
import { type PrivateExportDependencies, writePrivateExport } from './private-export.ts';
import { StepDeaths } from './step-deaths.ts';
import { writeStopRegister } from './stop-register-store.ts';
import { commonFactsKey, commonIdsKey, commonStopsKey, privateWork } from './work-keys.ts';

const BINARY = 'application/octet-stream';

export type ValidationActivityDependencies = BatchDependencies & PrivateExportDependencies;

export function createValidationActivities(dependencies: ValidationActivityDependencies): ValidationActivities {
  const { objects, materials } = dependencies;
  return guardActivities<ValidationActivities>({
    indexCommonFiles: (input) =>
      runStep(objects, 'index-common-files', input, (signal) => indexCommonFiles(objects, materials, input, signal)),

    validateFiles: (input) =>
      refusingArchives(() =>
        withHeartbeat(async (signal, noteProgress) => {
          const { attempt } = activityInfo();
          const deaths = new StepDeaths(objects, input, attempt);
          return { files: await validateBatch(dependencies, input, { attempt, deaths, signal, noteProgress }) };
        }),
      ),

    validateDataset: (input) =>
      runStep(objects, 'validate-dataset', input, (signal) => judgeDataset(objects, materials, input, signal)),

    indexStopRegister: (input) =>
      runStep(objects, 'index-stop-register', input, (signal) => indexStopRegister(objects, materials, input, signal)),

    exportPrivateDataset: (input) =>
      // It has no manifest yet.
      runStep(
        objects,
        'export',
        { ...input, manifestId: `${privateWork(activityInfo().workflowExecution?.runId ?? '')}export` },
        (signal) => writePrivateExport(dependencies, input, signal),
      ),
  });
}

/** A step on the whole dataset: when it kills its worker repeatedly, the import ends. */
async function runStep<T>(
  objects: ObjectStore,
  step: string,
  input: ManifestInput,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await refusingArchives(() =>
    withHeartbeat(async (signal) => {
      const deaths = new StepDeaths(objects, input, activityInfo().attempt);
      const tooOften = () => Promise.reject(giveUp(`the step ${step} ended its process again and again`));
      return await deaths.guard(step, () => task(signal), tooOften);
    }),
  );
}

async function indexCommonFiles(
  objects: ObjectStore,
  materials: ImportMaterialSource,
  input: ManifestInput,
  signal: AbortSignal,
): Promise<void> {
  const { archive } = await materials.get(input);
  const index = new IdIndexBuilder(SEVERAL_FILES);
  const facts = new CommonFactsBuilder();
  const stops = new DatasetStopsBuilder();
  for (const entry of archive.entries) {
    if (entry.kind !== 'common') break;
    const file = { name: entry.name, chunks: streamEntry(archive, entry, { signal }) };
    await addStreamIds(file, index, facts.reader(), stops.listener());
  }
  await objects.put(commonIdsKey(input), index.build().bytes, BINARY);
  await objects.put(commonFactsKey(input), facts.build(), BINARY);
  await objects.put(commonStopsKey(input), stops.isEmpty ? new Uint8Array() : stops.build().bytes, BINARY);
}

async function indexStopRegister(
  objects: ObjectStore,
  materials: ImportMaterialSource,
  input: ManifestInput,
  signal: AbortSignal,
): Promise<void> {
  const { archive, manifest } = await materials.get(input);
  const { codespace, correlationId } = input;
  const version = { codespace, correlationId, receivedAt: manifest.receipt.receivedAt };
  await writeStopRegister(objects, version, archive, signal);
}
