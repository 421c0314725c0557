/** Converts a TripRequest to a request of the engine, without the window. Numbers out of bounds are clamped. */
import { TRANSPORT_MODES, type TransportMode } from '../model/transport-mode.ts';
import type { ClosedRuns, SearchRequest, StopAccess, ViaStops } from '../search/search-types.ts';
import type { FilterMasks } from './filter-masks.ts';
import {
  BOARD_COST,
  FASTEST_SPEED,
  MAXIMUM_RIDES,
  MAXIMUM_TRANSFER_SECONDS,
  RELAX_SECONDS,
  SLOWEST_SPEED,
} from './trip-limits.ts';
import type { TripRequest } from './trip-types.ts';

export type WindowlessRequest = Omit<SearchRequest, 'time' | 'windowSeconds'>;

export interface ResolvedRequest {
  readonly access: readonly StopAccess[];
  readonly egress: readonly StopAccess[];
  readonly via: readonly ViaStops[];
  readonly masks: FilterMasks;
  readonly closedRuns: ClosedRuns | undefined;
  readonly stopMask: Uint8Array | undefined;
}

export function clamp(value: number, least: number, most: number): number {
  return Number.isNaN(value) ? least : Math.min(most, Math.max(least, value));
}

export function speedOf(metresPerSecond: number): number {
  return clamp(metresPerSecond, SLOWEST_SPEED, FASTEST_SPEED);
}

/** Converts a factor to hundredths. */
export function hundredths(factor: number): number {
  return Math.round(clamp(factor, 0, 1_000) * 100);
}

export function toSearchRequest(request: TripRequest, resolved: ResolvedRequest): WindowlessRequest {
  const { access, egress, via, masks, closedRuns, stopMask } = resolved;
  return {
    access,
    egress,
    via,
    stopMask,
    routeMask: masks.routes,
    tripMask: masks.trips,
    closedRuns,
    arriveBy: request.arriveBy,
    maximumRides: Math.floor(clamp(request.maximumTransfers, 0, MAXIMUM_RIDES - 1)) + 1,
    maximumAdditionalRides: Math.floor(clamp(request.maximumAdditionalTransfers, 0, MAXIMUM_RIDES)),
    walkSpeed: speedOf(request.walkSpeed),
    transferSlackSeconds: slack(request.transferSlackSeconds),
    boardSlackSeconds: slackByMode(request.boardSlackSeconds, request.boardSlackByMode),
    alightSlackSeconds: slackByMode(request.alightSlackSeconds, request.alightSlackByMode),
    waitReluctance: hundredths(request.waitReluctance),
    walkReluctance: hundredths(request.walkReluctance),
    boardCost: BOARD_COST,
    transferCost: 100 * slack(request.transferPenaltySeconds),
    maximumTransferSeconds: MAXIMUM_TRANSFER_SECONDS,
    relaxSeconds: RELAX_SECONDS,
    wheelchair: request.wheelchair,
    useInterchanges: true,
  };
}

function slack(seconds: number): number {
  return Math.floor(clamp(seconds, 0, 43_200));
}

function slackByMode(seconds: number, byMode: readonly (readonly [TransportMode, number])[]): Int32Array {
  const slacks = new Int32Array(TRANSPORT_MODES.length).fill(slack(seconds));
  for (const [mode, own] of byMode) slacks[TRANSPORT_MODES.indexOf(mode)] = slack(own);
  return slacks;
}
