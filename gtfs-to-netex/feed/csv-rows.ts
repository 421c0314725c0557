/**
 * Streams comma-separated values row by row and holds one chunk in memory. Handles quotes (with commas, doubled
 * quotes and line ends inside), a byte order mark, CRLF and empty lines. Nearly all lines have no quote and are split
 * at once. Caller: table.ts. Knows nothing of what the columns mean.
 */
import { FeedError } from './feed-error.ts';

export type TakeRow = (cells: readonly string[], line: number) => void;

/** Some programs leave control characters in names; XML cannot hold them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** `line` is the line in which the row begins, from 1. */
export async function readCsvRows(chunks: AsyncIterable<Uint8Array>, file: string, take: TakeRow): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const rows = new RowSplitter(file, take);
  const decode = (chunk?: Uint8Array): string => {
    try {
      const text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
      return text.replace(NOT_IN_XML, ' ');
    } catch {
      throw new FeedError('the text is not UTF-8. Save the table in UTF-8 and pack the feed again.', {
        file,
        line: rows.line,
      });
    }
  };
  for await (const chunk of chunks) rows.write(decode(chunk), false);
  rows.write(decode(), true);
}

class RowSplitter {
  readonly #file: string;
  readonly #take: TakeRow;
  #pending = '';
  /** Line of the next row. */
  line = 1;

  constructor(file: string, take: TakeRow) {
    this.#file = file;
    this.#take = take;
  }

  write(text: string, isLast: boolean): void {
    const all = this.#pending + text;
    let at = 0;
    let quote = all.indexOf('"');
    while (at < all.length) {
      let end = all.indexOf('\n', at);
      if (end === -1 && !isLast) break;
      if (end === -1) end = all.length;
      if (quote !== -1 && quote < at) quote = all.indexOf('"', at);
      if (quote === -1 || quote > end) {
        this.#takeLine(all, at, end);
        at = end + 1;
      } else {
        const next = this.#takeQuoted(all, at, isLast);
        if (next === -1) break;
        at = next;
      }
    }
    this.#pending = all.slice(at);
  }

  #takeLine(all: string, at: number, end: number): void {
    const line = this.line++;
    const last = end > at && all.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    if (last > at) this.#take(all.slice(at, last).split(','), line);
  }

  /** Reads a row with quotes. Returns where it ends, or −1 when more text is needed. */
  #takeQuoted(all: string, start: number, isLast: boolean): number {
    const cells: string[] = [];
    let at = start;
    for (;;) {
      const cell = readCell(all, at);
      if (cell.end === all.length && !isLast) return -1;
      if (cell.isOpen) {
        throw new FeedError('a quote that opens in this row is never closed. Close it, or double it within a text.', {
          file: this.#file,
          line: this.line,
        });
      }
      cells.push(cell.text);
      at = cell.end + 1;
      if (all[cell.end] !== ',') break;
    }
    const line = this.line;
    for (let index = all.indexOf('\n', start); index !== -1 && index < at; index = all.indexOf('\n', index + 1)) {
      this.line++;
    }
    if (cells.length > 1 || cells[0] !== '') this.#take(cells, line);
    return at;
  }
}

const CARRIAGE_RETURN = 13;

interface Cell {
  readonly text: string;
  /** Index of the comma or line end, or the end of the text. */
  readonly end: number;
  readonly isOpen: boolean;
}

function readCell(all: string, start: number): Cell {
  let at = start;
  while (all[at] === ' ') at++;
  let text = '';
  if (all[at] === '"') {
    for (;;) {
      const close = all.indexOf('"', at + 1);
      if (close === -1) return { text, end: all.length, isOpen: true };
      text += all.slice(at + 1, close);
      at = close + 1;
      if (all[at] !== '"') break;
      text += '"';
    }
  } else at = start;
  let end = at;
  while (end < all.length && all[end] !== ',' && all[end] !== '\n') end++;
  const rest = all.slice(at, end);
  return { text: text + (rest.endsWith('\r') ? rest.slice(0, -1) : rest), end, isOpen: false };
}
