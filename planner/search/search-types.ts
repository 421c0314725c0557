/**
 * Request and answer of the search engine: numbers only. `planner/package.md` ("What a search answers") defines the
 * answer exactly; the oracle of `test/planner` implements the same definition by brute force.
 */
import type { RouteIndex, ServiceDay, StopIndex, TripIndex } from '../model/indices.ts';

/** Access or egress: a stop with the walk to or from it. */
export interface StopAccess {
  readonly stop: StopIndex;
  readonly walkSeconds: number;
}

/** A via entry: one of the stops must be passed. Entries hold in the order of the request. */
export interface ViaStops {
  readonly stops: readonly StopIndex[];
  /** `visit`: board, alight or transfer there and stay at least `minimumWaitSeconds`; `passThrough`: also ride through. */
  readonly kind: 'visit' | 'passThrough';
  readonly minimumWaitSeconds: number;
}

/** Service days on which a trip may not be ridden. */
export type ClosedRuns = ReadonlyMap<TripIndex, ReadonlySet<ServiceDay>>;

/** A call of a route (entry of `routeStops`) that is closed: `flag` is FOR_BOARDING or FOR_ALIGHTING. */
export interface ClosedCall {
  readonly call: number;
  readonly flag: number;
}

export interface SearchRequest {
  readonly access: readonly StopAccess[];
  readonly egress: readonly StopAccess[];
  readonly via: readonly ViaStops[];
  /** Seconds since 1970 UTC: start of the window, for arriveBy its end. */
  readonly time: number;
  readonly windowSeconds: number;
  readonly arriveBy: boolean;
  /** Most rides of an answer, 1 … 13. */
  readonly maximumRides: number;
  /** Rides beyond the journey with the fewest. */
  readonly maximumAdditionalRides: number;
  /** Metres per second, for transfers. */
  readonly walkSpeed: number;
  readonly transferSlackSeconds: number;
  /** By index into TRANSPORT_MODES. */
  readonly boardSlackSeconds: Int32Array;
  readonly alightSlackSeconds: Int32Array;
  /** Hundredths: 100 is 1.0. */
  readonly waitReluctance: number;
  readonly walkReluctance: number;
  /** Hundredths of a second, added for every boarding; and for every boarding but the first. */
  readonly boardCost: number;
  readonly transferCost: number;
  /** Longest single walk between rides. */
  readonly maximumTransferSeconds: number;
  /** Later arrivals (for arriveBy: earlier departures) allowed for a cheaper answer; see "bound". */
  readonly relaxSeconds: number;
  /** 0: excluded. Undefined: none is excluded. */
  readonly routeMask: Uint8Array | undefined;
  readonly tripMask: Uint8Array | undefined;
  /** Trips that are excluded on some of their days. */
  readonly closedRuns?: ClosedRuns | undefined;
  /** Calls where no ride begins, or none ends. */
  readonly closedCalls?: readonly ClosedCall[];
  /** 0 for stops where boarding, alighting and transfers are forbidden. */
  readonly stopMask: Uint8Array | undefined;
  /** Only trips known to be accessible. */
  readonly wheelchair: boolean;
  readonly useInterchanges: boolean;
  /**
   * Number of wanted journeys. The answer has at least the first ones in its order; later ones may be missing.
   * Undefined: all.
   */
  readonly enough?: number;
}

export interface Ride {
  readonly trip: TripIndex;
  readonly route: RouteIndex;
  readonly day: ServiceDay;
  readonly boardPosition: number;
  readonly alightPosition: number;
  /** Seconds since 1970 UTC. */
  readonly departure: number;
  readonly arrival: number;
  /** How the ride is reached from the one before: by a transfer, or by an interchange (index into Transit's arrays). */
  readonly by: 'access' | 'transfer' | 'interchange';
  readonly interchange: number | undefined;
}

export interface FoundJourney {
  /** Seconds since 1970 UTC: leaving the origin, reaching the destination. */
  readonly departure: number;
  readonly arrival: number;
  /** Hundredths of a second. */
  readonly cost: number;
  readonly accessSeconds: number;
  readonly egressSeconds: number;
  readonly rides: readonly Ride[];
  /** Rides without those that a traveller stays seated for. */
  readonly rideCount: number;
}

export interface SearchAnswer {
  /** In the order of the page "What a search answers". */
  readonly journeys: readonly FoundJourney[];
  /** True if journeys at the end may be missing, because `enough` were found. */
  readonly isCut: boolean;
}

/** Searches one request after the other. Each thread has one engine, which keeps its working arrays between calls. */
export interface SearchEngine {
  search(request: SearchRequest, isCancelled?: () => boolean): SearchAnswer;
}
