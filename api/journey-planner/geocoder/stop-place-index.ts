/**
 * Stop places of one snapshot by name: each once, by its uppermost place; quays and places below others are not shown. Holds numbers of the
 * snapshot, not the snapshot, so that a replaced one can go. Built by `geocoder.ts`.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { StopPlaceIndex } from '../../../planner/model/indices.ts';
import { TRANSPORT_MODES, type TransportMode } from '../../../planner/model/transport-mode.ts';
import { foldWords } from './fold-text.ts';
import type { NameIndex } from './name-index.ts';
import { NameIndexBuilder } from './name-index-builder.ts';
import { importanceOf } from './place-category.ts';

export interface StopPlaceNames {
  readonly snapshotId: string;
  readonly names: NameIndex;
  /** By number in the index. */
  readonly places: Int32Array;
  /** Degrees, for those that are near. */
  readonly latitudes: Float32Array;
  readonly longitudes: Float32Array;
}

export async function buildStopPlaceNames(timetable: Timetable): Promise<StopPlaceNames> {
  const { stopPlaces } = timetable.catalogue;
  const builder = new NameIndexBuilder();
  const places = new Int32Array(stopPlaces.count);
  const latitudes = new Float32Array(stopPlaces.count);
  const longitudes = new Float32Array(stopPlaces.count);
  let count = 0;
  for (let index = 0 as StopPlaceIndex; index < stopPlaces.count; index++) {
    const place = stopPlaces.at(index);
    if (place.parent === undefined) {
      const { lines, modes } = usesOf(timetable, index);
      const surroundings = [...foldWords(place.locality ?? ''), ...foldWords(place.county ?? '')];
      builder.add(foldWords(place.name), surroundings, importanceOf(lines, modes.length));
      latitudes[count] = place.latitude;
      longitudes[count] = place.longitude;
      places[count++] = index;
    }
    if (builder.slicer.isOver) await builder.slicer.rest();
  }
  const names = await builder.finish();
  return {
    ...{ snapshotId: timetable.snapshotId, names, places: places.slice(0, count) },
    ...{ latitudes: latitudes.slice(0, count), longitudes: longitudes.slice(0, count) },
  };
}

/** Lines and modes that call at a place or below it. */
export function usesOf(
  { catalogue, transit }: Timetable,
  place: StopPlaceIndex,
): { lines: number; modes: readonly TransportMode[] } {
  const lines = new Set<number>();
  const modes = new Set<number>();
  for (const stop of catalogue.quaysOf(place, true)) {
    const end = transit.stopRoutesStart[stop + 1] as number;
    for (let at = transit.stopRoutesStart[stop] as number; at < end; at++) {
      const route = transit.stopRoutes[at] as number;
      lines.add(transit.routeLine[route] as number);
      modes.add(transit.routeMode[route] as number);
    }
  }
  return {
    lines: lines.size,
    modes: [...modes].sort((a, b) => a - b).map((mode) => TRANSPORT_MODES[mode] ?? 'unknown'),
  };
}
