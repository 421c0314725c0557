/** Types of the board index: departures and arrivals of stops in order of time, from an index sorted per quay. */
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
  /** Seconds since 1970 UTC. The answer has calls at or after this instant. */
  readonly from: number;
  readonly rangeSeconds: number;
  readonly maximumCalls: number;
  /**
   * `departures`: for boarding and not at the last stop. `arrivals`: for alighting and not at the first stop. `both`:
   * either of the two. The order is by departure; for `arrivals` it is by arrival.
   */
  readonly kind: 'departures' | 'arrivals' | 'both';
  /** Omits the departures where boarding is not possible. */
  readonly omitNonBoarding?: boolean;
  /** Maximum number of calls per line and destination text (the front text in force at the call). */
  readonly maximumPerLineAndDestination: number | undefined;
  readonly accepts: ((trip: TripIndex, line: LineIndex) => boolean) | undefined;
}

export interface BoardIndex {
  /** Sorted by time, then trip. Cancelled departures are omitted. */
  calls(request: BoardRequest): readonly Call[];
}
