/** How late a journey may arrive to be among the first ones of the answer, as the first pass alone can tell. */
import type { Earliest } from './earliest.ts';
import { NEVER } from './query.ts';

/**
 * A time by which at least `count` journeys of the answer arrive; NEVER if that cannot be told. Where A(d, k) is lower than for a
 * later departure and for fewer rides, some journey of just that departure, those rides and that arrival is in the answer.
 */
export function arrivalOf(count: number, earliest: Earliest, maximumRides: number): number {
  const { arrivals, groups, rounds } = earliest;
  const width = maximumRides + 1;
  const found: number[] = [];
  for (let group = 0; group < groups; group++) {
    let fewer = NEVER;
    for (let rides = 1; rides <= rounds; rides++) {
      const arrival = arrivals[group * width + rides] as number;
      const later = group === 0 ? NEVER : (arrivals[(group - 1) * width + rides] as number);
      if (arrival < fewer && arrival < later) found.push(arrival);
      fewer = Math.min(fewer, arrival);
    }
  }
  return found.sort((one, other) => one - other)[count - 1] ?? NEVER;
}
