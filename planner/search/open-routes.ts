/** Routes that a search may use, found once per search. Callers: `query.ts`, the search engine and the reverse search. */
import { ROUTE_NOT_SEARCHABLE, type Transit } from '../model/transit.ts';
import type { ViewDay } from './day-views.ts';
import type { Direction } from './direction.ts';
import type { StopAccess } from './search-types.ts';

/** The members of a query that decide whether a route is open; `Query` prepares them first. */
interface PreparedQuery {
  readonly transit: Transit;
  readonly direction: Direction;
  readonly days: readonly ViewDay[];
  readonly viewStart: Int32Array;
  readonly zoneCount: number;
  readonly horizon: number;
}

/**
 * Sets 1 for each route that is not masked and has a trip between the start of the search and its horizon, else 0.
 * @param routeDays days on which a route runs, as in `daySetBits`
 */
export function markOpenRoutes(
  query: PreparedQuery,
  routeDays: Uint32Array,
  mask: Uint8Array | undefined,
  open: Uint8Array,
): void {
  const { routeCount, routeFlags } = query.transit;
  for (let route = 0; route < routeCount; route++) {
    const isAllowed = mask?.[route] !== 0 && ((routeFlags[route] as number) & ROUTE_NOT_SEARCHABLE) === 0;
    open[route] = isAllowed && runs(query, routeDays, route) ? 1 : 0;
  }
}

/** Whether a trip of the route may run between the start of the search and its horizon. */
function runs(query: PreparedQuery, routeDays: Uint32Array, route: number): boolean {
  const { transit, direction, days, viewStart, zoneCount, horizon } = query;
  const { routeZone, routeEarliest, routeLatest, daySetWords, firstDay } = transit;
  const zone = routeZone[route] as number;
  for (let view = 0; view < days.length; view++) {
    const day = (days[view] as ViewDay).day - firstDay;
    if ((((routeDays[route * daySetWords + (day >> 5)] as number) >>> (day & 31)) & 1) === 0) continue;
    const start = viewStart[view * zoneCount + zone] as number;
    const first = start + (routeEarliest[route] as number);
    const last = start + (routeLatest[route] as number);
    if (direction.sign > 0 ? last >= 0 && first <= horizon : first <= 0 && -last <= horizon) return true;
  }
  return false;
}

/** Where a query begins and ends. */
interface Ends {
  readonly hasSeated: boolean;
  readonly transit: Transit;
  readonly access: readonly StopAccess[];
  readonly egress: readonly StopAccess[];
}

/**
 * Lower bound on rides by routes alone: 1 where a route serves an access stop and an egress stop, else 2. A traveller
 * who stays seated may go on by another route.
 */
export function fewestRides({ transit, access, egress, hasSeated }: Ends): 1 | 2 {
  if (hasSeated) return 1;
  const { stopRoutesStart, stopRoutes } = transit;
  const routes = new Set<number>();
  for (const { stop } of access) {
    for (let entry = stopRoutesStart[stop] as number; entry < (stopRoutesStart[stop + 1] as number); entry++)
      routes.add(stopRoutes[entry] as number);
  }
  const isReached = ({ stop }: StopAccess): boolean => {
    for (let entry = stopRoutesStart[stop] as number; entry < (stopRoutesStart[stop + 1] as number); entry++)
      if (routes.has(stopRoutes[entry] as number)) return true;
    return false;
  };
  return egress.some(isReached) ? 1 : 2;
}
