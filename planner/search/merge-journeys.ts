/**
 * Merges the answers of a window's two parts into the answer of the whole window, equal to that of one search. This
 * holds because the best of the whole are the best of their part. The bounds of `planner/package.md` also depend only
 * on journeys in the answers. So a window grows without a second search of its first part.
 */

import { minutesOf } from './journey-order.ts';
import type { FoundJourney } from './search-types.ts';

export interface MergeRules {
  readonly arriveBy: boolean;
  readonly maximumAdditionalRides: number;
  readonly relaxSeconds: number;
}

function isBetterOrSame(a: FoundJourney, b: FoundJourney): boolean {
  const [[departure, arrival], [otherDeparture, otherArrival]] = [minutesOf(a), minutesOf(b)];
  return departure >= otherDeparture && arrival <= otherArrival && a.rideCount <= b.rideCount && a.cost <= b.cost;
}

function isInBound(
  journey: FoundJourney,
  all: readonly FoundJourney[],
  { arriveBy, relaxSeconds }: MergeRules,
): boolean {
  const relaxMinutes = Math.floor(relaxSeconds / 60);
  const [departure, arrival] = minutesOf(journey);
  return all.every((other) => {
    if (other.rideCount > journey.rideCount) return true;
    const [otherDeparture, otherArrival] = minutesOf(other);
    return arriveBy
      ? otherArrival > arrival || departure >= otherDeparture - relaxMinutes
      : otherDeparture < departure || arrival <= otherArrival + relaxMinutes;
  });
}

/** Returns them in no order. Neither part may hold a journey that another of the same part beats. */
export function mergeJourneys(
  first: readonly FoundJourney[],
  second: readonly FoundJourney[],
  rules: MergeRules,
): readonly FoundJourney[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const fewest = Math.min(...first.map(({ rideCount }) => rideCount), ...second.map(({ rideCount }) => rideCount));
  const within = ({ rideCount }: FoundJourney): boolean => rideCount <= fewest + rules.maximumAdditionalRides;
  const [one, other] = [first.filter(within), second.filter(within)];
  const best = [
    ...one.filter(
      (journey) => !other.some((rival) => isBetterOrSame(rival, journey) && !isBetterOrSame(journey, rival)),
    ),
    ...other.filter((journey) => !one.some((rival) => isBetterOrSame(rival, journey))),
  ];
  return best.filter((journey) => isInBound(journey, best, rules));
}
