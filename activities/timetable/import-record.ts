/** An accepted import as every caller but the upload handler sees it. Pure. */
import type { Codespace, CorrelationId, ImportKey, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ImportAction, ImportState } from '../../workflows/timetable/messages.ts';
import { type ActionRecord, type FindingCounts, type ImportDocument, NO_FINDINGS } from './import-model.ts';

export interface ImportRecord {
  readonly correlationId: CorrelationId;
  readonly codespace: Codespace;
  readonly organisationId: OrganisationId;
  readonly importKey: ImportKey;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly receivedAt: Date;
  readonly state: ImportState;
  readonly actions: Readonly<Partial<Record<ImportAction, ActionRecord>>>;
  readonly findings: FindingCounts;
  readonly publishedAt: Date | undefined;
  readonly withdrawnAt: Date | undefined;
}

/** Undefined for an upload that is not accepted. */
export function toRecord(document: ImportDocument | null): ImportRecord | undefined {
  const { importKey, receivedAt, fileName, sizeBytes, sha256, state } = document ?? {};
  if (!document || !importKey || !receivedAt || sha256 === undefined || sizeBytes === undefined) return undefined;
  if (state === undefined || state === 'RECEIVING' || state === 'ABANDONED') return undefined;
  return {
    correlationId: document._id,
    codespace: document.codespace,
    organisationId: document.organisationId,
    importKey,
    fileName: fileName ?? `${importKey}.zip`,
    sizeBytes,
    sha256,
    receivedAt,
    state,
    actions: document.actions ?? {},
    findings: document.findings ?? NO_FINDINGS,
    publishedAt: document.publishedAt,
    withdrawnAt: document.withdrawnAt,
  };
}

/** Throws NOT_FOUND for an upload that is not accepted. */
export function requireRecord(record: ImportRecord | undefined): ImportRecord {
  if (!record) throw new ServiceError('NOT_FOUND', 'There is no such import');
  return record;
}
