/** Times of a journey at every stop of its pattern; missing ones are estimated by distance. Pure. */
import { ABSENT } from '../../../netex/model/passing-times.ts';

export interface FilledTimes {
  readonly arrivals: number[];
  readonly departures: number[];
}

/** Given times by position; ABSENT where there is none. The arrays are filled in place. */
export interface GivenTimes {
  readonly arrivals: number[];
  readonly departures: number[];
  /** Windows of flexible stops: they are the time of the first and of the last stop when there is no other. */
  readonly earliestDepartures: readonly number[];
  readonly latestArrivals: readonly number[];
}

/**
 * Undefined when the first or the last stop has no time at all. A missing arrival takes the departure and the other way
 * round; between stops with times the speed is constant.
 */
export function fillTimes(given: GivenTimes, hopMetres: ArrayLike<number>): FilledTimes | undefined {
  const { arrivals, departures, earliestDepartures, latestArrivals } = given;
  const last = arrivals.length - 1;
  for (let position = 0; position <= last; position++) {
    if (arrivals[position] === ABSENT) arrivals[position] = departures[position] as number;
    if (departures[position] === ABSENT) departures[position] = arrivals[position] as number;
  }
  setBoth(given, 0, earliestDepartures[0] as number, latestArrivals[0] as number);
  setBoth(given, last, latestArrivals[last] as number, earliestDepartures[last] as number);
  // Arrivals at the first stop and departures from the last do not count, and must not make the journey longer.
  if ((arrivals[0] as number) > (departures[0] as number)) arrivals[0] = departures[0] as number;
  if ((departures[last] as number) < (arrivals[last] as number)) departures[last] = arrivals[last] as number;
  if (arrivals[0] === ABSENT || arrivals[last] === ABSENT) return undefined;
  for (let known = 0, position = 1; position <= last; position++) {
    if (arrivals[position] === ABSENT) continue;
    if (position > known + 1) interpolate(given, known, position, hopMetres);
    known = position;
  }
  return { arrivals, departures };
}

function setBoth(given: GivenTimes, position: number, time: number, other: number): void {
  if (given.arrivals[position] !== ABSENT) return;
  const chosen = time === ABSENT ? other : time;
  given.arrivals[position] = chosen;
  given.departures[position] = chosen;
}

function interpolate(given: GivenTimes, from: number, to: number, hopMetres: ArrayLike<number>): void {
  let total = 0;
  for (let hop = from; hop < to; hop++) total += hopMetres[hop] ?? 0;
  const start = given.departures[from] as number;
  const seconds = (given.arrivals[to] as number) - start;
  let gone = 0;
  for (let position = from + 1; position < to; position++) {
    gone += hopMetres[position - 1] ?? 0;
    const share = total > 0 ? gone / total : (position - from) / (to - from);
    const time = start + Math.round(seconds * share);
    given.arrivals[position] = time;
    given.departures[position] = time;
  }
}
