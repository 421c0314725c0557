/**
 * The answer of a window out of the answers of its two parts, exactly as one search over all of it would give: what is best in the
 * whole is best in its part, and the bounds of planner/package.md rest on journeys that are answers themselves.
 * So a window is widened without searching its first part again.
 */
import type { FoundJourney } from '../search/search-types.ts';

export interface MergeRules {
  readonly arriveBy: boolean;
  readonly maximumAdditionalRides: number;
  readonly relaxSeconds: number;
}

function isBetterOrSame(a: FoundJourney, b: FoundJourney): boolean {
  return a.departure >= b.departure && a.arrival <= b.arrival && a.rides.length <= b.rides.length && a.cost <= b.cost;
}

function isInBound(
  journey: FoundJourney,
  all: readonly FoundJourney[],
  { arriveBy, relaxSeconds }: MergeRules,
): boolean {
  return all.every((other) => {
    if (other.rides.length > journey.rides.length) return true;
    return arriveBy
      ? other.arrival > journey.arrival || journey.departure >= other.departure - relaxSeconds
      : other.departure < journey.departure || journey.arrival <= other.arrival + relaxSeconds;
  });
}

/** In no order. Neither part may hold a journey that another of the same part is better than. */
export function mergeJourneys(
  first: readonly FoundJourney[],
  second: readonly FoundJourney[],
  rules: MergeRules,
): readonly FoundJourney[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const fewest = Math.min(...first.map(({ rides }) => rides.length), ...second.map(({ rides }) => rides.length));
  const within = ({ rides }: FoundJourney): boolean => rides.length <= fewest + rules.maximumAdditionalRides;
  const [one, other] = [first.filter(within), second.filter(within)];
  const best = [
    ...one.filter(
      (journey) => !other.some((rival) => isBetterOrSame(rival, journey) && !isBetterOrSame(journey, rival)),
    ),
    ...other.filter((journey) => !one.some((rival) => isBetterOrSame(rival, journey))),
  ];
  return best.filter((journey) => isInBound(journey, best, rules));
}
