/** Arguments that `trip` of both dialects shares, with the defaults of each. */
import type { TripRequest } from '../../../planner/trip/trip-types.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { amount, type Maybe, positive } from '../resolvers/user-input.ts';
import { type DateTimeInput, instantOf } from '../schema/scalars.ts';
import { type LocationInput, locationOf, zoneOf } from './locations.ts';
import { type BannedInput, bannedQuaysOf, impassableQuaysOf, type WhiteListInput } from './trip-filters.ts';

export const DEFAULT_ACCESS_SECONDS = 2_700;
export const DEFAULT_DIRECT_SECONDS = 14_400;
/** Default without a longest walk from the caller. */
export const DEFAULT_WALK_BESIDE_RIDES_SECONDS = 2_700;
const DEFAULT_BIKE_SPEED = 5;

export interface SharedTripArgs {
  readonly from: LocationInput;
  readonly to: LocationInput;
  readonly dateTime?: Maybe<DateTimeInput>;
  readonly arriveBy?: Maybe<boolean>;
  readonly numTripPatterns?: Maybe<number>;
  readonly whiteListed?: Maybe<WhiteListInput>;
  readonly banned?: Maybe<BannedInput>;
  readonly walkSpeed?: Maybe<number>;
  readonly bikeSpeed?: Maybe<number>;
  readonly walkReluctance?: Maybe<number>;
  readonly waitReluctance?: Maybe<number>;
  readonly transferPenalty?: Maybe<number>;
  readonly maximumTransfers?: Maybe<number>;
}

export interface TripDefaults {
  readonly numTripPatterns: number;
  readonly walkSpeed: number;
  readonly walkReluctance: number;
  readonly waitReluctance: number;
  readonly maximumTransfers: number;
}

/** Settings that the dialects express differently, or that only one has. Absent ones get the values below. */
type OwnPart = Pick<
  TripRequest,
  | 'via'
  | 'filters'
  | 'directMode'
  | 'transit'
  | 'maximumAdditionalTransfers'
  | 'transferSlackSeconds'
  | 'maximumAccessSeconds'
  | 'maximumEgressSeconds'
  | 'maximumDirectSeconds'
  | 'longestWalkBesideRidesSeconds'
  | 'wheelchair'
> &
  Partial<TripRequest>;

export function tripRequest(
  args: SharedTripArgs,
  defaults: TripDefaults,
  own: OwnPart,
  context: RequestContext,
): TripRequest {
  return {
    from: locationOf('from', args.from),
    to: locationOf('to', args.to),
    time: args.dateTime ? instantOf(args.dateTime, zoneOf(args.from, context)) : context.now,
    arriveBy: args.arriveBy ?? false,
    windowSeconds: undefined,
    count: positive('numTripPatterns', args.numTripPatterns, defaults.numTripPatterns),
    cursor: undefined,
    bannedQuays: bannedQuaysOf(args.banned),
    impassableQuays: impassableQuaysOf(args.banned),
    maximumTransfers: amount('maximumTransfers', args.maximumTransfers, defaults.maximumTransfers),
    walkSpeed: walkSpeedOf(args, defaults),
    bikeSpeed: positive('bikeSpeed', args.bikeSpeed, DEFAULT_BIKE_SPEED),
    walkReluctance: amount('walkReluctance', args.walkReluctance, defaults.walkReluctance),
    waitReluctance: amount('waitReluctance', args.waitReluctance, defaults.waitReluctance),
    transferPenaltySeconds: amount('transferPenalty', args.transferPenalty, 0),
    boardSlackSeconds: 0,
    alightSlackSeconds: 0,
    boardSlackByMode: [],
    alightSlackByMode: [],
    bookingTime: undefined,
    ...own,
    // With via places there is no direct journey.
    directMode: own.via.length === 0 ? own.directMode : undefined,
  };
}

/** Returns metres per second. */
export function walkSpeedOf({ walkSpeed }: SharedTripArgs, defaults: TripDefaults): number {
  return positive('walkSpeed', walkSpeed, defaults.walkSpeed);
}
