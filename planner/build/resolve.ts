/**
 * Decides which elements of the input the snapshot keeps, and numbers them, each table after those it refers to. It
 * also derives the values that several later steps use. The packed tables are completed in place.
 */
import { GrowingInt32 } from '../model/growing-array.ts';
import type { SnapshotOptions } from './input.ts';
import { type NamedTable, type Numbering, numberRows, rowOf } from './numbering.ts';
import type { PackedInput } from './packed-input.ts';
import { resolveDatedJourneys, resolveInterchanges, resolveJourneys } from './resolve-journeys.ts';
import { patternsInUse, resolveLines, resolvePatterns } from './resolve-lines.ts';
import { resolvePlaces } from './resolve-places.ts';
import { type ServicePeriod, servicePeriod } from './service-period.ts';
import { mainTimeZone } from './time-zones.ts';

/** The number of a journey's zone has 8 bits, and every board looks at each zone. */
const MOST_ZONES = 200;

export interface Resolved extends Readonly<Record<NamedTable, Numbering>> {
  readonly period: ServicePeriod;
  readonly stopPositions: { readonly stopLatitude: Float64Array; readonly stopLongitude: Float64Array };
  /** Rows of `patternStop` of all patterns in their order, and where each pattern's begin. */
  readonly patternStopRows: Int32Array;
  readonly patternStopsStart: Int32Array;
  readonly callNoticeRows: Int32Array;
  readonly callNoticesStart: Int32Array;
  /** Name of the time zone by line. */
  readonly zoneOfLine: readonly string[];
}

export function resolveInput(input: PackedInput, options: SnapshotOptions): Resolved {
  const { tables, texts, rejections } = input;
  const period = servicePeriod(input, options);
  fillMissing(input);
  const authority = numberRows(tables.authority, texts, rejections);
  const { stopPlace, quay } = resolvePlaces(input);
  const line = resolveLines(input, authority);
  const known = resolvePatterns(input, line, quay);
  const serviceJourney = resolveJourneys(input, period, line, known);
  const journeyPattern = patternsInUse(input, known, serviceJourney);
  const patternStops = rowsOf(journeyPattern.order, input.patternStopsStart);
  const callNotices = rowsOf(serviceJourney.order, input.callNoticesStart);
  return {
    period,
    authority,
    operator: numberRows(tables.operator, texts, rejections),
    notice: numberRows(tables.notice, texts, rejections),
    tariffZone: numberRows(tables.tariffZone, texts, rejections),
    groupOfLines: numberRows(tables.groupOfLines, texts, rejections),
    stopPlace,
    quay,
    line,
    journeyPattern,
    serviceJourney,
    datedServiceJourney: resolveDatedJourneys(input, period, serviceJourney),
    interchange: resolveInterchanges(input, serviceJourney),
    stopPositions: stopPositionsOf(input, quay),
    patternStopRows: patternStops.rows,
    patternStopsStart: patternStops.starts,
    callNoticeRows: callNotices.rows,
    callNoticesStart: callNotices.starts,
    zoneOfLine: zonesOf(input, line, authority),
  };
}

/** Fills the values that the catalogue must have: time zones and names of organisations. */
function fillMissing(input: PackedInput): void {
  const zone = input.texts.numberOf(mainTimeZone(input));
  for (const table of [input.tables.authority, input.tables.stopPlace]) {
    fill(table.columns.get('timeZone')?.values, () => zone);
  }
  for (const table of [input.tables.authority, input.tables.operator]) {
    const ids = table.columns.get('id')?.values;
    fill(table.columns.get('name')?.values, (row) => ids?.at(row) ?? 0);
  }
}

function fill(column: GrowingInt32 | undefined, numberOf: (row: number) => number): void {
  for (let row = 0; column !== undefined && row < column.length; row++) {
    if (column.at(row) === 0) column.set(row, numberOf(row));
  }
}

/** Concatenates the rows that belong to the rows of `order`. */
function rowsOf(order: Int32Array, startOfRow: GrowingInt32): { rows: Int32Array; starts: Int32Array } {
  const rows = new GrowingInt32();
  const starts = new Int32Array(order.length + 1);
  for (let index = 0; index < order.length; index++) {
    const row = order[index] ?? 0;
    for (let entry = startOfRow.at(row); entry < startOfRow.at(row + 1); entry++) rows.push(entry);
    starts[index + 1] = rows.length;
  }
  return { rows: rows.view().slice(), starts };
}

function stopPositionsOf(input: PackedInput, quay: Numbering): Resolved['stopPositions'] {
  const latitudes = input.tables.quay.column('latitude').floats ?? [];
  const longitudes = input.tables.quay.column('longitude').floats ?? [];
  return {
    stopLatitude: Float64Array.from(quay.order, (row) => latitudes[row] ?? 0),
    stopLongitude: Float64Array.from(quay.order, (row) => longitudes[row] ?? 0),
  };
}

function zonesOf(input: PackedInput, line: Numbering, authority: Numbering): string[] {
  const authorities = input.tables.line.numbers('authority');
  const zones = input.tables.authority.numbers('timeZone');
  const zoneOf = (row: number): number => zones[rowOf(authority, authorities[row] ?? 0)] ?? 0;
  const names = Array.from(line.order, (row) => input.texts.text(zoneOf(row)) ?? '');
  const kept = new Set([mainTimeZone(input), ...new Set([...names].sort())].slice(0, MOST_ZONES));
  return names.map((name, index) => {
    if (kept.has(name)) return name;
    input.rejections.add('line', 'more than 200 time zones', input.idOf('line', line.order[index] ?? 0));
    return mainTimeZone(input);
  });
}
