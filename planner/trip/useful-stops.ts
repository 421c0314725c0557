/**
 * Omits access and egress stops that no best journey needs. In a dense city hundreds of stops are within half an hour on
 * foot. Most of them only lengthen the search, because a nearer stop of the same route serves as well.
 *
 * A call where a route may be boarded is not needed in two cases:
 * - The next call of the route is as near. Boarding there takes the same trip with less walk and less riding. A traveller
 *   who would have alighted there walks there instead.
 * - The call before is nearer. On every trip, riding from there takes no longer than the extra walk, and costs no more.
 * For alighting both cases are mirrored. The search loses only journeys that ride one stop and then walk on past the
 * limit of access.
 */
import { FOR_ALIGHTING, FOR_BOARDING, ROUTE_NOT_SEARCHABLE, type Transit } from '../model/transit.ts';
import type { WalkedStop } from './access-stops.ts';
import { FEW_ACCESS_STOPS } from './trip-limits.ts';

export interface UsefulRules {
  readonly side: 'access' | 'egress';
  /** Hundredths. */
  readonly walkReluctance: number;
  readonly routeMask: Uint8Array | undefined;
}

const NOT_WITHIN_REACH = -1;

export class UsefulStops {
  readonly #transit: Transit;
  /** Seconds to each stop within reach. Between calls, every entry is NOT_WITHIN_REACH. */
  readonly #walkTo: Int32Array;

  constructor(transit: Transit) {
    this.#transit = transit;
    this.#walkTo = new Int32Array(transit.stopCount).fill(NOT_WITHIN_REACH);
  }

  of(reached: readonly WalkedStop[], rules: UsefulRules): readonly WalkedStop[] {
    if (reached.length <= FEW_ACCESS_STOPS) return reached;
    for (const { stop, walkSeconds } of reached) this.#walkTo[stop] = walkSeconds;
    const useful = reached.filter((walked) => this.#isUseful(walked, rules));
    for (const { stop } of reached) this.#walkTo[stop] = NOT_WITHIN_REACH;
    return useful;
  }

  #isUseful({ stop, walkSeconds }: WalkedStop, rules: UsefulRules): boolean {
    const { stopRoutesStart, stopRoutes, stopRoutePositions, routeFlags } = this.#transit;
    const end = stopRoutesStart[stop + 1] as number;
    for (let entry = stopRoutesStart[stop] as number; entry < end; entry += 1) {
      const route = stopRoutes[entry] as number;
      if (rules.routeMask?.[route] === 0 || ((routeFlags[route] as number) & ROUTE_NOT_SEARCHABLE) !== 0) continue;
      if (this.#isUsefulAt(route, stopRoutePositions[entry] as number, walkSeconds, rules)) return true;
    }
    return false;
  }

  #isUsefulAt(route: number, position: number, walkSeconds: number, rules: UsefulRules): boolean {
    const { routeStopsStart, routeStops, routeStopFlags } = this.#transit;
    const first = routeStopsStart[route] as number;
    const last = (routeStopsStart[route + 1] as number) - first - 1;
    const isAccess = rules.side === 'access';
    const flag = isAccess ? FOR_BOARDING : FOR_ALIGHTING;
    const terminus = isAccess ? last : 0;
    if (position === terminus || ((routeStopFlags[first + position] as number) & flag) === 0) return false;
    const onward = isAccess ? position + 1 : position - 1;
    const walkOnward = this.#walkTo[routeStops[first + onward] as number] as number;
    if (walkOnward >= 0 && walkOnward <= walkSeconds) {
      if (onward === terminus || ((routeStopFlags[first + onward] as number) & flag) !== 0) return false;
    }
    const back = isAccess ? position - 1 : position + 1;
    if (back < 0 || back > last || ((routeStopFlags[first + back] as number) & flag) === 0) return true;
    const walkBack = this.#walkTo[routeStops[first + back] as number] as number;
    if (walkBack < 0 || walkBack >= walkSeconds) return true;
    const saved = walkSeconds - walkBack;
    return this.#ridesLonger(route, position, back, Math.min(saved, Math.floor((saved * rules.walkReluctance) / 100)));
  }

  /** Whether some trip takes more than `seconds` between two neighbouring positions. */
  #ridesLonger(route: number, position: number, back: number, seconds: number): boolean {
    const { routeStopsStart, routeTripsStart, routeTimesStart, departures, arrivals } = this.#transit;
    const stops = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
    const times = back < position ? departures : arrivals;
    const trips = (routeTripsStart[route + 1] as number) - (routeTripsStart[route] as number);
    let row = routeTimesStart[route] as number;
    for (let trip = 0; trip < trips; trip += 1, row += stops) {
      if (Math.abs((times[row + position] as number) - (times[row + back] as number)) > seconds) return true;
    }
    return false;
  }
}
