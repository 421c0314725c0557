/** Finds quays and stop places near a position or in a box, with the grids and positions of a snapshot. */
import type { StopIndex, StopPlaceIndex } from '../model/indices.ts';
import type { Sections } from '../snapshot/sections.ts';
import { boxAround } from './box-around.ts';
import type { Box, GeoIndex, Near } from './geo-types.ts';
import { greatCircleMetres } from './great-circle.ts';
import { PointGrid } from './point-grid.ts';

/** Names of the sections with the grids. The positions are columns of the catalogue's tables. */
export const QUAY_GRID = 'geo.quay';
export const STOP_PLACE_GRID = 'geo.stopPlace';

class Points<Index extends number> {
  readonly #latitudes: Float64Array;
  readonly #longitudes: Float64Array;
  readonly #grid: PointGrid;

  constructor(latitudes: Float64Array, longitudes: Float64Array, grid: PointGrid) {
    this.#latitudes = latitudes;
    this.#longitudes = longitudes;
    this.#grid = grid;
  }

  near(latitude: number, longitude: number, radiusMetres: number): Near<Index>[] {
    const found: Near<Index>[] = [];
    if (!(radiusMetres >= 0)) return found;
    this.#grid.visit(boxAround(latitude, longitude, radiusMetres), (point) => {
      const distanceMetres = greatCircleMetres(
        latitude,
        longitude,
        this.#latitudes[point] ?? 0,
        this.#longitudes[point] ?? 0,
      );
      if (distanceMetres <= radiusMetres) found.push({ index: point as Index, distanceMetres });
    });
    return found.sort((one, other) => one.distanceMetres - other.distanceMetres || one.index - other.index);
  }

  in(box: Box): Index[] {
    const found: Index[] = [];
    this.#grid.visit(box, (point) => {
      const latitude = this.#latitudes[point] ?? 0;
      const longitude = this.#longitudes[point] ?? 0;
      const isInside =
        latitude >= box.minimumLatitude &&
        latitude <= box.maximumLatitude &&
        longitude >= box.minimumLongitude &&
        longitude <= box.maximumLongitude;
      if (isInside) found.push(point as Index);
    });
    return found.sort((one, other) => one - other);
  }
}

export function openGeoIndex(sections: Sections): GeoIndex {
  const quays = openPoints<StopIndex>(sections, 'quay', QUAY_GRID);
  const stopPlaces = openPoints<StopPlaceIndex>(sections, 'stopPlace', STOP_PLACE_GRID);
  return {
    quaysNear: (latitude, longitude, radiusMetres) => quays.near(latitude, longitude, radiusMetres),
    stopPlacesNear: (latitude, longitude, radiusMetres) => stopPlaces.near(latitude, longitude, radiusMetres),
    quaysIn: (box) => quays.in(box),
    stopPlacesIn: (box) => stopPlaces.in(box),
  };
}

function openPoints<Index extends number>(sections: Sections, table: string, grid: string): Points<Index> {
  return new Points<Index>(
    sections.float64(`${table}.latitude`),
    sections.float64(`${table}.longitude`),
    PointGrid.open(sections, grid),
  );
}
