/** Labels of an earliest-arrival search, shared by the search and its scan of routes. */
import type { Direction } from './direction.ts';
import type { RouteQueue } from './seeds.ts';

export interface EarliestArrivalRules {
  readonly direction: Direction;
  readonly boardSlack: Int32Array;
  readonly alightSlack: Int32Array;
  /** Labels of the other direction, whose times are negated; a label that is too late for them is dropped. */
  readonly within: EarliestArrivalState | undefined;
  /** Time of the earliest label. */
  readonly begin: number;
}

export interface EarliestArrivalState {
  /** By stop: just off a ride, slack included. */
  readonly alighted: Int32Array;
  /** By stop: ready to board, the slack for it not yet taken. */
  readonly ready: Int32Array;
  /** By call (entry of `routeStops`): arrival on board. */
  readonly aboard: Int32Array;
  /** By stop: the last round that made it ready. */
  readonly fresh: Int32Array;
  readonly routes: RouteQueue;
  /** Later labels are not made. */
  readonly bound: number;
  readonly round: number;
  readonly rules: EarliestArrivalRules | undefined;
  /** Whether a label of the other direction is too late for this one. */
  isAfter(label: number, other: number): boolean;
  /** Alights from a ride at the stop. */
  alight(stop: number, time: number): void;
  /** Reaches a call by an interchange. */
  link(call: number, time: number): void;
}
