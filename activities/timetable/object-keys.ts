/** Where the large data of an import lies. Every reader and writer of these objects takes the key from here. */
import { REGISTER_FORMAT } from '../../netex/stop-register/stop-layout.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';

/** The archive as it was uploaded, unaltered. */
export function uploadKey(codespace: Codespace, correlationId: CorrelationId): string {
  return `uploads/${codespace}/${correlationId}.zip`;
}

/** Prefix of what the steps of one import leave for each other. */
export function workPrefix(codespace: Codespace, correlationId: CorrelationId): string {
  return `work/${codespace}/${correlationId}/`;
}

/** The validation report: JSON, gzip. */
export function reportKey(codespace: Codespace, correlationId: CorrelationId): string {
  return `reports/${codespace}/${correlationId}.json.gz`;
}

/** Which findings the report has: what the next report of the codespace is compared with. */
export function reportIdentitiesKey(codespace: Codespace, correlationId: CorrelationId): string {
  return `reports/${codespace}/${correlationId}.identities`;
}

/** A published stop register, in the form that this release reads: another release looks under another key. */
export function stopRegisterKey(correlationId: CorrelationId): string {
  return `${stopRegisterPrefix(correlationId)}${REGISTER_FORMAT}`;
}

/** Prefix of the same register in all forms. */
export function stopRegisterPrefix(correlationId: CorrelationId): string {
  return `stop-register/${correlationId}.`;
}

/** Everything below it is a private dataset, shown or not (yet). */
export const PRIVATE_DATASETS = 'private/';

/** Prefix of the private datasets of one version. */
export function privatePrefix(codespace: Codespace, correlationId: CorrelationId): string {
  return `${PRIVATE_DATASETS}${codespace}/${correlationId}/`;
}

/** A private dataset: each attempt at one has a name of its own, so that none is ever overwritten. */
export function privateDatasetKey(codespace: Codespace, correlationId: CorrelationId, exportId: string): string {
  return `${privatePrefix(codespace, correlationId)}${exportId}.zip`;
}

/** What the filter kept and dropped for it: JSON. */
export function privateFactsKey(codespace: Codespace, correlationId: CorrelationId, exportId: string): string {
  return `${privatePrefix(codespace, correlationId)}${exportId}.json`;
}

/** Inverse of the two; undefined for any other key. */
export function parsePrivateKey(
  key: string,
): { readonly correlationId: CorrelationId; readonly exportId: string } | undefined {
  const match = /^private\/[^/]+\/([^/]+)\/([^/]+)\.(?:zip|json)$/.exec(key);
  return match ? { correlationId: match[1] as CorrelationId, exportId: match[2] ?? '' } : undefined;
}
