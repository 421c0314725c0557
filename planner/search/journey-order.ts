/** The order of shown journeys, and the keys that cursors keep of them (`planner/package.md`, "The answer"). */
import type { FoundJourney } from './search-types.ts';

/** Key that orders journeys; unique within a window. */
export type JourneyKey = Pick<FoundJourney, 'arrival' | 'departure' | 'cost' | 'rideCount'>;

export type JourneyOrder = (a: JourneyKey, b: JourneyKey) => number;

/** The whole minute that a departure lies in, and the one that an arrival ends in. */
export function minutesOf({ departure, arrival }: Pick<JourneyKey, 'departure' | 'arrival'>): [number, number] {
  return [Math.floor(departure / 60), Math.ceil(arrival / 60)];
}

export function journeyOrder(arriveBy: boolean): JourneyOrder {
  return (a, b) => {
    const [[departure, arrival], [otherDeparture, otherArrival]] = [minutesOf(a), minutesOf(b)];
    const [sooner, later] = [arrival - otherArrival, otherDeparture - departure];
    const [first, last] = arriveBy ? [later, sooner] : [sooner, later];
    return first || a.cost - b.cost || a.rideCount - b.rideCount || last;
  };
}

export function keyOf({ departure, arrival, cost, rideCount }: FoundJourney): JourneyKey {
  return { departure, arrival, cost, rideCount };
}
