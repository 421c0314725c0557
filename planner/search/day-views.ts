/**
 * Trips that run on a service day, by route. A view is made once per day and thread; the days last used are kept. A
 * search reads several views side by side and copies none.
 */
import type { ServiceDay, TripIndex } from '../model/indices.ts';
import { ROUTE_NOT_SEARCHABLE, type Transit } from '../model/transit.ts';

/** Trips of route r that run: `trips` between `tripsStart[r]` and `tripsStart[r + 1]`, in order of time. */
export interface DayView {
  readonly day: ServiceDay;
  readonly tripsStart: Int32Array;
  readonly trips: Int32Array;
}

const DAYS_KEPT = 8;

export class DayViews {
  readonly #transit: Transit;
  /** In order of use, the last used at the end. */
  readonly #views = new Map<ServiceDay, DayView>();

  constructor(transit: Transit) {
    this.#transit = transit;
  }

  get(day: ServiceDay): DayView {
    const known = this.#views.get(day);
    const view = known ?? this.#make(day);
    this.#views.delete(day);
    this.#views.set(day, view);
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= DAYS_KEPT) break;
      this.#views.delete(oldest);
    }
    return view;
  }

  #make(day: ServiceDay): DayView {
    const { routeCount, routeTripsStart, routeFlags } = this.#transit;
    const tripsStart = new Int32Array(routeCount + 1);
    const running = new Int32Array(this.#transit.tripCount);
    let count = 0;
    for (let route = 0; route < routeCount; route++) {
      const end =
        ((routeFlags[route] as number) & ROUTE_NOT_SEARCHABLE) === 0 ? (routeTripsStart[route + 1] as number) : 0;
      for (let trip = routeTripsStart[route] as number; trip < end; trip++) {
        if (this.#transit.runsOn(trip as TripIndex, day)) running[count++] = trip;
      }
      tripsStart[route + 1] = count;
    }
    return { day, tripsStart, trips: running.slice(0, count) };
  }
}
