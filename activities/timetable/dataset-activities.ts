/**
 * The pipeline's activities on the queue `timetable`: the classification of an uploaded or private archive, and the
 * removal of working files.
 *
 * Reads the whole archive once; writes nothing but the manifest. Checks of a file only what makes it safe to read.
 */
import { activityInfo } from '@temporalio/activity';
import { chooseSeverities, type SeveritySettings } from '../../netex/rules/severity-settings.ts';
import type { DatasetKind } from '../../netex/validation-context.ts';
import {
  ArchiveError,
  type ArchiveLimits,
  type Classification,
  classifyArchive,
  shownName,
} from '../../netex/zip/index.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import type {
  ArchiveInput,
  ClassifiedDataset,
  DatasetActivities,
  RefusedDataset,
} from '../../workflows/timetable/activities.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import { planBatches } from '../../workflows/timetable/rules/batches.ts';
import { guardActivities } from './activity-guard.ts';
import type { CodespaceStore } from './codespace-store.ts';
import { type DatasetManifest, writeManifest } from './dataset-manifest.ts';
import type { ImportRecord, ImportStore } from './import-store.ts';
import { reportKey, workPrefix } from './object-keys.ts';
import { findPreviousReport } from './previous-report.ts';
import { findStopRegister } from './published-stop-register.ts';
import { openStoredArchive } from './stored-archive.ts';
import type { VersionStore } from './version-store.ts';
import { privateWork } from './work-keys.ts';

export interface DatasetActivityDependencies {
  readonly objects: ObjectStore;
  readonly imports: ImportStore;
  readonly codespaces: CodespaceStore;
  readonly versions: VersionStore;
  readonly archiveLimits: ArchiveLimits;
  /** Severities that differ from the catalogue of rules. */
  readonly severities: SeveritySettings;
  /** A dataset of SiteFrames alone, sent under this codespace, is the national stop register. */
  readonly stopRegisterCodespace: Codespace;
}

/** Number of names shown of files that are not XML; their count is complete. */
const IGNORED_NAMES_SHOWN = 20;

export function createDatasetActivities(dependencies: DatasetActivityDependencies): DatasetActivities {
  return guardActivities<DatasetActivities>({
    classifyDataset: (input) =>
      withHeartbeat(async (signal, noteProgress) => {
        try {
          return await classify(dependencies, input, signal, noteProgress);
        } catch (error) {
          if (!(error instanceof ArchiveError)) throw error;
          return { outcome: 'refused', errorCode: error.code, message: error.message };
        }
      }),

    removeWorkFiles: ({ codespace, correlationId, runId }) =>
      withHeartbeat(async () => {
        const all = workPrefix(codespace, correlationId);
        if (runId !== undefined) return void (await dependencies.objects.deletePrefix(`${all}${privateWork(runId)}`));
        await dependencies.objects.deletePrefix(all);
        // Parts of a large report whose writer was killed.
        await dependencies.objects.abortUploads(reportKey(codespace, correlationId));
      }),
  });
}

async function classify(
  dependencies: DatasetActivityDependencies,
  input: ArchiveInput,
  signal: AbortSignal,
  noteProgress: (details: unknown) => void,
): Promise<ClassifiedDataset | RefusedDataset> {
  const { objects, codespaces, archiveLimits, imports, versions } = dependencies;
  const { privateExport } = input;
  const receipt = receiptOf(await imports.get(input.codespace, input.correlationId), privateExport?.day);
  const settings = await codespaces.find(input.codespace);
  if (!settings) {
    const message = `The codespace ${input.codespace} was withdrawn while the import was running.`;
    return { outcome: 'refused', errorCode: 'CODESPACE_WITHDRAWN', message };
  }
  if (!/\.zip$/i.test(receipt.fileName)) {
    const message = `The upload is named ${shownName(receipt.fileName)}; expected a name that ends in .zip.`;
    return { outcome: 'refused', errorCode: 'ERROR_FILE_UNKNOWN_FILE_EXTENSION', message };
  }
  const archive = await openStoredArchive(objects, input, archiveLimits, signal);
  const classification = await classifyArchive(archive, { signal, onProgress: noteProgress });
  const { xmlns, allowedXmlns, profile, authorities } = settings;
  const files = archive.entries.map(({ name, kind, bytes }) => ({ name, kind, bytes }));
  const batches = planBatches(files.map((file) => file.bytes));
  const dataset = datasetKind(dependencies, input, classification);
  const manifest: DatasetManifest = {
    ...(privateExport && { privateExport }),
    receipt,
    dataset,
    previousReport: privateExport ? null : await findPreviousReport(dependencies, input),
    severities: chooseSeverities(dependencies.severities, profile, input.codespace),
    codespace: { xmlns, allowedXmlns, profile, ...(authorities && { authorities }) },
    stopRegister:
      dataset === 'stop-register' ? null : await findStopRegister(versions, dependencies.stopRegisterCodespace),
    files,
    batches,
  };
  const place = privateExport ? privateWork(activityInfo().workflowExecution?.runId ?? '') : '';
  const manifestId = await writeManifest(objects, input, manifest, place);
  return {
    outcome: 'accepted',
    manifestId,
    kind: dataset,
    filesTotal: files.length,
    batchesTotal: batches.length,
    unpackedBytes: files.reduce((sum, file) => sum + file.bytes, 0),
    ...ignoredFiles(classification),
  };
}

/** A private dataset is validated as if it had been received on the day that it was filtered for. */
function receiptOf({ importKey, fileName, receivedAt }: ImportRecord, day?: string): DatasetManifest['receipt'] {
  if (day === undefined) return { importKey, fileName, receivedAt: receivedAt.toISOString() };
  return { importKey, fileName: `${importKey}_private_${day}.zip`, receivedAt: `${day}T00:00:00.000Z` };
}

/** Shown with the step, so that the sender sees at once which files were ignored. */
function ignoredFiles({ ignoredFiles, ignoredNames }: Classification): Pick<ClassifiedDataset, 'ignored'> {
  if (ignoredFiles === 0) return {};
  return { ignored: { ignoredFiles, ignoredNames: ignoredNames.slice(0, IGNORED_NAMES_SHOWN).map(shownName) } };
}

/**
 * Only one codespace may publish the national stop register; SiteFrames alone from any other are an unusual timetable.
 */
function datasetKind(
  { stopRegisterCodespace }: DatasetActivityDependencies,
  { codespace }: DatasetImportInput,
  { kind }: Classification,
): DatasetKind {
  return kind === 'stop-register' && codespace === stopRegisterCodespace ? 'stop-register' : 'timetable';
}
