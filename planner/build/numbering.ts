/**
 * Decides which rows of a table the snapshot keeps, and numbers them in the order of the UTF-8 bytes of their ids. So
 * the order of adding does not matter, and a binary search finds an id. If an id repeats, the first row is kept.
 */

import type { TableName } from '../catalogue/tables.ts';
import type { PackedTable } from './packed-table.ts';
import type { Rejections } from './rejections.ts';
import type { TextPool } from './text-pool.ts';

/** A longer id is an error. Other ids contain these ids, and a database keeps them. */
const MOST_ID_BYTES = 1_000;

/** Returns the row that an id names, or −1 for none. */
export function rowOf(numbering: Numbering, id: number): number {
  const index = id === 0 ? -1 : (numbering.indexOf[id] ?? -1);
  return index < 0 ? -1 : (numbering.order[index] ?? -1);
}

export function isKnown(numbering: Numbering, id: number): boolean {
  return rowOf(numbering, id) >= 0;
}

/** The tables whose rows have ids. */
export type NamedTable = Exclude<TableName, 'patternStop' | 'callNotice'>;

export interface Numbering {
  /** Row by index. */
  readonly order: Int32Array;
  /**
   * Index by text number of the id; −1 for an id that the snapshot lacks. The array is shorter than the pool if texts
   * came later.
   */
  readonly indexOf: Int32Array;
}

/** Returns the reason why a row is omitted. '' omits it without a report, and undefined keeps it. */
export type Refusal = (row: number) => string | undefined;

/** Reports repeated ids at each call. */
export function numberRows(
  table: PackedTable<NamedTable>,
  texts: TextPool,
  rejections: Rejections,
  refuse: Refusal = () => undefined,
): Numbering {
  const ids = table.numbers('id');
  const first = firstRows(table, ids, texts, rejections);
  const kept: number[] = [];
  for (const row of first) {
    const reason = refuse(row);
    if (reason === undefined) kept.push(row);
    else if (reason !== '') rejections.add(table.name, reason, texts.text(ids[row] ?? 0) ?? '');
  }
  kept.sort((left, right) => texts.compare(ids[left] ?? 0, ids[right] ?? 0));
  const order = Int32Array.from(kept);
  const indexOf = new Int32Array(texts.size).fill(-1);
  for (let index = 0; index < order.length; index++) indexOf[ids[order[index] ?? 0] ?? 0] = index;
  return { order, indexOf };
}

function firstRows(table: PackedTable<NamedTable>, ids: Int32Array, texts: TextPool, rejections: Rejections): number[] {
  const isTaken = new Uint8Array(texts.size);
  isTaken[0] = 1;
  const rows: number[] = [];
  for (let row = 0; row < table.count; row++) {
    const id = ids[row] ?? 0;
    const reason = id === 0 ? 'without id' : isTaken[id] === 1 ? 'repeated id' : refusedLength(texts, id);
    if (reason === undefined) rows.push(row);
    else rejections.add(table.name, reason, texts.text(id) ?? '');
    isTaken[id] = 1;
  }
  return rows;
}

function refusedLength(texts: TextPool, id: number): string | undefined {
  return texts.bytesOf(id).length > MOST_ID_BYTES ? 'id too long' : undefined;
}
