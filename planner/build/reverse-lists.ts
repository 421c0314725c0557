/**
 * Writes lists of the other direction, such as the lines of an authority or the patterns of a stop. Each index has the
 * rows that name it, ascending.
 */
import type { SectionWriter } from '../snapshot/section-writer.ts';

/** Calls `take` with each row and the index that it names, rows ascending. −1 means none. */
export type Pairs = (take: (row: number, named: number) => void) => void;

/** A row that names an index twice is in its list once. A list of lists without entries is not stored. */
export function writeReverseLists(sections: SectionWriter, name: string, count: number, pairs: Pairs): void {
  const starts = new Int32Array(count + 1);
  const lastRow = new Int32Array(count).fill(-1);
  pairs((row, named) => {
    if (named < 0 || named >= count || lastRow[named] === row) return;
    lastRow[named] = row;
    starts[named + 1] = (starts[named + 1] ?? 0) + 1;
  });
  for (let named = 0; named < count; named++) starts[named + 1] = (starts[named + 1] ?? 0) + (starts[named] ?? 0);
  const rows = new Int32Array(starts[count] ?? 0);
  const next = starts.slice();
  lastRow.fill(-1);
  pairs((row, named) => {
    if (named < 0 || named >= count || lastRow[named] === row) return;
    lastRow[named] = row;
    const entry = next[named] ?? 0;
    rows[entry] = row;
    next[named] = entry + 1;
  });
  sections.add(`${name}Start`, rows.length === 0 ? new Int32Array(0) : starts);
  sections.add(name, rows);
}
