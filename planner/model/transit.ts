/**
 * The timetable as search and boards read it: immutable typed arrays over the snapshot's memory, never copied.
 *
 * Times are seconds since the start of the service day (noon less 12 hours in the route's time zone), so 25:10 is
 * 90,600. `runStart(trip, day)` converts them to instants. A list of X per Y is `X` between `XStart[y]` and `XStart[y +
 * 1]`.
 */
import type { LineIndex, RouteIndex, ServiceDay, ServiceJourneyIndex, StopIndex, TripIndex } from './indices.ts';

/** Runs whose first departure is at `from` or later, in seconds of the service day, count from `seconds` later. */
export interface ClockShift {
  readonly from: number;
  readonly seconds: number;
}

/** Bits of `routeStopFlags`. */
export const FOR_BOARDING = 1;
export const FOR_ALIGHTING = 2;

/** Bits of `interchangeFlags`. */
export const STAY_SEATED = 1;
export const GUARANTEED = 2;
export const NOT_ALLOWED = 4;

/** Bits of `routeFlags`. */
export const ROUTE_NOT_SEARCHABLE = 1;
/** Some trip of the route has an interchange that a search may use, from the trip or to it. */
export const ROUTE_INTERCHANGES_FROM = 2;
export const ROUTE_INTERCHANGES_TO = 4;

export interface Transit {
  readonly stopCount: number;
  readonly routeCount: number;
  readonly tripCount: number;
  /** Degrees. */
  readonly stopLatitude: Float64Array;
  readonly stopLongitude: Float64Array;

  /** Stops of a route in order: a route's position p is entry `routeStopsStart[route] + p`. */
  readonly routeStopsStart: Int32Array;
  readonly routeStops: Int32Array;
  readonly routeStopFlags: Uint8Array;
  readonly routePattern: Int32Array;
  readonly routeLine: Int32Array;
  /** Index into TRANSPORT_MODES; trips of a route share it. */
  readonly routeMode: Uint8Array;
  /** Index into the submodes of `submodeNames`; 0 none. */
  readonly routeSubmode: Uint16Array;
  readonly submodeNames: readonly string[];
  readonly routeZone: Uint8Array;
  readonly routeFlags: Uint8Array;
  /** First and last time of any trip of the route, seconds since the start of the service day. */
  readonly routeEarliest: Int32Array;
  readonly routeLatest: Int32Array;
  /**
   * Per entry of `routeStops`, over all trips of the route: least time from leaving it to reaching the next, and least
   * time there.
   */
  readonly routeHopSeconds: Int32Array;
  readonly routeDwellSeconds: Int32Array;

  /** The trips of a route are `routeTripsStart[route]` … less than `[route + 1]`, in order of time at every stop. */
  readonly routeTripsStart: Int32Array;
  /** Times of trip t at position p: entry `routeTimesStart[route] + (t - routeTripsStart[route]) * stops of the route + p`. */
  readonly routeTimesStart: Int32Array;
  readonly arrivals: Int32Array;
  readonly departures: Int32Array;
  readonly tripRoute: Int32Array;
  readonly tripJourney: Int32Array;
  /** Number of the trip's set of service days. */
  readonly tripDays: Int32Array;
  /** Bit 0: accessible by wheelchair; bit 1: known not to be. */
  readonly tripFlags: Uint8Array;
  /** Trips of a route with the same number differ by a constant at every position. */
  readonly tripTimeDemandType: Int32Array;
  /** Trips of a service journey, in order of time. */
  readonly journeyTripsStart: Int32Array;
  readonly journeyTrips: Int32Array;

  /** Routes that call at a stop, with the position, ordered by both. A route that calls twice occurs twice. */
  readonly stopRoutesStart: Int32Array;
  readonly stopRoutes: Int32Array;
  readonly stopRoutePositions: Int32Array;

  /**
   * Footpaths from a stop to others, nearest first, never to itself. `transferMetres` is the walked length (beeline ×
   * 1.3, or that of the published path). `transferMinimumSeconds` is the published minimum time, 0 if there is none, and
   * `transferWheelchairSeconds` that of wheelchair users. Where none has a time of its own, these are the same array.
   */
  readonly transfersStart: Int32Array;
  readonly transferTo: Int32Array;
  readonly transferMetres: Int32Array;
  readonly transferMinimumSeconds: Int32Array;
  readonly transferWheelchairSeconds: Int32Array;
  /**
   * The same footpaths by their destination, nearest first. If every footpath has an equal one back, these are the same
   * arrays.
   */
  readonly backTransfersStart: Int32Array;
  readonly backTransferFrom: Int32Array;
  readonly backTransferMetres: Int32Array;
  readonly backTransferMinimumSeconds: Int32Array;
  readonly backTransferWheelchairSeconds: Int32Array;
  /** Least transfer time at the stop itself, in seconds; 0 without one. */
  readonly stopMinimumSeconds: Int32Array;
  readonly stopWheelchairSeconds: Int32Array;

  /** Interchanges by the trip they begin with, and (the `…ByTo` permutation) by the trip they lead to. */
  readonly tripInterchangesStart: Int32Array;
  readonly interchangeFromTrip: Int32Array;
  readonly interchangeFromPosition: Int32Array;
  readonly interchangeToTrip: Int32Array;
  readonly interchangeToPosition: Int32Array;
  readonly interchangeFlags: Uint8Array;
  /** Index of the catalogue's interchange. */
  readonly interchangeIndex: Int32Array;
  readonly tripInterchangesByToStart: Int32Array;
  readonly interchangesByTo: Int32Array;

  /** Service days of the snapshot: `firstDay` … less than `firstDay + dayCount`. */
  readonly firstDay: ServiceDay;
  readonly dayCount: number;
  /** Day set s runs on day d: bit (d - firstDay) % 32 of word `s * daySetWords + ((d - firstDay) >> 5)`. */
  readonly daySetWords: number;
  readonly daySetBits: Uint32Array;
  /**
   * IANA names that `routeZone` refers to. The first is the zone of most authorities; times without an authority use
   * it.
   */
  readonly zones: readonly string[];
  /**
   * Longest time of any trip in whole service days, at least 1. A search looks at this number of days before its start.
   */
  readonly daySpan: number;

  /** Seconds since 1970 UTC of the start of a service day. The day may lie outside the snapshot. */
  dayStart(zone: number, day: ServiceDay): number;
  /** Shifts of a service day by clock changes, in order of the first departures that they apply to. */
  clockShifts(zone: number, day: ServiceDay): readonly ClockShift[];
  /** All shifts of runs of a service day, ascending; [0] on days without a clock change. */
  shiftsOn(day: ServiceDay): readonly number[];
  /** How much later the times of a trip count on a service day than the day starts; 0 on days without a clock change. */
  shiftOf(trip: TripIndex, day: ServiceDay): number;
  /** Seconds since 1970 UTC from which the times of a trip count on a service day. */
  runStart(trip: TripIndex, day: ServiceDay): number;
  runsOn(trip: TripIndex, day: ServiceDay): boolean;
  tripsOfJourney(journey: ServiceJourneyIndex): readonly TripIndex[];
  activeDays(trip: TripIndex): readonly ServiceDay[];
  lineOfTrip(trip: TripIndex): LineIndex;
  routeOf(trip: TripIndex): RouteIndex;
  stopAt(route: RouteIndex, position: number): StopIndex;
  /** Seconds since the start of the service day. */
  arrivalAt(trip: TripIndex, position: number): number;
  departureAt(trip: TripIndex, position: number): number;
}
