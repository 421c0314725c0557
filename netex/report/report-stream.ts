/**
 * The stored form of a report: the JSON of the API, written and read as a stream, one finding per line. Neither side
 * ever holds a large report whole.
 *
 * Callers: the activity that writes the report; the handlers that serve it as JSON, CSV or page.
 */
import type { ComparedFinding, Report, ReportSummary } from './report-types.ts';

type Sequence<T> = Iterable<T> | AsyncIterable<T>;

const OPENING = '"findings":[';
const CLOSING = ']}';
/** A head with 10,000 files with long names takes 3 MB. */
const LINE_LIMIT = 64 * 1024 * 1024;
const PIECE = 64 * 1024;

/** Yields pieces of at least 64 kB, except for the last. */
export async function* writeReport(
  summary: ReportSummary,
  findings: Sequence<ComparedFinding>,
): AsyncGenerator<string> {
  const { findings: _none, ...head } = summary as Partial<Report>;
  let piece = `${JSON.stringify(head).slice(0, -1)},${OPENING}`;
  let separator = '\n';
  for await (const finding of findings) {
    piece += `${separator}${JSON.stringify(finding)}`;
    separator = ',\n';
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}\n${CLOSING}\n`;
}

/** Reads the output of `writeReport`; throws when it is something else or truncated. */
export async function readReport(
  chunks: Sequence<Uint8Array | string>,
): Promise<{ summary: ReportSummary; findings: AsyncGenerator<ComparedFinding> }> {
  const lines = splitLines(chunks);
  const first = await lines.next();
  if (first.done || !first.value.endsWith(OPENING)) throw new Error('This is not a stored report');
  const summary = JSON.parse(`${first.value.slice(0, -OPENING.length - 1)}}`) as ReportSummary;
  return { summary, findings: parseFindings(lines) };
}

async function* parseFindings(lines: AsyncGenerator<string>): AsyncGenerator<ComparedFinding> {
  for await (const line of lines) {
    if (line === CLOSING) return;
    if (line !== '') yield JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line) as ComparedFinding;
  }
  throw new Error('The stored report is cut short');
}

async function* splitLines(chunks: Sequence<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LIMIT) throw new Error('A line of the stored report is too long');
    yield* lines;
  }
  if (rest !== '') yield rest;
}
