/**
 * Stores packed tables as sections: one array per column, two for a list. Texts and references get their final numbers
 * here. A reference to an unknown row is dropped and counted.
 *
 * A column with the same value in every row is stored as that value. A list column without values is not stored.
 * Integers are stored in the narrowest kind that holds them.
 */

import type { ColumnKind, TableName } from '../catalogue/tables.ts';
import { GrowingInt32 } from '../model/growing-array.ts';
import type { SectionWriter } from '../snapshot/section-writer.ts';
import type { SectionArray } from '../snapshot/snapshot-format.ts';
import type { FinalNumbers } from './final-numbers.ts';
import type { NamedTable, Numbering } from './numbering.ts';
import type { PackedColumn, PackedTable } from './packed-table.ts';
import type { Rejections } from './rejections.ts';
import type { TextPool } from './text-pool.ts';

export interface TableWriterInput {
  readonly sections: SectionWriter;
  readonly pool: TextPool;
  readonly texts: FinalNumbers;
  readonly polylines: FinalNumbers;
  readonly numberings: Readonly<Record<NamedTable, Numbering>>;
  readonly rejections: Rejections;
}

/** Stores the rows of `order`, in that order. */
export function writeTable(table: PackedTable<TableName>, order: Int32Array, input: TableWriterInput): void {
  input.sections.add(`${table.name}.count`, Int32Array.of(order.length));
  const ids = table.columns.get('id')?.values.view();
  for (const [name, column] of table.columns) {
    const section = `${table.name}.${name}`;
    const toFinal = finalNumbers(table.name, column.kind, input, (row) => ids?.[row] ?? 0);
    if (column.floats !== undefined) writeFloats(section, column.floats, order, input.sections);
    else if (column.starts === undefined) {
      const values = Int32Array.from(order, (row) => toFinal(column.values.at(row), row));
      input.sections.add(section, narrowest(values, true));
    } else writeList(section, column, order, toFinal, input.sections);
  }
}

type ToFinal = (value: number, row: number) => number;

function finalNumbers(
  table: TableName,
  kind: ColumnKind,
  input: TableWriterInput,
  idOf: (row: number) => number,
): ToFinal {
  if (kind === 'text' || kind === 'texts') return (value) => input.texts.numberOf(value);
  if (kind === 'polyline') return (value) => input.polylines.numberOf(value);
  if (!kind.includes(':')) return (value) => value;
  const target = kind.slice(kind.indexOf(':') + 1) as NamedTable;
  const { indexOf } = input.numberings[target];
  return (value, row) => {
    const index = value === 0 ? -1 : (indexOf[value] ?? -1);
    if (value !== 0 && index === -1) {
      const id = idOf(row);
      input.rejections.add(table, `unknown ${target}`, input.pool.text(id === 0 ? value : id) ?? '');
    }
    return index;
  };
}

function writeFloats(section: string, floats: readonly number[], order: Int32Array, sections: SectionWriter): void {
  sections.add(
    section,
    Float64Array.from(order, (row) => floats[row] ?? Number.NaN),
  );
}

function writeList(
  section: string,
  column: PackedColumn,
  order: Int32Array,
  toFinal: ToFinal,
  sections: SectionWriter,
): void {
  const values = new GrowingInt32();
  const starts = new Int32Array(order.length + 1);
  for (let index = 0; index < order.length; index++) {
    const row = order[index] ?? 0;
    const end = column.starts?.at(row + 1) ?? 0;
    for (let entry = column.starts?.at(row) ?? 0; entry < end; entry++) {
      const value = toFinal(column.values.at(entry), row);
      if (value >= 0) values.push(value);
    }
    starts[index + 1] = values.length;
  }
  sections.add(`${section}Start`, values.length === 0 ? new Int32Array(0) : starts);
  sections.add(section, narrowest(values.view().slice(), false));
}

/** With `mayFold`, a column with the same value in every row is stored as that one value. */
function narrowest(values: Int32Array, mayFold: boolean): SectionArray {
  let least = 0;
  let most = 0;
  let isConstant = mayFold;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
    if (value !== values[0]) isConstant = false;
  }
  const stored = isConstant ? values.slice(0, 1) : values;
  if (least >= 0 && most <= 0xff) return Uint8Array.from(stored);
  if (least >= 0 && most <= 0xffff) return Uint16Array.from(stored);
  if (least >= -0x8000 && most <= 0x7fff) return Int16Array.from(stored);
  return stored;
}
