/** The tables and pools that all views of a snapshot read. */
import type { Sections } from '../snapshot/sections.ts';
import { Polylines } from './polylines.ts';
import { openTable, type Table } from './table.ts';
import { TABLES, type TableName } from './tables.ts';
import { Texts } from './texts.ts';

export interface CatalogueReader {
  readonly tables: { readonly [Name in TableName]: Table<Name> };
  readonly texts: Texts;
  readonly polylines: Polylines;
  readonly patternStopsStart: Int32Array;
  readonly callNoticesStart: Int32Array;
}

export function openReader(sections: Sections): CatalogueReader {
  const texts = new Texts(sections);
  const names = Object.keys(TABLES) as TableName[];
  const tables = Object.fromEntries(names.map((name) => [name, openTable(name, sections, texts)]));
  return {
    tables: tables as unknown as CatalogueReader['tables'],
    texts,
    polylines: new Polylines(sections),
    patternStopsStart: sections.int32('journeyPattern.stopsStart'),
    callNoticesStart: sections.int32('serviceJourney.callNoticesStart'),
  };
}
