/** Finds the whole journey on foot, by bicycle or by car, along the great circle × 1.3. */
import { walkMetres } from '../geo/great-circle.ts';
import type { KnownLocation } from './resolve-location.ts';
import { hundredths, speedOf } from './search-request.ts';
import { CAR_SPEED, MAXIMUM_DIRECT_SECONDS } from './trip-limits.ts';
import type { StreetMode, TripPattern, TripRequest } from './trip-types.ts';

export interface DirectJourney {
  readonly mode: StreetMode;
  readonly metres: number;
  readonly seconds: number;
  /** Hundredths of a second. */
  readonly cost: number;
}

/** Undefined if the request wants none, or if it takes longer than allowed. */
export function directJourney(from: KnownLocation, to: KnownLocation, request: TripRequest): DirectJourney | undefined {
  const mode = request.directMode;
  if (mode === undefined) return undefined;
  const metres = walkMetres(from.end.latitude, from.end.longitude, to.end.latitude, to.end.longitude);
  const speed = mode === 'car' ? CAR_SPEED : speedOf(mode === 'foot' ? request.walkSpeed : request.bikeSpeed);
  const seconds = Math.ceil(metres / speed);
  if (seconds > Math.min(request.maximumDirectSeconds, MAXIMUM_DIRECT_SECONDS)) return undefined;
  const cost = seconds * (mode === 'foot' ? hundredths(request.walkReluctance) : 100);
  return { mode, metres, seconds, cost };
}

/** It starts, or for arrive by ends, exactly at the time of the request. */
export function directPattern(
  { mode, metres, seconds, cost }: DirectJourney,
  from: KnownLocation,
  to: KnownLocation,
  { time, arriveBy }: TripRequest,
): TripPattern {
  const departure = arriveBy ? time - seconds : time;
  const arrival = departure + seconds;
  const leg = {
    kind: 'street',
    mode,
    from: from.end,
    to: to.end,
    departure,
    arrival,
    distanceMetres: metres,
    cost,
  } as const;
  return { departure, arrival, cost, walkSeconds: mode === 'foot' ? seconds : 0, waitSeconds: 0, legs: [leg] };
}
