/**
 * Numbers stop places and quays, and gives each a position and a name. Places without their own take them from one
 * another. The packed tables are completed in place.
 */
import { isKnown, type Numbering, numberRows, rowOf } from './numbering.ts';
import type { PackedInput } from './packed-input.ts';
import { Rejections } from './rejections.ts';

export interface ResolvedPlaces {
  readonly stopPlace: Numbering;
  readonly quay: Numbering;
}

interface Positions {
  readonly latitudes: number[];
  readonly longitudes: number[];
}

export function resolvePlaces(input: PackedInput): ResolvedPlaces {
  const { tables, texts, rejections } = input;
  // Only the second numbering reports repeated ids.
  const silent = new Rejections();
  const places = numberRows(tables.stopPlace, texts, silent);
  const quays = numberRows(tables.quay, texts, silent);
  cutParentCycles(input, places);
  placeStopPlaces(input, places, quays);
  const placePositions = positionsOf(input, 'stopPlace');
  const stopPlace = numberRows(tables.stopPlace, texts, rejections, (row) =>
    Number.isNaN(placePositions.latitudes[row]) ? 'no position' : undefined,
  );
  placeQuays(input, stopPlace);
  const quayPositions = positionsOf(input, 'quay');
  const quay = numberRows(tables.quay, texts, rejections, (row) =>
    Number.isNaN(quayPositions.latitudes[row]) ? 'no position' : undefined,
  );
  namePlaces(input, stopPlace);
  return { stopPlace, quay };
}

function positionsOf(input: PackedInput, table: 'stopPlace' | 'quay'): Positions {
  const latitudes = input.tables[table].column('latitude').floats ?? [];
  const longitudes = input.tables[table].column('longitude').floats ?? [];
  return { latitudes, longitudes };
}

/** A stop place that is its own ancestor loses its parent, since walking up would never end. */
function cutParentCycles(input: PackedInput, places: Numbering): void {
  const parents = input.tables.stopPlace.column('parent').values;
  for (const row of places.order) {
    const seen = new Set([row]);
    for (let above = rowOf(places, parents.at(row)); above >= 0; above = rowOf(places, parents.at(above))) {
      if (!seen.has(above)) {
        seen.add(above);
        continue;
      }
      if (above === row) {
        input.rejections.add('stopPlace', 'its own ancestor', input.idOf('stopPlace', row));
        parents.set(row, 0);
      }
      break;
    }
  }
}

/**
 * Takes the place's own position, else the middle of its quays, of the stop places below it, or the position above it.
 */
function placeStopPlaces(input: PackedInput, places: Numbering, quays: Numbering): void {
  const positions = positionsOf(input, 'stopPlace');
  const parents = input.tables.stopPlace.column('parent').values;
  const placeOfQuay = input.tables.quay.numbers('stopPlace');
  fillFromMembers(positions, positionsOf(input, 'quay'), quays.order, (row) => rowOf(places, placeOfQuay[row] ?? 0));
  fillFromMembers(positions, positions, places.order, (row) => rowOf(places, parents.at(row)));
  for (const row of places.order) {
    const above = rowOf(places, parents.at(row));
    if (above < 0 || !Number.isNaN(positions.latitudes[row])) continue;
    positions.latitudes[row] = positions.latitudes[above] ?? Number.NaN;
    positions.longitudes[row] = positions.longitudes[above] ?? Number.NaN;
  }
}

function fillFromMembers(
  groups: Positions,
  members: Positions,
  order: Int32Array,
  groupOf: (member: number) => number,
): void {
  const sums = new Map<number, [number, number, number]>();
  for (const row of order) {
    const group = groupOf(row);
    const latitude = members.latitudes[row] ?? Number.NaN;
    if (group < 0 || Number.isNaN(latitude) || !Number.isNaN(groups.latitudes[group])) continue;
    const sum = sums.get(group) ?? [0, 0, 0];
    sum[0] += latitude;
    sum[1] += members.longitudes[row] ?? 0;
    sum[2]++;
    sums.set(group, sum);
  }
  for (const [group, [latitudes, longitudes, count]] of sums) {
    groups.latitudes[group] = latitudes / count;
    groups.longitudes[group] = longitudes / count;
  }
}

function placeQuays(input: PackedInput, stopPlace: Numbering): void {
  const positions = positionsOf(input, 'quay');
  const places = positionsOf(input, 'stopPlace');
  const placeOfQuay = input.tables.quay.numbers('stopPlace');
  for (let row = 0; row < input.tables.quay.count; row++) {
    const place = rowOf(stopPlace, placeOfQuay[row] ?? 0);
    if (place < 0 || !Number.isNaN(positions.latitudes[row])) continue;
    positions.latitudes[row] = places.latitudes[place] ?? Number.NaN;
    positions.longitudes[row] = places.longitudes[place] ?? Number.NaN;
  }
}

/** Every place gets a name: a quay takes its stop place's name, and a place without any takes its id. */
function namePlaces(input: PackedInput, stopPlace: Numbering): void {
  const { stopPlace: places, quay: quays } = input.tables;
  const placeNames = places.column('name').values;
  const quayNames = quays.column('name').values;
  const placeIds = places.numbers('id');
  for (let row = 0; row < places.count; row++) {
    if (placeNames.at(row) === 0) placeNames.set(row, placeIds[row] ?? 0);
  }
  const placeOfQuay = quays.numbers('stopPlace');
  const quayIds = quays.numbers('id');
  for (let row = 0; row < quays.count; row++) {
    if (quayNames.at(row) !== 0) continue;
    const place = placeOfQuay[row] ?? 0;
    const name = isKnown(stopPlace, place) ? placeNames.at(rowOf(stopPlace, place)) : (quayIds[row] ?? 0);
    quayNames.set(row, name);
  }
}
