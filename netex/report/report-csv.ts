/**
 * Writes a report as CSV (RFC 4180) for spreadsheets, one row per finding. A text that a spreadsheet would run as a
 * formula gets a leading apostrophe, also behind `;` and tab, at which spreadsheets of some languages separate. The column
 * `new` is empty without a previous import to compare with. Rows are in the order of the stored report: findings of the
 * dataset, then file by file.
 */
import type { ComparedFinding, ReportSummary } from './report-types.ts';

const COLUMNS = [
  'severity',
  'code',
  'name',
  'message',
  'objectId',
  'fileName',
  'lineNumber',
  'columnNumber',
  'new',
] as const satisfies ReadonlyArray<keyof ComparedFinding>;

const FORMULA_START = /^(\s*[=+\-@|]|[\t\r\n])/;
/** A spreadsheet that separates at these cuts a quoted text too, because its line has text before the quotation mark. */
const FORMULA_BEHIND_SEPARATOR = /([;\t\r\n])((?:[^\S\t\r\n]|")*[=+\-@|])/g;
const PIECE = 64 * 1024;

export async function* reportToCsv(
  _summary: ReportSummary,
  findings: Iterable<ComparedFinding> | AsyncIterable<ComparedFinding>,
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

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = (FORMULA_START.test(value) ? `'${value}` : value).replace(FORMULA_BEHIND_SEPARATOR, "$1'$2");
  return text !== value || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
