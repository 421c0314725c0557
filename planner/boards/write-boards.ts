/**
 * Writes the index of boards: per stop its calls in order of departure within the service day, then trip, then
 * position. The index omits calls where the trip only passes through. It includes calls of trips that no search rides.
 */
import { FOR_ALIGHTING, FOR_BOARDING, type Transit } from '../model/transit.ts';
import type { SectionWriter } from '../snapshot/section-writer.ts';

/** Positions are stored in 8 bits if all fit, else in 16. */
const MOST_STOPS_OF_ROUTE = 0x10000;

type Take = (stop: number, trip: number, position: number, arrival: number, departure: number) => void;

export function writeBoards(transit: Transit, sections: SectionWriter): void {
  const starts = new Int32Array(transit.stopCount + 1);
  const longestDwell = new Int32Array(transit.stopCount);
  visitCalls(transit, (stop, _trip, _position, arrival, departure) => {
    starts[stop + 1] = (starts[stop + 1] ?? 0) + 1;
    longestDwell[stop] = Math.max(longestDwell[stop] ?? 0, departure - arrival);
  });
  for (let stop = 0; stop < transit.stopCount; stop++) starts[stop + 1] = (starts[stop + 1] ?? 0) + (starts[stop] ?? 0);
  const callCount = starts[transit.stopCount] ?? 0;
  const trips = new Int32Array(callCount);
  const positions = new Uint16Array(callCount);
  const departures = new Int32Array(callCount);
  const next = starts.slice();
  visitCalls(transit, (stop, trip, position, _arrival, departure) => {
    const entry = next[stop] ?? 0;
    trips[entry] = trip;
    positions[entry] = position;
    departures[entry] = departure;
    next[stop] = entry + 1;
  });
  for (let stop = 0; stop < transit.stopCount; stop++) {
    sortCalls(trips, positions, departures, starts[stop] ?? 0, starts[stop + 1] ?? 0);
  }
  sections.add('boards.start', starts);
  sections.add('boards.trips', trips);
  const isShort = positions.every((position) => position <= 0xff);
  sections.add('boards.positions', isShort ? Uint8Array.from(positions) : positions);
  sections.add('boards.longestDwell', longestDwell);
}

/** Visits calls by trip, then position. */
function visitCalls(transit: Transit, take: Take): void {
  for (let route = 0; route < transit.routeCount; route++) {
    const firstStop = transit.routeStopsStart[route] ?? 0;
    const stopCount = (transit.routeStopsStart[route + 1] ?? 0) - firstStop;
    if (stopCount > MOST_STOPS_OF_ROUTE) throw new Error(`a journey pattern has ${stopCount} stops`);
    let times = transit.routeTimesStart[route] ?? 0;
    const endTrip = transit.routeTripsStart[route + 1] ?? 0;
    for (let trip = transit.routeTripsStart[route] ?? 0; trip < endTrip; trip++) {
      for (let position = 0; position < stopCount; position++, times++) {
        const flags = transit.routeStopFlags[firstStop + position] ?? 0;
        const isDeparture = (flags & FOR_BOARDING) !== 0 && position < stopCount - 1;
        const isArrival = (flags & FOR_ALIGHTING) !== 0 && position > 0;
        if (!isDeparture && !isArrival) continue;
        const stop = transit.routeStops[firstStop + position] ?? 0;
        take(stop, trip, position, transit.arrivals[times] ?? 0, transit.departures[times] ?? 0);
      }
    }
  }
}

/** Calls arrive by trip and position, so their place among the stop's calls orders equal times. */
function sortCalls(
  trips: Int32Array,
  positions: Uint16Array,
  departures: Int32Array,
  begin: number,
  end: number,
): void {
  const count = end - begin;
  const keys = new Float64Array(count);
  for (let place = 0; place < count; place++) keys[place] = (departures[begin + place] ?? 0) * count + place;
  keys.sort();
  const [oldTrips, oldPositions] = [trips.slice(begin, end), positions.slice(begin, end)];
  for (let place = 0; place < count; place++) {
    const old = (keys[place] ?? 0) % count;
    trips[begin + place] = oldTrips[old] ?? 0;
    positions[begin + place] = oldPositions[old] ?? 0;
  }
}
