/**
 * Everything added to a builder, packed: tables of numbers, each text and polyline once, and the times of all journeys
 * in two arrays. `finish` reads it. The added objects themselves are not kept.
 */

import { TABLES, type TableName } from '../catalogue/tables.ts';
import { GrowingInt32 } from '../model/growing-array.ts';
import { DaySets } from './day-sets.ts';
import type { NamedTable } from './numbering.ts';
import { PackedTable } from './packed-table.ts';
import { PolylinePool } from './polyline-pool.ts';
import { Rejections } from './rejections.ts';
import { TextPool } from './text-pool.ts';

type PackedTables = { readonly [Name in TableName]: PackedTable<Name> };

export class PackedInput {
  readonly texts = new TextPool();
  readonly polylines = new PolylinePool();
  readonly daySets = new DaySets();
  readonly rejections = new Rejections();
  readonly tables: PackedTables;

  /** First row of each pattern in `patternStop`, with an end entry. */
  readonly patternStopsStart = new GrowingInt32();

  /** First row of each journey in `callNotice`, with an end entry. */
  readonly callNoticesStart = new GrowingInt32();

  /** One entry per row of `serviceJourney`. */
  readonly journeyTimesStart = new GrowingInt32();
  readonly journeyCalls = new GrowingInt32();
  readonly journeyDays = new GrowingInt32();
  readonly journeyOffsetsStart = new GrowingInt32();
  readonly journeySearchable = new GrowingInt32();
  readonly arrivals = new GrowingInt32();
  readonly departures = new GrowingInt32();
  readonly startOffsets = new GrowingInt32();
  /** Number of calls that the departures of frequency journeys will have. */
  frequencyCalls = 0;

  /** Transfers: ids as text numbers; metres are −1 if absent. */
  readonly transferFrom = new GrowingInt32();
  readonly transferTo = new GrowingInt32();
  readonly transferMetres = new GrowingInt32();
  readonly transferSeconds = new GrowingInt32();
  readonly transferWheelchairSeconds = new GrowingInt32();

  constructor() {
    const names = Object.keys(TABLES) as TableName[];
    const tables = Object.fromEntries(names.map((name) => [name, new PackedTable(name, this.texts)]));
    this.tables = tables as unknown as PackedTables;
    this.patternStopsStart.push(0);
    this.callNoticesStart.push(0);
    this.journeyOffsetsStart.push(0);
  }

  /** The id of a row, for the report. */
  idOf(table: NamedTable, row: number): string {
    return this.texts.text(this.tables[table].column('id').values.at(row)) ?? '';
  }
}
