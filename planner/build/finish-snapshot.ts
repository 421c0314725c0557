/**
 * Makes the snapshot file from packed input: resolves references, then writes catalogue, footpaths, transit arrays,
 * boards and grids.
 */
import { writeBoards } from '../boards/write-boards.ts';
import { QUAY_GRID, STOP_PLACE_GRID } from '../geo/geo-index.ts';
import { PointGrid } from '../geo/point-grid.ts';
import { SectionWriter } from '../snapshot/section-writer.ts';
import { buildTransit } from '../transit/build-transit.ts';
import { openTransit } from '../transit/open-transit.ts';
import { boardablePatterns } from './boardable-patterns.ts';
import { DEFAULT_FOOTPATH_METRES, type Footpaths, layFootpaths } from './footpaths.ts';
import type { BuiltSnapshot, SnapshotOptions } from './input.ts';
import type { PackedInput } from './packed-input.ts';
import { expandTransfers } from './published-transfers.ts';
import { type Resolved, resolveInput } from './resolve.ts';
import { transitOfInput } from './transit-of-input.ts';
import { writeCatalogue } from './write-catalogue.ts';

export function finishSnapshot(input: PackedInput, options: SnapshotOptions): BuiltSnapshot {
  const sections = new SectionWriter();
  const resolved = resolveInput(input, options);
  sections.add('snapshot.builtAt', Float64Array.of(options.builtAt));
  writeCatalogue(input, resolved, sections);
  const footpaths = footpathsOf(input, resolved, sections, options);
  const counts = buildTransit(transitOfInput(input, resolved, footpaths), sections);
  writeBoards(openTransit(sections.written()), sections);
  writeGrids(sections);
  const { bytes, snapshotId } = sections.finish();
  const report = { counts: { ...countsOf(resolved), ...counts }, rejected: input.rejections.list() };
  return { bytes, snapshotId, report };
}

function countsOf(resolved: Resolved): Record<string, number> {
  return {
    authorities: resolved.authority.order.length,
    operators: resolved.operator.order.length,
    lines: resolved.line.order.length,
    groupsOfLines: resolved.groupOfLines.order.length,
    stopPlaces: resolved.stopPlace.order.length,
    quays: resolved.quay.order.length,
    tariffZones: resolved.tariffZone.order.length,
    notices: resolved.notice.order.length,
    journeyPatterns: resolved.journeyPattern.order.length,
    serviceJourneys: resolved.serviceJourney.order.length,
    datedServiceJourneys: resolved.datedServiceJourney.order.length,
    publishedInterchanges: resolved.interchange.order.length,
  };
}

function footpathsOf(
  input: PackedInput,
  resolved: Resolved,
  sections: SectionWriter,
  options: SnapshotOptions,
): Footpaths {
  const quaysOf = quaysOfPlaces(resolved, sections);
  const published = expandTransfers(input, resolved.quay, (id) => {
    const place = resolved.stopPlace.indexOf[id] ?? -1;
    return place < 0 ? undefined : quaysOf(place);
  });
  return layFootpaths({
    latitudes: resolved.stopPositions.stopLatitude,
    longitudes: resolved.stopPositions.stopLongitude,
    boardable: boardablePatterns(input, resolved),
    reachMetres: options.footpathMetres ?? DEFAULT_FOOTPATH_METRES,
    published,
  });
}

/** Lists the quays of a stop place and of those below it, from the lists just stored. */
function quaysOfPlaces(resolved: Resolved, sections: SectionWriter): (place: number) => readonly number[] {
  const written = sections.written();
  const listOf = (name: string): ((place: number) => Int32Array) => {
    const [starts, rows] = [written.int32(`lists.${name}Start`), written.int32(`lists.${name}`)];
    return (place) => rows.subarray(starts[place] ?? 0, starts[place + 1] ?? 0);
  };
  const [quaysOf, childrenOf] = [listOf('quaysOf'), listOf('childrenOf')];
  const all = (place: number): number[] => [...quaysOf(place), ...[...childrenOf(place)].flatMap(all)];
  const known = new Map<number, readonly number[]>();
  return (place) => {
    const quays = known.get(place) ?? all(place);
    known.set(place, quays);
    return resolved.quay.order.length === 0 ? [] : quays;
  };
}

function writeGrids(sections: SectionWriter): void {
  const written = sections.written();
  for (const [table, grid] of [
    ['quay', QUAY_GRID],
    ['stopPlace', STOP_PLACE_GRID],
  ] as const) {
    PointGrid.of(written.float64(`${table}.latitude`), written.float64(`${table}.longitude`)).write(sections, grid);
  }
}
