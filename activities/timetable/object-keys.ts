/** Object keys of the large data of an import. Every reader and writer of these objects takes the key from here. */
import { REGISTER_FORMAT } from '../../netex/stop-register/stop-layout.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';

export const UPLOADS = 'uploads/';
export const WORK = 'work/';
export const REPORTS = 'reports/';
export const DIFFERENCES = 'differences/';
export const STOP_REGISTERS = 'stop-register/';
/** Every object below it is a private dataset, shown or not. */
export const PRIVATE_DATASETS = 'private/';

/** The archive as it was uploaded, unaltered. */
export function uploadKey(codespace: Codespace, correlationId: CorrelationId): string {
  return `${UPLOADS}${codespace}/${correlationId}.zip`;
}

/** Prefix of the data that the steps of one import leave for each other. */
export function workPrefix(codespace: Codespace, correlationId: CorrelationId): string {
  return `${WORK}${codespace}/${correlationId}/`;
}

/** The validation report: JSON, gzip. */
export function reportKey(codespace: Codespace, correlationId: CorrelationId): string {
  return `${REPORTS}${codespace}/${correlationId}.json.gz`;
}

/** Identities of the report's findings, for the comparison with the next report of the codespace. */
export function reportIdentitiesKey(codespace: Codespace, correlationId: CorrelationId): string {
  return `${REPORTS}${codespace}/${correlationId}.identities`;
}

/** What the version changes against the one before: JSON, gzip. */
export function differencesKey(codespace: Codespace, correlationId: CorrelationId): string {
  return `${DIFFERENCES}${codespace}/${correlationId}.json.gz`;
}

/** A published stop register, in the format of this release: another release reads another key. */
export function stopRegisterKey(correlationId: CorrelationId): string {
  return `${stopRegisterPrefix(correlationId)}${REGISTER_FORMAT}`;
}

/** Prefix of the same register in all formats. */
export function stopRegisterPrefix(correlationId: CorrelationId): string {
  return `${STOP_REGISTERS}${correlationId}.`;
}

/** Prefix of the private datasets of one version. */
export function privatePrefix(codespace: Codespace, correlationId: CorrelationId): string {
  return `${PRIVATE_DATASETS}${codespace}/${correlationId}/`;
}

/** Key of a private dataset: each attempt has its own name, so that none is ever overwritten. */
export function privateDatasetKey(codespace: Codespace, correlationId: CorrelationId, exportId: string): string {
  return `${privatePrefix(codespace, correlationId)}${exportId}.zip`;
}

/** JSON of what the filter kept and dropped for it. */
export function privateFactsKey(codespace: Codespace, correlationId: CorrelationId, exportId: string): string {
  return `${privatePrefix(codespace, correlationId)}${exportId}.json`;
}

/** Inverse of the two functions; undefined for any other key. */
export function parsePrivateKey(
  key: string,
): { readonly correlationId: CorrelationId; readonly exportId: string } | undefined {
  const match = /^private\/[^/]+\/([^/]+)\/([^/]+)\.(?:zip|json)$/.exec(key);
  return match ? { correlationId: match[1] as CorrelationId, exportId: match[2] ?? '' } : undefined;
}
