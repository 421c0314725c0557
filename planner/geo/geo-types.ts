/** Types of the geographical index, which finds quays and stop places by a grid. */
import type { StopIndex, StopPlaceIndex } from '../model/indices.ts';

export interface Near<Kind> {
  readonly index: Kind;
  /** Distance along the great circle. */
  readonly distanceMetres: number;
}

export interface Box {
  readonly minimumLatitude: number;
  readonly minimumLongitude: number;
  readonly maximumLatitude: number;
  readonly maximumLongitude: number;
}

export interface GeoIndex {
  /** Nearest first; equal distances by index. */
  quaysNear(latitude: number, longitude: number, radiusMetres: number): readonly Near<StopIndex>[];
  stopPlacesNear(latitude: number, longitude: number, radiusMetres: number): readonly Near<StopPlaceIndex>[];
  quaysIn(box: Box): readonly StopIndex[];
  stopPlacesIn(box: Box): readonly StopPlaceIndex[];
}
