/** Finds arrivals that the range query alone proves to be in the answer. */

import { NEVER, type Query } from './query.ts';
import type { RangeQuery } from './range-query.ts';

/**
 * Returns arrivals of different journeys of the answer, earliest first. The answer may hold more. A(d, k) proves it. If
 * it is lower than for a later departure and for fewer rides, the answer has a journey of that departure, rides and
 * arrival.
 */
export function arrivalsOf(rangeQuery: RangeQuery, query: Query): number[] {
  const found: number[] = [];
  for (let group = 0; group < rangeQuery.groups; group++) addArrivals(rangeQuery, query, group, found);
  return found.sort((one, other) => one - other);
}

/** Adds the arrivals of one group of departures. */
export function addArrivals({ arrivals, rounds }: RangeQuery, query: Query, group: number, found: number[]): void {
  const width = query.maximumRides + 1;
  let fewer = NEVER;
  for (let rides = 1; rides <= rounds; rides++) {
    const arrival = arrivals[group * width + rides] as number;
    if (arrival >= NEVER) continue;
    const rank = query.rankOfEnd(arrival);
    const later = group === 0 ? NEVER : (arrivals[(group - 1) * width + rides] as number);
    if (rank < fewer && (later >= NEVER || rank < query.rankOfEnd(later))) found.push(arrival);
    fewer = Math.min(fewer, rank);
  }
}
