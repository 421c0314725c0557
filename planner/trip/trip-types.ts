/**
 * A journey request in the caller's terms, and its answer. Both are plain data that crosses threads. The planner
 * resolves ids to snapshot indexes; answers hold indexes of `snapshotId`.
 */
import type { StopIndex, StopPlaceIndex } from '../model/indices.ts';
import type { TransportMode } from '../model/transport-mode.ts';
import type { Ride } from '../search/search-types.ts';

/** Origin or destination: an id of a quay, stop place or group, or a position. If both are given, a known id wins. */
export interface TripLocation {
  readonly name: string | undefined;
  readonly place: string | undefined;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

export interface TripVia {
  readonly kind: 'visit' | 'passThrough';
  readonly label: string | undefined;
  /** Ids of quays and stop places. */
  readonly places: readonly string[];
  readonly minimumWaitSeconds: number;
}

/** All given members must match; an undefined member matches everything, an empty list nothing. */
export interface TripSelect {
  readonly lines: readonly string[] | undefined;
  readonly authorities: readonly string[] | undefined;
  readonly groupsOfLines: readonly string[] | undefined;
  readonly serviceJourneys: readonly string[] | undefined;
  readonly modes: readonly TripModes[] | undefined;
}

export interface TripModes {
  readonly mode: TransportMode | undefined;
  /** Undefined or empty: all submodes. */
  readonly submodes: readonly string[] | undefined;
}

/**
 * A ride is allowed if some `select` (or none is given) and no `not` matches. At least one of several filters must
 * allow it.
 */
export interface TripFilter {
  readonly select: readonly TripSelect[];
  readonly not: readonly TripSelect[];
}

export type StreetMode = 'foot' | 'bicycle' | 'car';

export interface TripRequest {
  readonly from: TripLocation;
  readonly to: TripLocation;
  readonly via: readonly TripVia[];
  /** Seconds since 1970 UTC. */
  readonly time: number;
  readonly arriveBy: boolean;
  /** At most a day. If undefined, the planner chooses and widens the window. */
  readonly windowSeconds: number | undefined;
  /** Maximum number of patterns, the direct one included. */
  readonly count: number;
  /**
   * A cursor from an answer to the same request (`questionHash`); the planner then ignores `time`. Only the first page
   * has a direct journey.
   */
  readonly cursor: string | undefined;
  readonly filters: readonly TripFilter[];
  /** Ids of quays and stop places where boarding, alighting and transfers are forbidden. */
  readonly bannedQuays: readonly string[];
  /**
   * Ids of quays and stop places with the same ban. The search also rides nothing that calls there, wherever the
   * traveller boards and alights.
   */
  readonly impassableQuays: readonly string[];
  /** Undefined: no direct journey without transit. */
  readonly directMode: StreetMode | undefined;
  /** False: the answer has the direct journey alone. */
  readonly transit: boolean;
  readonly maximumTransfers: number;
  readonly maximumAdditionalTransfers: number;
  /** Metres per second. */
  readonly walkSpeed: number;
  readonly bikeSpeed: number;
  /** Factors: 2 makes a second of walking cost what two seconds of riding cost. */
  readonly walkReluctance: number;
  readonly waitReluctance: number;
  readonly transferPenaltySeconds: number;
  readonly transferSlackSeconds: number;
  readonly boardSlackSeconds: number;
  readonly alightSlackSeconds: number;
  readonly boardSlackByMode: readonly (readonly [TransportMode, number])[];
  readonly alightSlackByMode: readonly (readonly [TransportMode, number])[];
  /** Longest walk to the first stop. With 0 only the stops of the place itself are used. */
  readonly maximumAccessSeconds: number;
  readonly maximumEgressSeconds: number;
  readonly maximumDirectSeconds: number;
  /** A direct walk that takes longer is omitted when rides are found. */
  readonly longestWalkBesideRidesSeconds: number;
  /** Allows only trips known to be accessible, and no stop known to be inaccessible. */
  readonly wheelchair: boolean;
  /** Seconds since 1970 UTC at which the traveller would book flexible rides. */
  readonly bookingTime: number | undefined;
}

/** An end of a leg. Origin and destination are positions or stops; everything between is a stop. */
export interface LegEnd {
  readonly name: string | undefined;
  readonly latitude: number;
  readonly longitude: number;
  readonly stop: StopIndex | undefined;
}

export interface StreetLeg {
  readonly kind: 'street';
  readonly mode: StreetMode;
  readonly from: LegEnd;
  readonly to: LegEnd;
  readonly departure: number;
  readonly arrival: number;
  readonly distanceMetres: number;
  /** Hundredths of a second. */
  readonly cost: number;
}

export interface RideLeg extends Ride {
  readonly kind: 'ride';
  readonly cost: number;
}

export type TripLeg = StreetLeg | RideLeg;

export interface TripPattern {
  readonly departure: number;
  readonly arrival: number;
  readonly cost: number;
  readonly walkSeconds: number;
  readonly waitSeconds: number;
  readonly legs: readonly TripLeg[];
}

export type RoutingErrorCode =
  | 'locationNotFound'
  | 'noStopsInRange'
  | 'noTransitConnection'
  | 'noTransitConnectionInSearchWindow'
  | 'outsideServicePeriod'
  | 'walkingBetterThanTransit';

export interface RoutingError {
  readonly code: RoutingErrorCode;
  readonly field: 'from' | 'to' | 'dateTime' | 'intermediatePlace' | undefined;
  readonly description: string;
}

export interface ResolvedLocation {
  readonly name: string | undefined;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly stop: StopIndex | undefined;
  readonly stopPlace: StopPlaceIndex | undefined;
}

export interface TripAnswer {
  readonly snapshotId: string;
  readonly from: ResolvedLocation;
  readonly to: ResolvedLocation;
  readonly patterns: readonly TripPattern[];
  readonly errors: readonly RoutingError[];
  readonly nextCursor: string | undefined;
  readonly previousCursor: string | undefined;
  readonly windowUsedSeconds: number;
  /** Seconds since 1970 UTC: the searched window of departures (arriveBy: arrivals). */
  readonly windowStart: number;
  readonly windowEnd: number;
}

/** The planner's interface for resolvers. Threads run the searches. It rejects with `TripSearchFailure` alone. */
export interface TripPlanner {
  /** @param caller identity of the caller; waiting searches are taken in rotation by caller */
  trip(request: TripRequest, signal?: AbortSignal, caller?: string): Promise<TripAnswer>;
}
