/**
 * Masks for the filters of a request: one byte per route, and one byte per trip if the filters name single journeys.
 * Requests repeat the same filters, so each search thread keeps the latest masks for its snapshot.
 */
import type { Timetable } from '../model/timetable.ts';
import { type RouteSelection, selectRoutes } from './route-selection.ts';
import type { TripFilter } from './trip-types.ts';

/** 0: may not be used. Undefined: all may. */
export interface FilterMasks {
  readonly routes: Uint8Array | undefined;
  readonly trips: Uint8Array | undefined;
}

interface ResolvedFilter {
  readonly select: readonly RouteSelection[];
  readonly not: readonly RouteSelection[];
}

const KEPT_MASKS = 16;
/** A mask of single trips takes half a megabyte for a whole country. */
const KEPT_BYTES = 2_000_000;
const NO_FILTER: FilterMasks = { routes: undefined, trips: undefined };

export class FilterMaskCache {
  readonly #timetable: Timetable;
  /** In order of use, the latest at the end. */
  readonly #kept = new Map<string, FilterMasks>();
  #keptBytes = 0;

  constructor(timetable: Timetable) {
    this.#timetable = timetable;
  }

  of(filters: readonly TripFilter[]): FilterMasks {
    if (filters.length === 0 || filters.some(({ select, not }) => select.length + not.length === 0)) return NO_FILTER;
    const key = JSON.stringify(filters);
    const masks = this.#kept.get(key) ?? makeMasks(this.#timetable, filters);
    if (!this.#kept.delete(key)) this.#keptBytes += sizeOf(key, masks);
    this.#kept.set(key, masks);
    this.#forgetOldest();
    return masks;
  }

  #forgetOldest(): void {
    for (const [key, masks] of this.#kept) {
      if (this.#kept.size <= 1 || (this.#kept.size <= KEPT_MASKS && this.#keptBytes <= KEPT_BYTES)) return;
      this.#kept.delete(key);
      this.#keptBytes -= sizeOf(key, masks);
    }
  }
}

function sizeOf(key: string, { routes, trips }: FilterMasks): number {
  return key.length + (routes?.length ?? 0) + (trips?.length ?? 0);
}

function makeMasks(timetable: Timetable, filters: readonly TripFilter[]): FilterMasks {
  const resolved = filters.map(({ select, not }) => ({
    select: select.map((one) => selectRoutes(timetable, one)),
    not: not.map((one) => selectRoutes(timetable, one)),
  }));
  const namesJourneys = resolved.some(({ select, not }) => [...select, ...not].some(({ journeys }) => journeys));
  return namesJourneys ? tripMasks(timetable, resolved) : { routes: routeMask(timetable, resolved), trips: undefined };
}

function routeMask({ transit }: Timetable, filters: readonly ResolvedFilter[]): Uint8Array {
  const mask = new Uint8Array(transit.routeCount);
  for (let route = 0; route < mask.length; route += 1) {
    const matches = ({ routes }: RouteSelection): boolean => routes[route] === 1;
    if (filters.some((filter) => allows(filter, matches))) mask[route] = 1;
  }
  return mask;
}

/** A route remains if any of its trips does. */
function tripMasks({ transit }: Timetable, filters: readonly ResolvedFilter[]): FilterMasks {
  const { routeTripsStart, tripJourney } = transit;
  const [routes, trips] = [new Uint8Array(transit.routeCount), new Uint8Array(transit.tripCount)];
  for (let route = 0; route < routes.length; route += 1) {
    const end = routeTripsStart[route + 1] as number;
    for (let trip = routeTripsStart[route] as number; trip < end; trip += 1) {
      const journey = tripJourney[trip] as number;
      const matches = (one: RouteSelection): boolean =>
        one.routes[route] === 1 && (one.journeys === undefined || one.journeys[journey] === 1);
      if (!filters.some((filter) => allows(filter, matches))) continue;
      trips[trip] = 1;
      routes[route] = 1;
    }
  }
  return { routes, trips };
}

function allows({ select, not }: ResolvedFilter, matches: (one: RouteSelection) => boolean): boolean {
  return (select.length === 0 || select.some(matches)) && !not.some(matches);
}
