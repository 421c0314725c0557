/** What a spread has reached, as its scan of routes reads and writes it. Callers: Spread, SpreadScan. */
import type { Direction } from './direction.ts';
import type { RouteQueue } from './seeds.ts';

export interface SpreadRules {
  readonly direction: Direction;
  readonly boardSlack: Int32Array;
  readonly alightSlack: Int32Array;
  /** Of the other direction, so with times that are the negative of those of this one: one is only where it is not yet too late. */
  readonly within: SpreadState | undefined;
  /** No label is earlier. */
  readonly begin: number;
}

export interface SpreadState {
  /** By stop: just off a ride, slack included. */
  readonly alighted: Int32Array;
  /** By stop: ready to board, the slack for it not yet taken. */
  readonly ready: Int32Array;
  /** By call (entry of `routeStops`): when one arrives there on board. */
  readonly aboard: Int32Array;
  /** By stop: the round in which one became ready there last. */
  readonly fresh: Int32Array;
  readonly routes: RouteQueue;
  /** Later labels are not made. */
  readonly bound: number;
  readonly round: number;
  readonly rules: SpreadRules | undefined;
  /** Whether a label of the other direction is later here than one may be there. */
  isAfter(label: number, other: number): boolean;
  /** One gets off a ride at the stop. */
  alight(stop: number, time: number): void;
  /** One is carried to a call by an interchange. */
  link(call: number, time: number): void;
}
