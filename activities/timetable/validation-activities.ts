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
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { ManifestInput, ValidationActivities } from '../../workflows/timetable/activities.ts';
import type { ComparisonActivities } from '../../workflows/timetable/comparison-activities.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import { giveUp, guardActivities } from './activity-guard.ts';
import { refusingArchives } from './archive-refusal.ts';
import { type BatchDependencies, validateBatch } from './batch-validation.ts';
import { assessDataset } from './dataset-assessment.ts';
import { writeDifferences } from './dataset-differences.ts';
import { type DatasetManifest, readManifest } from './dataset-manifest.ts';
import { type PrivateExportDependencies, writePrivateExport } from './private-export.ts';
import { StepDeaths, VERY_LARGE_BYTES } from './step-deaths.ts';
import { writeStopRegister } from './stop-register-store.ts';
import { endedProcess, guardMemory } from './validation-memory.ts';
import { commonFactsKey, commonIdsKey, commonStopsKey, privateWork } from './work-keys.ts';

const BINARY = 'application/octet-stream';

export type ValidationActivityDependencies = BatchDependencies &
  PrivateExportDependencies & {
    /** Resident size of the process at which it gives up a file that it reads. */
    readonly processBytes: number;
  };

export function createValidationActivities(
  dependencies: ValidationActivityDependencies,
): ValidationActivities & ComparisonActivities {
  const { objects, materials } = dependencies;
  return guardActivities<ValidationActivities & ComparisonActivities>({
    indexCommonFiles: (input) =>
      runStep(dependencies, { step: 'index-common-files', input, bytesOf: commonBytes }, (signal) =>
        indexCommonFiles(dependencies, input, signal),
      ),

    validateFiles: (input) =>
      refusingArchives(() =>
        withHeartbeat(async (signal, noteProgress) => {
          const { attempt } = activityInfo();
          const deaths = new StepDeaths(objects, input, { attempt, signal });
          return { files: await validateBatch(dependencies, input, { attempt, deaths, signal, noteProgress }) };
        }),
      ),

    validateDataset: (input) =>
      runStep(dependencies, { step: 'validate-dataset', input, bytesOf: largestBytes }, (signal) =>
        assessDataset(objects, materials, input, signal),
      ),

    indexStopRegister: (input) =>
      runStep(dependencies, { step: 'index-stop-register', input, bytesOf: allBytes }, (signal) =>
        indexStopRegister(dependencies, input, signal),
      ),

    exportPrivateDataset: (input) =>
      runStep(dependencies, { step: 'export', input: withoutManifest(input) }, (signal) =>
        writePrivateExport(dependencies, input, signal),
      ),

    compareVersions: (input) =>
      runStep(dependencies, { step: 'compare', input: withoutManifest(input) }, (signal) =>
        writeDifferences(dependencies, input, signal),
      ),
  });
}

/** For steps that read what has passed the validation: a place for their marks, and no manifest. */
function withoutManifest({ codespace, correlationId }: DatasetImportInput): ManifestInput {
  const manifestId = `${privateWork(activityInfo().workflowExecution?.runId ?? '')}export`;
  return { codespace, correlationId, manifestId };
}

type Files = DatasetManifest['files'];

const allBytes = (files: Files): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
const commonBytes = (files: Files): number => allBytes(files.filter(({ kind }) => kind === 'common'));
const largestBytes = (files: Files): number => files.reduce((most, { bytes }) => Math.max(most, bytes), 0);

interface Step {
  readonly step: string;
  readonly input: ManifestInput;
  /** The bytes that the step holds at one time, or builds from. */
  readonly bytesOf?: (files: Files) => number;
}

/** A step on the whole dataset: when it kills its worker repeatedly, or once with very much to read, the import ends. */
async function runStep<T>(
  { objects }: ValidationActivityDependencies,
  { step, input, bytesOf }: Step,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await refusingArchives(() =>
    withHeartbeat(async (signal) => {
      const bytes = bytesOf ? bytesOf((await readManifest(objects, input)).files) : 0;
      const deaths = new StepDeaths(objects, input, { attempt: activityInfo().attempt, signal });
      const tooOften = () =>
        Promise.reject(
          bytes < VERY_LARGE_BYTES ? giveUp(`the step ${step} ended its process again and again`) : endedProcess(bytes),
        );
      return await deaths.guard({ step, bytes }, () => task(signal), tooOften);
    }),
  );
}

async function indexCommonFiles(
  { objects, materials, processBytes }: ValidationActivityDependencies,
  input: ManifestInput,
  signal: AbortSignal,
): Promise<void> {
  const { archive } = await materials.get(input);
  const index = new IdIndexBuilder(SEVERAL_FILES);
  const facts = new CommonFactsBuilder();
  const stops = new DatasetStopsBuilder();
  const guarded = guardMemory(processBytes);
  for (const entry of archive.entries) {
    if (entry.kind !== 'common') break;
    const chunks = guarded(streamEntry(archive, entry, { signal }), entry);
    await addStreamIds({ name: entry.name, chunks }, index, facts.reader(), stops.listener());
  }
  await objects.put(commonIdsKey(input), index.build().bytes, BINARY);
  await objects.put(commonFactsKey(input), facts.build(), BINARY);
  await objects.put(commonStopsKey(input), stops.isEmpty ? new Uint8Array() : stops.build().bytes, BINARY);
}

async function indexStopRegister(
  { objects, materials, processBytes }: ValidationActivityDependencies,
  input: ManifestInput,
  signal: AbortSignal,
): Promise<void> {
  const { archive, manifest } = await materials.get(input);
  const { codespace, correlationId } = input;
  const version = { codespace, correlationId, receivedAt: manifest.receipt.receivedAt };
  await writeStopRegister(objects, version, archive, { signal, processBytes });
}
