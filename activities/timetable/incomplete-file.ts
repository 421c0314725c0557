/** The result of a file that could not be validated through no fault of its sender. */
import type { FileResult } from '../../netex/file-result.ts';
import { ERROR_VALIDATION_INCOMPLETE } from '../../netex/rules/intake.ts';
import type { ManifestFile } from './dataset-manifest.ts';

export function incompleteFile({ name, kind, bytes }: ManifestFile): FileResult {
  const { code, name: title, severity } = ERROR_VALIDATION_INCOMPLETE;
  const message = `The file ${name} could not be validated: each try to read it ended the process. It is not known whether the file is right. Send the dataset again; if this is found again, tell the operator of this service.`;
  return {
    name,
    kind,
    bytes,
    schemaVersion: null,
    lines: 0,
    serviceJourneys: 0,
    findings: [
      { code, name: title, severity, message, objectId: null, fileName: name, lineNumber: null, columnNumber: null },
    ],
    counts: { [code]: 1 },
    capped: [],
    lastDay: null,
    identifiers: new Uint8Array(),
  };
}
