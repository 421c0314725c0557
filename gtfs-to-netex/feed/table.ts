/**
 * A table of a feed, with columns by name and rows of cells. Callers: the readers of each table, which look up their
 * columns once and then receive every row.
 */

import { readCsvRows } from './csv-rows.ts';
import type { FeedArchive } from './feed-archive.ts';
import { messageOf } from './feed-archive.ts';
import { FeedError } from './feed-error.ts';

/** Index of a column in the row; −1 when the table has none. */
export type Column = number;

export class Columns {
  readonly file: string;
  readonly #names: readonly string[];

  constructor(file: string, names: readonly string[]) {
    this.file = file;
    this.#names = names.map((name) => name.trim().toLowerCase());
  }

  required(name: string): Column {
    const column = this.#names.indexOf(name);
    if (column !== -1) return column;
    const known = this.#names.join(', ');
    throw new FeedError(`the column ${name} is missing. The table has ${known}.`, { file: this.file, line: 1 });
  }

  optional(name: string): Column {
    return this.#names.indexOf(name);
  }
}

/** One object is reused for every row. */
export class Row {
  readonly file: string;
  cells: readonly string[] = [];
  line = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** Trimmed; empty when the row or the table has no such cell. */
  text(column: Column): string {
    return this.cells[column]?.trim() ?? '';
  }

  fail(column: string, message: string): never {
    throw new FeedError(message, { file: this.file, line: this.line, column });
  }
}

export type Progress = (text: string) => void;

const TELL_EACH_MS = 2000;

/** `begin` receives the columns and returns the handler of a row. Does nothing when the table is missing. */
export async function readTable(
  feed: FeedArchive,
  file: string,
  onProgress: Progress,
  begin: (columns: Columns) => (row: Row) => void,
): Promise<number> {
  const row = new Row(file);
  let take: ((row: Row) => void) | undefined;
  let rows = 0;
  let reportedAt = performance.now();
  const stream = await feed.open(file);
  try {
    await readCsvRows(stream, file, (cells, line) => {
      if (!take) {
        take = begin(new Columns(file, cells));
        return;
      }
      row.cells = cells;
      row.line = line;
      take(row);
      rows++;
      if ((rows & 0xffff) === 0 && performance.now() - reportedAt > TELL_EACH_MS) {
        reportedAt = performance.now();
        onProgress(`${file}: ${rows.toLocaleString('en')} rows`);
      }
    });
  } catch (error) {
    if (error instanceof FeedError) throw error;
    throw new FeedError(`it cannot be unpacked: ${messageOf(error)}. Fetch the feed again.`, { file });
  } finally {
    stream.destroy();
  }
  if (!take) throw new FeedError('the table is empty, even of column names.', { file });
  onProgress(`${file}: ${rows.toLocaleString('en')} rows read`);
  return rows;
}
