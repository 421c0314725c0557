/**
 * Reads the calls of each stop, as `write-boards.ts` stores them: entries in order of departure within the service day.
 * This module knows no day and no request. `board-index.ts` merges the stops and reads one entry at a time.
 */
import type { StopIndex, TripIndex } from '../model/indices.ts';
import { FOR_ALIGHTING, FOR_BOARDING, type Transit } from '../model/transit.ts';
import type { IntegerArray, Sections } from '../snapshot/sections.ts';
import type { BoardRequest } from './board-types.ts';

export class StopCalls {
  readonly #transit: Transit;
  readonly #start: Int32Array;
  readonly #trips: Int32Array;
  readonly #positions: IntegerArray;
  readonly #longestDwell: Int32Array;

  constructor(sections: Sections, transit: Transit) {
    this.#transit = transit;
    this.#start = sections.int32('boards.start');
    this.#trips = sections.int32('boards.trips');
    this.#positions = sections.integers('boards.positions');
    this.#longestDwell = sections.int32('boards.longestDwell');
  }

  /** One past the last entry of a stop. */
  endOf(stop: StopIndex): number {
    return this.#start[stop + 1] ?? 0;
  }

  /** Longest time between arrival and departure of any call at the stop. */
  longestDwell(stop: StopIndex): number {
    return this.#longestDwell[stop] ?? 0;
  }

  /** First entry of the stop that departs at or after this number of seconds of its service day. */
  firstFrom(stop: StopIndex, seconds: number): number {
    let low = this.#start[stop] ?? 0;
    let high = this.endOf(stop);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.departureSeconds(middle) < seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  tripAt(entry: number): TripIndex {
    return this.#trips[entry] as TripIndex;
  }

  positionAt(entry: number): number {
    return this.#positions[entry] as number;
  }

  arrivalSeconds(entry: number): number {
    return this.#transit.arrivals[this.#timesEntry(entry)] as number;
  }

  departureSeconds(entry: number): number {
    return this.#transit.departures[this.#timesEntry(entry)] as number;
  }

  isOfKind(entry: number, kind: BoardRequest['kind']): boolean {
    const { routeStopsStart, routeStopFlags, tripRoute } = this.#transit;
    const route = tripRoute[this.tripAt(entry)] as number;
    const position = this.positionAt(entry);
    const place = (routeStopsStart[route] as number) + position;
    const flags = routeStopFlags[place] as number;
    const isDeparture = (flags & FOR_BOARDING) !== 0 && place < (routeStopsStart[route + 1] as number) - 1;
    const isArrival = (flags & FOR_ALIGHTING) !== 0 && position > 0;
    if (kind === 'departures') return isDeparture;
    return kind === 'arrivals' ? isArrival : isDeparture || isArrival;
  }

  #timesEntry(entry: number): number {
    const { tripRoute, routeStopsStart, routeTimesStart, routeTripsStart } = this.#transit;
    const trip = this.#trips[entry] as number;
    const route = tripRoute[trip] as number;
    const stopCount = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
    const row = (routeTimesStart[route] as number) + (trip - (routeTripsStart[route] as number)) * stopCount;
    return row + (this.#positions[entry] as number);
  }
}
