/**
 * A journey request as callers mean it, and its answer: plain data that crosses threads. Everything is resolved to
 * snapshot indexes inside the planner; answers hold indexes of `snapshotId`.
 */
import type { StopIndex, StopPlaceIndex } from '../model/indices.ts';
import type { TransportMode } from '../model/transport-mode.ts';
import type { Ride } from '../search/search-types.ts';

/** Origin or destination: an id of a quay, stop place or group, or a position. With both, a known id wins. */
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
  /** Undefined or empty: all. */
  readonly submodes: readonly string[] | undefined;
}

/** A ride is allowed when some `select` (or none is given) and no `not` matches. Of several filters one must allow it. */
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
  /** At most a day. Undefined: chosen and widened by the planner. */
  readonly windowSeconds: number | undefined;
  /** Most patterns of the answer, the direct one included. */
  readonly count: number;
  /** As an answer to the same question gave it (`questionHash`); `time` is then not looked at. A direct journey is on the first page alone. */
  readonly cursor: string | undefined;
  readonly filters: readonly TripFilter[];
  /** Ids of quays and stop places where boarding, alighting and transfers are forbidden. */
  readonly bannedQuays: readonly string[];
  /** The same, and nothing that calls there is ridden at all, wherever one boards and alights. */
  readonly impassableQuays: readonly string[];
  /** Undefined: no direct journey without transit. */
  readonly directMode: StreetMode | undefined;
  /** False: only the direct journey is asked for. */
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
  /** Longest walk to the first stop; 0: only the stops of the place itself. */
  readonly maximumAccessSeconds: number;
  readonly maximumEgressSeconds: number;
  readonly maximumDirectSeconds: number;
  /** A direct walk that takes longer is in nobody's way: with rides to show it is not shown. */
  readonly longestWalkBesideRidesSeconds: number;
  /** Only trips known to be accessible, and no stop known not to be. */
  readonly wheelchair: boolean;
  /** Seconds since 1970 UTC at which flexible rides would be booked. */
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
  /** Seconds since 1970 UTC: the departures (arriveBy: arrivals) looked at. */
  readonly windowStart: number;
  readonly windowEnd: number;
}

/** The planner as resolvers call it; threads answer. Rejects with `TripSearchFailure` alone. */
export interface TripPlanner {
  trip(request: TripRequest, signal?: AbortSignal): Promise<TripAnswer>;
}
