/** The result of a file that could not be validated through no fault of its sender. */
import type { FileResult } from '../../netex/file-result.ts';
import { type SeverityChoice, severityOf } from '../../netex/rules/finding-list.ts';
import { SYSTEM_ERROR } from '../../netex/rules/intake.ts';
import { shownBytes } from '../../netex/zip/limits.ts';
import type { ManifestFile } from './dataset-manifest.ts';
import { VERY_LARGE_BYTES } from './step-deaths.ts';

type Reason = 'ENDED_PROCESS' | 'BROKE_OFF';

const REASONS: Readonly<Record<Reason, string>> = {
  ENDED_PROCESS: 'each try to read it ended the process',
  BROKE_OFF: 'one of the checks broke off while it read it',
};

export function incompleteFile(
  { name, kind, bytes }: ManifestFile,
  reason: Reason,
  context: SeverityChoice,
): FileResult {
  const { code, name: title } = SYSTEM_ERROR;
  const severity = severityOf(SYSTEM_ERROR, context);
  const advice =
    bytes < VERY_LARGE_BYTES
      ? 'Send the dataset again; if this comes back, tell the operator of this service.'
      : `It has ${shownBytes(bytes)}: divide it, best into one file for each line, and send the dataset again.`;
  const message = `The file ${name} could not be validated: ${REASONS[reason]}. Whether the file is right is not known. ${advice}`;
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
    timetable: new Uint8Array(),
  };
}
