/**
 * A table of the catalogue during the build. Rows are in the order they came, and each column is a growing array of
 * numbers. A reference is the text number of an id until `writeTable` knows the index.
 */
import { type ColumnKind, type Schema, TABLES, type TableName } from '../catalogue/tables.ts';
import { GrowingInt32 } from '../model/growing-array.ts';
import type { TextPool } from './text-pool.ts';

type ValueOf<Kind extends ColumnKind> = Kind extends 'text' | `one:${string}`
  ? string | undefined
  : Kind extends 'texts' | `many:${string}`
    ? readonly string[] | undefined
    : Kind extends 'integers'
      ? readonly number[]
      : number;

export type Row<Name extends TableName> = {
  readonly [Column in keyof Schema<Name>]: Schema<Name>[Column] extends ColumnKind
    ? ValueOf<Schema<Name>[Column]>
    : never;
};

/**
 * For `list`: `starts` has the place where each row's values begin, and one last entry. `values` then holds the values
 * of all rows.
 */
export interface PackedColumn {
  readonly kind: ColumnKind;
  readonly values: GrowingInt32;
  readonly starts: GrowingInt32 | undefined;
  readonly floats: number[] | undefined;
}

export class PackedTable<Name extends TableName> {
  readonly name: Name;
  readonly columns: ReadonlyMap<string, PackedColumn>;
  readonly #texts: TextPool;
  #count = 0;

  constructor(name: Name, texts: TextPool) {
    this.name = name;
    this.#texts = texts;
    const columns = Object.entries(TABLES[name] as Record<string, ColumnKind>);
    this.columns = new Map(columns.map(([column, kind]) => [column, emptyColumn(kind)]));
  }

  get count(): number {
    return this.#count;
  }

  add(row: Row<Name>): number {
    const values = row as Record<string, unknown>;
    for (const [name, column] of this.columns) this.#put(column, values[name]);
    return this.#count++;
  }

  column(name: keyof Schema<Name> & string): PackedColumn {
    const column = this.columns.get(name);
    if (column === undefined) throw new Error(`table ${this.name} has no column ${name}`);
    return column;
  }

  /** The numbers of a column, by row. Do not keep the array over an `add`. */
  numbers(name: keyof Schema<Name> & string): Int32Array {
    return this.column(name).values.view();
  }

  #put(column: PackedColumn, value: unknown): void {
    if (column.floats !== undefined) column.floats.push(value as number);
    else if (column.starts === undefined) column.values.push(this.#numberOf(column.kind, value));
    else {
      for (const item of (value as readonly unknown[] | undefined) ?? []) {
        column.values.push(this.#numberOf(column.kind, item));
      }
      column.starts.push(column.values.length);
    }
  }

  #numberOf(kind: ColumnKind, value: unknown): number {
    if (kind === 'integer' || kind === 'integers' || kind === 'polyline') return value as number;
    return this.#texts.numberOf(value as string | undefined);
  }
}

function emptyColumn(kind: ColumnKind): PackedColumn {
  const isList = kind === 'texts' || kind === 'integers' || kind.startsWith('many:');
  const starts = isList ? new GrowingInt32() : undefined;
  starts?.push(0);
  return { kind, values: new GrowingInt32(), starts, floats: kind === 'float' ? [] : undefined };
}
