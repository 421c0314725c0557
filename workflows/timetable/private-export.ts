/**
 * Makes the private dataset of a published version: filters it, validates the new archive like an upload, and shows it.
 *
 * Callers: `datasetImport` after the publication, `datasetRefresh` each night. Whatever goes wrong, the version stays
 * published and the private dataset that was shown before stays shown. Leaves no archive behind that is not shown.
 */
import { ActivityFailure, ApplicationFailure, CancellationScope, isCancellation } from '@temporalio/workflow';
import type { PrivateExport, PrivateExportInput } from './activities.ts';
import { dataset, patientValidation } from './activity-proxies.ts';
import { validateArchive } from './dataset-validation.ts';
import { CODESPACE_WITHDRAWN, INVALID_DATASET, SYSTEM_ERROR } from './rules/import-failure.ts';

/** A filtered dataset that is not valid is no fault of its sender, nor is anything else that comes in between. */
export interface ExportDefect {
  readonly state: 'DEFECT';
  readonly errorCode: string;
  /** Codes of the rules that it breaks, when it could be validated. */
  readonly rules: readonly string[];
}

export type PrivateExportOutcome = { readonly state: 'SHOWN' | 'EMPTY' | 'NOT_NEWER' | 'WITHDRAWN' } | ExportDefect;

export interface ExportWatch {
  filesFound(files: number): void;
  filesValidated(files: number): void;
}

export async function makePrivateDataset(input: PrivateExportInput, watch: ExportWatch): Promise<PrivateExportOutcome> {
  let made: PrivateExport | undefined;
  let shown = false;
  try {
    const { exportId, empty } = await patientValidation.exportPrivateDataset(input);
    made = { ...input, exportId };
    const defect = empty ? undefined : await validateExport(made, watch);
    if (defect) return defect.errorCode === CODESPACE_WITHDRAWN ? { state: 'WITHDRAWN' } : defect;
    const answer = await dataset.showPrivateExport(made);
    shown = answer === 'SHOWN';
    return { state: shown && empty ? 'EMPTY' : answer };
  } catch (error) {
    return defectOf(error);
  } finally {
    const left = made;
    if (left && !shown) await CancellationScope.nonCancellable(() => dataset.discardPrivateExport(left));
  }
}

async function validateExport(made: PrivateExport, watch: ExportWatch): Promise<ExportDefect | undefined> {
  const { codespace, correlationId, exportId, day } = made;
  const found = await dataset.classifyDataset({ codespace, correlationId, privateExport: { exportId, day } });
  if (found.outcome === 'refused') return { state: 'DEFECT', errorCode: found.errorCode, rules: [] };
  const { manifestId, filesTotal, batchesTotal } = found;
  watch.filesFound(filesTotal);
  const manifest = { codespace, correlationId, manifestId };
  const verdict = await validateArchive(patientValidation, manifest, batchesTotal, (files) =>
    watch.filesValidated(files),
  );
  if (verdict.valid) return undefined;
  return { state: 'DEFECT', errorCode: INVALID_DATASET.errorCode, rules: verdict.brokenRules ?? [] };
}

/** An activity that gave up is a defect; a cancellation is for the caller, anything else a defect of this code. */
function defectOf(error: unknown): ExportDefect {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  if (!(error.cause instanceof ApplicationFailure)) throw error;
  return { state: 'DEFECT', errorCode: SYSTEM_ERROR, rules: [] };
}
