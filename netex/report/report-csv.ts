/**
 * A report as CSV (RFC 4180) for spreadsheets: a row a finding. A text that a spreadsheet would run as a formula gets an
 * apostrophe before it, which it shows as text.
 */
import type { Finding } from '../finding.ts';
import type { ReportSummary } from './report-types.ts';

const COLUMNS = [
  'severity',
  'code',
  'name',
  'message',
  'objectId',
  'fileName',
  'lineNumber',
  'columnNumber',
] as const satisfies ReadonlyArray<keyof Finding>;

const FORMULA_START = /^(\s*[=+\-@|]|[\t\r\n])/;
const PIECE = 64 * 1024;

export async function* reportToCsv(
  _summary: ReportSummary,
  findings: Iterable<Finding> | AsyncIterable<Finding>,
): AsyncGenerator<string> {
  let piece = `${COLUMNS.join(',')}\r\n`;
  for await (const finding of findings) {
    piece += `${COLUMNS.map((column) => cell(finding[column])).join(',')}\r\n`;
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
