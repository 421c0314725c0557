/** Where the large data of an import lies. Every reader and writer of these objects takes the key from here. */
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

/** The ids of a published stop register. */
export function stopRegisterKey(correlationId: CorrelationId): string {
  return `stop-register/${correlationId}.ids`;
}
