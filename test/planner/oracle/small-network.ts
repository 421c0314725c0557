/**
 * A network small enough to try all its journeys. The oracle reads this description instead of the planner's snapshot,
 * so that errors of the build are found as well.
 */
import type { ServiceDay } from '../../../planner/model/indices.ts';
import type { TransportMode } from '../../../planner/model/transport-mode.ts';

export interface SmallFootpath {
  readonly from: number;
  readonly to: number;
  readonly metres: number;
  readonly minimumSeconds: number;
  /** In place of `minimumSeconds` for wheelchair users. */
  readonly wheelchairSeconds: number | undefined;
}

export interface SmallJourney {
  /** Seconds since the start of the service day, per stop of the line. */
  readonly arrivals: readonly number[];
  readonly departures: readonly number[];
  readonly days: readonly ServiceDay[];
  readonly accessible: boolean;
}

/** A line with one pattern. */
export interface SmallLine {
  readonly mode: TransportMode;
  readonly stops: readonly { readonly stop: number; readonly forBoarding: boolean; readonly forAlighting: boolean }[];
  readonly journeys: readonly SmallJourney[];
}

/** Ends are [line, journey, position]. */
export interface SmallInterchange {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly staySeated: boolean;
  readonly guaranteed: boolean;
  readonly notAllowed: boolean;
}

export interface SmallNetwork {
  readonly zone: string;
  readonly stopCount: number;
  /** Least transfer time at each stop, in seconds. */
  readonly transferSeconds: readonly number[];
  /** In their place for wheelchair users. */
  readonly wheelchairTransferSeconds: readonly (number | undefined)[];
  readonly footpaths: readonly SmallFootpath[];
  readonly lines: readonly SmallLine[];
  readonly interchanges: readonly SmallInterchange[];
}

export interface SmallVia {
  readonly kind: 'visit' | 'passThrough';
  readonly stops: readonly number[];
  readonly minimumWaitSeconds: number;
}

/** A search request with the network's numbers of stops, lines and journeys. */
export interface SmallRequest {
  readonly access: readonly { readonly stop: number; readonly walkSeconds: number }[];
  readonly egress: readonly { readonly stop: number; readonly walkSeconds: number }[];
  readonly via: readonly SmallVia[];
  readonly time: number;
  readonly windowSeconds: number;
  readonly arriveBy: boolean;
  readonly maximumRides: number;
  readonly maximumAdditionalRides: number;
  readonly walkSpeed: number;
  readonly transferSlackSeconds: number;
  readonly boardSlack: Readonly<Partial<Record<TransportMode, number>>>;
  readonly alightSlack: Readonly<Partial<Record<TransportMode, number>>>;
  readonly waitReluctance: number;
  readonly walkReluctance: number;
  readonly boardCost: number;
  readonly transferCost: number;
  readonly maximumTransferSeconds: number;
  readonly relaxSeconds: number;
  readonly bannedLines: readonly number[];
  /** [line, journey] */
  readonly bannedJourneys: readonly (readonly [number, number])[];
  /** [line, journey, day] */
  readonly closedRuns: readonly (readonly [number, number, ServiceDay])[];
  readonly bannedStops: readonly number[];
  readonly wheelchair: boolean;
  readonly useInterchanges: boolean;
}

/** The values by which answers are compared. */
export interface Outcome {
  readonly departure: number;
  readonly arrival: number;
  readonly rides: number;
  readonly cost: number;
}
