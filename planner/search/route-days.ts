/** Days on which any trip of a route runs. Caller: Query. */
import type { Transit } from '../model/transit.ts';

/** Rows of bits by route, as in `daySetBits`. */
export function daysOfRoutes({ routeCount, routeTripsStart, tripDays, daySetWords, daySetBits }: Transit): Uint32Array {
  const days = new Uint32Array(routeCount * daySetWords);
  for (let route = 0; route < routeCount; route++) {
    for (let trip = routeTripsStart[route] as number; trip < (routeTripsStart[route + 1] as number); trip++) {
      const set = (tripDays[trip] as number) * daySetWords;
      for (let word = 0; word < daySetWords; word++) {
        const slot = route * daySetWords + word;
        days[slot] = (days[slot] as number) | (daySetBits[set + word] as number);
      }
    }
  }
  return days;
}
