/** Resolves ids and positions of a request to stops and positions of the snapshot. */
import type { Catalogue } from '../model/catalogue.ts';
import type { StopIndex } from '../model/indices.ts';
import type { LegEnd, ResolvedLocation, TripLocation } from './trip-types.ts';

/** A resolved location: its position, and the stops it includes without a walk. */
export interface KnownLocation {
  readonly resolved: ResolvedLocation;
  readonly stops: readonly StopIndex[];
  /** The location as origin or destination of a leg. */
  readonly end: LegEnd;
}

export function findStops(catalogue: Catalogue, id: string): readonly StopIndex[] | undefined {
  const quay = catalogue.quays.find(id);
  if (quay !== undefined) return [quay.index];
  const place = catalogue.stopPlaces.find(id);
  return place === undefined ? undefined : catalogue.quaysOf(place.index, true);
}

/**
 * Undefined if the id is unknown and there is no position. The request's own name takes precedence over the published
 * one.
 */
export function findLocation(catalogue: Catalogue, location: TripLocation): KnownLocation | undefined {
  const quay = location.place === undefined ? undefined : catalogue.quays.find(location.place);
  if (quay !== undefined) {
    const { latitude, longitude, index: stop, stopPlace } = quay;
    const name = location.name ?? quay.name;
    const resolved = { name, latitude, longitude, stop, stopPlace };
    return { resolved, stops: [stop], end: { name, latitude, longitude, stop } };
  }
  const place = location.place === undefined ? undefined : catalogue.stopPlaces.find(location.place);
  if (place !== undefined) {
    const { latitude, longitude, index: stopPlace } = place;
    const name = location.name ?? place.name;
    const resolved = { name, latitude, longitude, stop: undefined, stopPlace };
    const end = { name, latitude, longitude, stop: undefined };
    return { resolved, stops: catalogue.quaysOf(stopPlace, true), end };
  }
  return positionOf(location);
}

function positionOf({ name, latitude, longitude }: TripLocation): KnownLocation | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  const end = { name, latitude, longitude, stop: undefined };
  return { resolved: { ...end, stopPlace: undefined }, stops: [], end };
}

/** The answer's entry for an unknown location. */
export function unresolved({ name, latitude, longitude }: TripLocation): ResolvedLocation {
  return { name, latitude, longitude, stop: undefined, stopPlace: undefined };
}
