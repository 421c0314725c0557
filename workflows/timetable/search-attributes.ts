/** Search attributes by which operators find imports. Never encrypted: no personal data, no names. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import type { Codespace } from '../shared/ids.ts';
import type { ImportAction } from './messages.ts';

export const CODESPACE = defineSearchAttributeKey('Codespace', SearchAttributeType.KEYWORD);
export const IMPORT_STATE = defineSearchAttributeKey('ImportState', SearchAttributeType.KEYWORD);

/** The running step, or how the import ended. */
export type SearchableImportState = 'PENDING' | ImportAction | 'OK' | 'FAILED';

export function importStateAttribute(state: SearchableImportState): SearchAttributePair {
  return { key: IMPORT_STATE, value: state };
}

export function datasetImportSearchAttributes(
  codespace: Codespace,
  state: SearchableImportState,
): SearchAttributePair[] {
  return [{ key: CODESPACE, value: codespace }, importStateAttribute(state)];
}
