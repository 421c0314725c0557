/**
 * Trips that run on a service day, by route. A view is made once per day and thread; the days last used are kept. A
 * search reads several views side by side and copies none. A day on which the clock changes has a view for each shift of
 * its runs, since a run that the change delays may be overtaken by one that it does not.
 */
import type { ServiceDay, TripIndex } from '../model/indices.ts';
import { ROUTE_NOT_SEARCHABLE, type Transit } from '../model/transit.ts';

/** A service day, and how much later than it the runs of the view count. */
export interface ViewDay {
  readonly day: ServiceDay;
  readonly shift: number;
}

/** Trips of route r that run: `trips` between `tripsStart[r]` and `tripsStart[r + 1]`, in order of time. */
export interface DayView {
  readonly tripsStart: Int32Array;
  readonly trips: Int32Array;
}

/** A search of a whole day reads five. */
const DAYS_KEPT = 8;

export class DayViews {
  readonly #transit: Transit;
  /** Views by shift, and days in order of use, the last used at the end. */
  readonly #days = new Map<ServiceDay, Map<number, DayView>>();

  constructor(transit: Transit) {
    this.#transit = transit;
  }

  get({ day, shift }: ViewDay): DayView {
    const ofDay = this.#days.get(day) ?? new Map<number, DayView>();
    this.#days.delete(day);
    this.#days.set(day, ofDay);
    for (const oldest of this.#days.keys()) {
      if (this.#days.size <= DAYS_KEPT) break;
      this.#days.delete(oldest);
    }
    const view = ofDay.get(shift) ?? this.#make(day, shift);
    ofDay.set(shift, view);
    return view;
  }

  #make(day: ServiceDay, shift: number): DayView {
    const { routeCount, routeTripsStart, routeFlags } = this.#transit;
    const tripsStart = new Int32Array(routeCount + 1);
    const running = new Int32Array(this.#transit.tripCount);
    let count = 0;
    for (let route = 0; route < routeCount; route++) {
      const end =
        ((routeFlags[route] as number) & ROUTE_NOT_SEARCHABLE) === 0 ? (routeTripsStart[route + 1] as number) : 0;
      for (let trip = routeTripsStart[route] as number; trip < end; trip++) {
        if (runsInView(this.#transit, trip as TripIndex, { day, shift })) running[count++] = trip;
      }
      tripsStart[route + 1] = count;
    }
    return { tripsStart, trips: running.slice(0, count) };
  }
}

/** The views of a service day, in order of time: one, unless the clock changes about then. */
export function viewsOfDay(transit: Transit, day: ServiceDay): ViewDay[] {
  return transit.shiftsOn(day).map((shift) => ({ day, shift }));
}

export function runsInView(transit: Transit, trip: TripIndex, { day, shift }: ViewDay): boolean {
  return transit.runsOn(trip, day) && transit.shiftOf(trip, day) === shift;
}
