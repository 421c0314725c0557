/**
 * The result of a file whose validation was stopped. It is not valid, and the finding names the limit and what to do.
 * Callers: ValidationThread.
 */
import type { FileResult } from '../file-result.ts';
import type { FileKind } from '../finding.ts';
import { type SeverityChoice, severityOf } from '../rules/finding-list.ts';
import { XML_SCHEMA_ERROR } from '../rules/schema.ts';

type Bound = { readonly type: 'time'; readonly limitMs: number } | { readonly type: 'memory' };

export function unfinishedResult(
  file: { readonly name: string; readonly kind: FileKind; readonly sizeBytes: number },
  bound: Bound,
  context: SeverityChoice,
): FileResult {
  const { code, name } = XML_SCHEMA_ERROR;
  const severity = severityOf(XML_SCHEMA_ERROR, context);
  const megabytes = (file.sizeBytes / 1e6).toFixed(1);
  const reached =
    bound.type === 'time'
      ? `within ${Math.ceil(bound.limitMs / 1000)} s, the limit for its ${megabytes} MB`
      : `in the memory that a file of ${megabytes} MB may use`;
  const message = `The file could not be checked ${reached}. Split it into one file per line, or look for an element that is repeated without end.`;
  return {
    name: file.name,
    kind: file.kind,
    bytes: file.sizeBytes,
    schemaVersion: null,
    lines: 0,
    serviceJourneys: 0,
    lastDay: null,
    findings: [
      { code, name, severity, message, objectId: null, fileName: file.name, lineNumber: null, columnNumber: null },
    ],
    counts: { [code]: 1 },
    capped: [],
    identifiers: new Uint8Array(),
    timetable: new Uint8Array(),
  };
}
