/**
 * Ensures that no journey is faster than its mode allows (HIGH_SPEED, an ERROR). Feeds have rounded times, misplaced
 * stops, and metros that are railways by our limits. Caller: the timetable, after the times are complete.
 */
import { distanceMetres } from '../../netex/geo/distance.ts';
import { findModeLimits } from '../../netex/rules/mode-limits.ts';
import type { ChangeLog } from '../feed/change-log.ts';
import type { Calls, Feed } from '../feed/feed.ts';
import { type LineMode, lineModeOf } from './modes.ts';
import type { StopPositions } from './stop-positions.ts';

const KM_PER_HOUR = 3.6;
/** The rule's allowance for two times in whole minutes. */
const ROUNDING_SECONDS = 120;
/** A trip that needs more extra time has a misplaced stop or wrong times. */
const MOST_SECONDS = 600;
/** Out of town, rapid transit is as fast as trains; one wrong trip must not make a tram a train. */
const SHARE_OF_TRIPS = 0.1;
const MAY_BE_RAIL = new Set(['metro', 'tram', 'funicular']);

export interface SpeedSource {
  readonly feed: Feed;
  readonly positions: StopPositions;
  /** 1 for each trip in use; trips that cannot be repaired are removed. */
  readonly kept: Uint8Array;
}

/** Returns the mode of each route. Delays times where trips are too fast for it. */
export function mendSpeeds(source: SpeedSource, changes: ChangeLog): LineMode[] {
  const { feed, kept } = source;
  const tripsByRoute: number[][] = feed.routes.map(() => []);
  kept.forEach((isKept, trip) => {
    if (isKept === 1) tripsByRoute[feed.trips.route[trip] as number]?.push(trip);
  });
  return feed.routes.map(({ id, type }, route) => {
    const trips = tripsByRoute[route] ?? [];
    const mode = chooseMode(source, lineModeOf(type), trips);
    if (mode.mode !== lineModeOf(type).mode)
      changes.note('metro and tram lines written as rail: they are as fast as trains', id);
    const limit = findModeLimits(mode.mode)?.maximumKmPerHour;
    if (limit !== undefined) for (const trip of trips) slowDown(source, trip, limit / KM_PER_HOUR, changes);
    return mode;
  });
}

function chooseMode(source: SpeedSource, mode: LineMode, trips: readonly number[]): LineMode {
  const limit = findModeLimits(mode.mode)?.maximumKmPerHour;
  if (limit === undefined || !MAY_BE_RAIL.has(mode.mode)) return mode;
  const tooFast = trips.filter((trip) => firstTooFast(source, trip, limit / KM_PER_HOUR) !== -1);
  return tooFast.length > trips.length * SHARE_OF_TRIPS ? { mode: 'rail', submode: undefined } : mode;
}

/** The call that is reached too soon, −1 for none. */
function firstTooFast(source: SpeedSource, trip: number, metresPerSecond: number): number {
  const { calls } = source.feed;
  for (let call = (calls.first[trip] as number) + 1; call < (calls.first[trip + 1] as number); call++) {
    // Equal times mean that the true times are unknown; the rule does not check them.
    if (calls.arrival[call] !== calls.departure[call - 1] && missingSeconds(source, call, metresPerSecond) > 0)
      return call;
  }
  return -1;
}

/** Seconds missing until the call can be reached; 0 when there is enough time. */
function missingSeconds({ feed, positions }: SpeedSource, call: number, metresPerSecond: number): number {
  const { calls } = feed;
  const left = calls.departure[call - 1] as number;
  const reached = calls.arrival[call] as number;
  const metres = hopMetres(positions, calls, call);
  if (!(metres > 0)) return 0;
  const rounding = left % 60 === 0 && reached % 60 === 0 ? ROUNDING_SECONDS : 0;
  return Math.max(0, Math.ceil(metres / metresPerSecond) - (reached - left) - rounding);
}

function hopMetres({ latitude, longitude }: StopPositions, { stop }: Calls, call: number): number {
  const [from, to] = [stop[call - 1] as number, stop[call] as number];
  return distanceMetres(
    latitude[from] as number,
    longitude[from] as number,
    latitude[to] as number,
    longitude[to] as number,
  );
}

function slowDown(source: SpeedSource, trip: number, metresPerSecond: number, changes: ChangeLog): void {
  const found = firstTooFast(source, trip, metresPerSecond);
  if (found === -1) return;
  const { first, arrival, departure } = source.feed.calls;
  const id = source.feed.trips.ids[trip];
  for (let call = found; call < (first[trip + 1] as number); call++) {
    const planned = arrival[call] as number;
    const isEqual = planned === departure[call - 1];
    arrival[call] = Math.max(planned, departure[call - 1] as number);
    const missing = isEqual ? 0 : missingSeconds(source, call, metresPerSecond);
    // A time that stays in whole minutes keeps the allowance for rounding.
    const step = planned % 60 === 0 ? 60 : 1;
    arrival[call] = Math.ceil(((arrival[call] as number) + missing) / step) * step;
    departure[call] = Math.max(departure[call] as number, arrival[call] as number);
    if ((arrival[call] as number) - planned <= MOST_SECONDS) continue;
    source.kept[trip] = 0;
    changes.note('trips left out that no vehicle can run: a stop is at a wrong place, or a time is wrong', id);
    return;
  }
  changes.note('trips faster than our rules allow (HIGH_SPEED): later times moved on', id);
}
