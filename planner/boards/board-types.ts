/** Departures and arrivals of stops in order of time, out of an index sorted per quay. */
import type { LineIndex, ServiceDay, StopIndex, TripIndex } from '../model/indices.ts';

/** A trip at a stop on a service day. */
export interface Call {
  readonly trip: TripIndex;
  readonly day: ServiceDay;
  readonly position: number;
  readonly stop: StopIndex;
  /** Seconds since 1970 UTC, planned. */
  readonly arrival: number;
  readonly departure: number;
}

export interface BoardRequest {
  readonly stops: readonly StopIndex[];
  /** Seconds since 1970 UTC; calls at or after it. */
  readonly from: number;
  readonly rangeSeconds: number;
  readonly maximumCalls: number;
  /** `departures`: forBoarding and not at the last stop; `arrivals`: forAlighting and not at the first; `both`: either. Order is by departure, for `arrivals` by arrival. */
  readonly kind: 'departures' | 'arrivals' | 'both';
  /** Of those only where one may get on. */
  readonly omitNonBoarding?: boolean;
  /** At most so many per line and destination text (front text of the display in force at the call). */
  readonly maximumPerLineAndDestination: number | undefined;
  readonly accepts: ((trip: TripIndex, line: LineIndex) => boolean) | undefined;
}

export interface BoardIndex {
  /** Sorted by time, then trip. Cancelled departures are planned ones that do not run; they are left out here. */
  calls(request: BoardRequest): readonly Call[];
}
