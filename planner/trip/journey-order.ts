/** The order of shown journeys, and the keys that cursors keep of them (`planner/package.md`, "The answer"). */
import type { FoundJourney } from '../search/search-types.ts';
import type { JourneyKey } from './page-cursor.ts';

export type JourneyOrder = (a: JourneyKey, b: JourneyKey) => number;

const departAfterOrder: JourneyOrder = (a, b) =>
  a.arrival - b.arrival || a.cost - b.cost || a.rideCount - b.rideCount || b.departure - a.departure;

const arriveByOrder: JourneyOrder = (a, b) =>
  b.departure - a.departure || a.cost - b.cost || a.rideCount - b.rideCount || a.arrival - b.arrival;

export function journeyOrder(arriveBy: boolean): JourneyOrder {
  return arriveBy ? arriveByOrder : departAfterOrder;
}

export function keyOf({ departure, arrival, cost, rides }: FoundJourney): JourneyKey {
  return { departure, arrival, cost, rideCount: rides.length };
}
