/**
 * The answer of a window out of the answers of its two parts, exactly as one search over all of it would give: what is best in the
 * whole is best in its part, and the bounds of planner/package.md rest on journeys that are answers themselves.
 * A window grows without a second search of its first part.
 */
import type { FoundJourney } from '../search/search-types.ts';

export interface MergeRules {
  readonly arriveBy: boolean;
  readonly maximumAdditionalRides: number;
  readonly relaxSeconds: number;
}

/** Within a minute it does not matter who leaves later, or arrives earlier when that is what was asked for. */
function minutes({ departure, arrival }: FoundJourney, arriveBy: boolean): [departure: number, arrival: number] {
  return arriveBy ? [departure, Math.ceil(arrival / 60)] : [Math.floor(departure / 60), arrival];
}

function isBetterOrSame(a: FoundJourney, b: FoundJourney, arriveBy: boolean): boolean {
  const [[departure, arrival], [otherDeparture, otherArrival]] = [minutes(a, arriveBy), minutes(b, arriveBy)];
  return departure >= otherDeparture && arrival <= otherArrival && a.rides.length <= b.rides.length && a.cost <= b.cost;
}

function isInBound(
  journey: FoundJourney,
  all: readonly FoundJourney[],
  { arriveBy, relaxSeconds }: MergeRules,
): boolean {
  const [departure, arrival] = minutes(journey, arriveBy);
  return all.every((other) => {
    if (other.rides.length > journey.rides.length) return true;
    const [otherDeparture, otherArrival] = minutes(other, arriveBy);
    return arriveBy
      ? otherArrival > arrival || departure >= otherDeparture - relaxSeconds
      : otherDeparture < departure || arrival <= otherArrival + relaxSeconds;
  });
}

/** In no order. Neither part may hold a journey that another of the same part is better than. */
export function mergeJourneys(
  first: readonly FoundJourney[],
  second: readonly FoundJourney[],
  rules: MergeRules,
): readonly FoundJourney[] {
  const { arriveBy } = rules;
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const fewest = Math.min(...first.map(({ rides }) => rides.length), ...second.map(({ rides }) => rides.length));
  const within = ({ rides }: FoundJourney): boolean => rides.length <= fewest + rules.maximumAdditionalRides;
  const [one, other] = [first.filter(within), second.filter(within)];
  const best = [
    ...one.filter(
      (journey) =>
        !other.some((rival) => isBetterOrSame(rival, journey, arriveBy) && !isBetterOrSame(journey, rival, arriveBy)),
    ),
    ...other.filter((journey) => !one.some((rival) => isBetterOrSame(rival, journey, arriveBy))),
  ];
  return best.filter((journey) => isInBound(journey, best, rules));
}
