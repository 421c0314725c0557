/**
 * Makes the times of every trip complete and increasing, in place, as our rules require. Returns which trips can be
 * used at all and counts what it changed. Caller: the timetable.
 */
import { distanceMetres } from '../../netex/geo/distance.ts';
import type { ChangeLog } from '../feed/change-log.ts';
import type { Calls, Trips } from '../feed/feed.ts';
import { NO_TIME } from '../feed/values.ts';
import type { StopPositions } from './stop-positions.ts';

/** How to place stops without times between two stops with times. */
export type Interpolation = 'distance' | 'evenly';

export interface TimeSource {
  readonly calls: Calls;
  readonly positions: StopPositions;
  readonly interpolation: Interpolation;
}

/** 1 for each trip with at least two calls and with times at the first and last. */
export function mendTimes(trips: Trips, source: TimeSource, changes: ChangeLog): Uint8Array {
  const usable = new Uint8Array(trips.ids.length);
  for (let trip = 0; trip < usable.length; trip++) {
    const from = source.calls.first[trip] as number;
    const to = source.calls.first[trip + 1] as number;
    const id = trips.ids[trip];
    if (to - from < 2) changes.note('trips left out with fewer than two stop times', id);
    else if (!completeEnds(source.calls, from, to)) {
      changes.note('trips left out without a time at the first or the last stop', id);
    } else {
      usable[trip] = 1;
      if (goForward(source.calls, from, to)) changes.note('trips whose times went backwards: later ones moved on', id);
      if (interpolate(source, from, to)) changes.note('trips with times worked out between those given', id);
    }
  }
  return usable;
}

function completeEnds({ arrival, departure }: Calls, from: number, to: number): boolean {
  for (let call = from; call < to; call++) {
    if (arrival[call] === NO_TIME) arrival[call] = departure[call] as number;
    else if (departure[call] === NO_TIME) departure[call] = arrival[call] as number;
  }
  return arrival[from] !== NO_TIME && arrival[to - 1] !== NO_TIME;
}

function goForward({ arrival, departure }: Calls, from: number, to: number): boolean {
  let isChanged = false;
  let reached = 0;
  for (let call = from; call < to; call++) {
    if (arrival[call] === NO_TIME) continue;
    if ((arrival[call] as number) < reached) {
      arrival[call] = reached;
      isChanged = true;
    }
    if ((departure[call] as number) < (arrival[call] as number)) {
      departure[call] = arrival[call] as number;
      isChanged = true;
    }
    reached = departure[call] as number;
  }
  return isChanged;
}

function interpolate(source: TimeSource, from: number, to: number): boolean {
  const { arrival } = source.calls;
  let isChanged = false;
  let timed = from;
  for (let call = from + 1; call < to; call++) {
    if (arrival[call] === NO_TIME) continue;
    if (call > timed + 1) {
      fill(source, timed, call);
      isChanged = true;
    }
    timed = call;
  }
  return isChanged;
}

function fill(source: TimeSource, from: number, to: number): void {
  const { arrival, departure } = source.calls;
  const start = departure[from] as number;
  const seconds = (arrival[to] as number) - start;
  const places = placesBetween(source, from, to);
  const whole = places[to - from] as number;
  for (let call = from + 1; call < to; call++) {
    const time = start + Math.round((seconds * (places[call - from] as number)) / whole);
    arrival[call] = time;
    departure[call] = time;
  }
}

/** For each call from the first to the last: the distance covered, in any unit. */
function placesBetween({ calls, positions, interpolation }: TimeSource, from: number, to: number): number[] {
  const travelled = calls.shapeDistance?.subarray(from, to + 1);
  const hops = Array.from({ length: to - from }, (_, hop) => {
    if (interpolation === 'evenly') return 1;
    if (travelled && isForward(travelled)) return (travelled[hop + 1] as number) - (travelled[hop] as number);
    return hopMetres(positions, calls.stop[from + hop] as number, calls.stop[from + hop + 1] as number);
  });
  const isKnown = hops.every((hop) => hop >= 0) && hops.some((hop) => hop > 0);
  const places = [0];
  for (const hop of hops) places.push((places.at(-1) ?? 0) + (isKnown ? hop : 1));
  return places;
}

function isForward(travelled: Float64Array): boolean {
  return travelled.every((distance, index) => index === 0 || distance >= (travelled[index - 1] as number));
}

function hopMetres({ latitude, longitude }: StopPositions, from: number, to: number): number {
  return distanceMetres(
    latitude[from] as number,
    longitude[from] as number,
    latitude[to] as number,
    longitude[to] as number,
  );
}
