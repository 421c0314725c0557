/** Lists of the other direction: the lines of an authority, the patterns of a stop …: for each index the rows that name it, ascending. */
import type { SectionWriter } from '../snapshot/section-writer.ts';

/** `pairs` calls its argument with each row and what it names, rows ascending; −1 is nothing. */
export type Pairs = (take: (row: number, named: number) => void) => void;

/** A row that names a thing twice is in its list once. An empty list of lists is stored as nothing. */
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
