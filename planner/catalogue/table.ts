/** Opens a table of a snapshot: columns over the sections that `build/table-writer.ts` stored. Nothing is copied. */

import type {
  AuthorityIndex,
  DatedServiceJourneyIndex,
  GroupOfLinesIndex,
  InterchangeIndex,
  JourneyPatternIndex,
  LineIndex,
  NoticeIndex,
  OperatorIndex,
  ServiceJourneyIndex,
  StopIndex,
  StopPlaceIndex,
  TariffZoneIndex,
} from '../model/indices.ts';
import type { IntegerArray, Sections } from '../snapshot/sections.ts';
import { type ColumnKind, type Schema, TABLES, type TableName } from './tables.ts';
import type { Texts } from './texts.ts';

/** Whole numbers, or one number for all rows. */
export class NumberColumn {
  readonly #values: IntegerArray;
  readonly #isFolded: boolean;

  constructor(sections: Sections, section: string) {
    this.#values = sections.integers(section);
    this.#isFolded = this.#values.length === 1;
  }

  at(row: number): number {
    return this.#values[this.#isFolded ? 0 : row] ?? 0;
  }
}

/** A row of another table. */
export class ReferenceColumn<Index extends number> extends NumberColumn {
  find(row: number): Index | undefined {
    const index = this.at(row);
    return index < 0 ? undefined : (index as Index);
  }

  get(row: number): Index {
    return this.at(row) as Index;
  }
}

export class FloatColumn {
  readonly #values: Float64Array;

  constructor(sections: Sections, section: string) {
    this.#values = sections.float64(section);
  }

  at(row: number): number {
    return this.#values[row] ?? 0;
  }
}

export class TextColumn {
  readonly #numbers: NumberColumn;
  readonly #texts: Texts;

  constructor(sections: Sections, section: string, texts: Texts) {
    this.#numbers = new NumberColumn(sections, section);
    this.#texts = texts;
  }

  at(row: number): string | undefined {
    return this.#texts.text(this.#numbers.at(row));
  }

  /** Equal texts have equal numbers. */
  numberAt(row: number): number {
    return this.#numbers.at(row);
  }
}

/** Several numbers a row. */
export class ListColumn<Item extends number = number> {
  readonly #starts: Int32Array;
  readonly #values: IntegerArray;

  constructor(sections: Sections, section: string) {
    this.#starts = sections.int32(`${section}Start`);
    this.#values = sections.integers(section);
  }

  at(row: number): readonly Item[] {
    const begin = this.#starts[row] ?? 0;
    const end = this.#starts[row + 1] ?? 0;
    if (begin === end) return [];
    const items = new Array<Item>(end - begin);
    for (let entry = begin; entry < end; entry++) items[entry - begin] = (this.#values[entry] ?? 0) as Item;
    return items;
  }
}

export class TextsColumn {
  readonly #numbers: ListColumn;
  readonly #texts: Texts;

  constructor(sections: Sections, section: string, texts: Texts) {
    this.#numbers = new ListColumn(sections, section);
    this.#texts = texts;
  }

  at(row: number): readonly string[] {
    return this.#numbers.at(row).map((number) => this.#texts.text(number) ?? '');
  }
}

/** Name of the rows of a table in references. */
interface IndexOf {
  readonly authority: AuthorityIndex;
  readonly operator: OperatorIndex;
  readonly notice: NoticeIndex;
  readonly tariffZone: TariffZoneIndex;
  readonly groupOfLines: GroupOfLinesIndex;
  readonly stopPlace: StopPlaceIndex;
  readonly quay: StopIndex;
  readonly line: LineIndex;
  readonly journeyPattern: JourneyPatternIndex;
  readonly serviceJourney: ServiceJourneyIndex;
  readonly datedServiceJourney: DatedServiceJourneyIndex;
  readonly interchange: InterchangeIndex;
}

type OpenColumn<Kind extends ColumnKind> = Kind extends 'text'
  ? TextColumn
  : Kind extends 'texts'
    ? TextsColumn
    : Kind extends 'integer'
      ? NumberColumn
      : Kind extends 'float'
        ? FloatColumn
        : Kind extends `one:${infer Target extends keyof IndexOf}`
          ? ReferenceColumn<IndexOf[Target]>
          : Kind extends `many:${infer Target extends keyof IndexOf}`
            ? ListColumn<IndexOf[Target]>
            : Kind extends 'polyline'
              ? NumberColumn
              : ListColumn;

export type Table<Name extends TableName> = { readonly rowCount: number } & {
  readonly [Column in keyof Schema<Name>]: Schema<Name>[Column] extends ColumnKind
    ? OpenColumn<Schema<Name>[Column]>
    : never;
};

export function openTable<Name extends TableName>(name: Name, sections: Sections, texts: Texts): Table<Name> {
  const table: Record<string, unknown> = { rowCount: sections.int32(`${name}.count`)[0] ?? 0 };
  for (const [column, kind] of Object.entries(TABLES[name] as Record<string, ColumnKind>)) {
    table[column] = openColumn(kind, `${name}.${column}`, sections, texts);
  }
  return table as Table<Name>;
}

function openColumn(kind: ColumnKind, section: string, sections: Sections, texts: Texts): unknown {
  if (kind === 'text') return new TextColumn(sections, section, texts);
  if (kind === 'texts') return new TextsColumn(sections, section, texts);
  if (kind === 'integer' || kind === 'polyline') return new NumberColumn(sections, section);
  if (kind === 'float') return new FloatColumn(sections, section);
  if (kind.startsWith('one:')) return new ReferenceColumn(sections, section);
  return new ListColumn(sections, section);
}
