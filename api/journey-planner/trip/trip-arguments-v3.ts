/** The arguments of the newer dialect's `trip` as a request of the planner. package.md beside this folder has the table. */
import type { TransportMode } from '../../../planner/model/transport-mode.ts';
import type { StreetMode, TripRequest } from '../../../planner/trip/trip-types.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { type DateTimeInput, instantOf } from '../schema/scalars.ts';
import {
  type LocationInput,
  locationOf,
  type PassThroughInput,
  passThroughOf,
  type ViaInput,
  viaOf,
  zoneOf,
} from './locations.ts';
import { type Allowed, bannedQuaysOf, filtersOf, impassableQuaysOf, type ModeInput, modesOf } from './trip-filters.ts';
import { amount, badInput, listed, type Maybe, positive } from './user-input.ts';

/** Words of the schema; the planner knows three ways on streets, and no rented vehicles. */
type StreetWord = string;

export interface StreetModesInput {
  readonly accessMode?: Maybe<StreetWord>;
  readonly egressMode?: Maybe<StreetWord>;
  readonly directMode?: Maybe<StreetWord>;
}

export interface ModesInput extends StreetModesInput {
  readonly transportModes?: Maybe<readonly Maybe<ModeInput>[]>;
}

interface SlackInput {
  readonly modes: readonly TransportMode[];
  readonly slack: number;
}

interface DurationInput {
  readonly streetMode: StreetWord;
  readonly duration: number;
}

export interface TripArgs extends Omit<Allowed, 'modes'> {
  readonly from: LocationInput;
  readonly to: LocationInput;
  readonly dateTime?: Maybe<DateTimeInput>;
  readonly arriveBy?: Maybe<boolean>;
  readonly searchWindow?: Maybe<number>;
  readonly numTripPatterns?: Maybe<number>;
  readonly pageCursor?: Maybe<string>;
  readonly modes?: Maybe<ModesInput>;
  readonly via?: Maybe<readonly ViaInput[]>;
  readonly passThroughPoints?: Maybe<readonly PassThroughInput[]>;
  readonly maximumTransfers?: Maybe<number>;
  readonly maximumAdditionalTransfers?: Maybe<number>;
  readonly walkSpeed?: Maybe<number>;
  readonly bikeSpeed?: Maybe<number>;
  readonly bikePreferences?: Maybe<{ readonly speed?: Maybe<number> }>;
  readonly walkReluctance?: Maybe<number>;
  readonly waitReluctance?: Maybe<number>;
  readonly transferPenalty?: Maybe<number>;
  readonly transferSlack?: Maybe<number>;
  readonly boardSlackDefault?: Maybe<number>;
  readonly alightSlackDefault?: Maybe<number>;
  readonly boardSlackList?: Maybe<readonly Maybe<SlackInput>[]>;
  readonly alightSlackList?: Maybe<readonly Maybe<SlackInput>[]>;
  readonly maxAccessEgressDurationForMode?: Maybe<readonly DurationInput[]>;
  readonly maxDirectDurationForMode?: Maybe<readonly DurationInput[]>;
  readonly wheelchairAccessible?: Maybe<boolean>;
  readonly bookingTime?: Maybe<DateTimeInput>;
}

export const DEFAULT_ACCESS_SECONDS = 2_700;
export const DEFAULT_DIRECT_SECONDS = 14_400;
const DEFAULT_COUNT = 50;

/** Being driven needs no car of one's own; parking, renting and sharing need what no timetable holds. */
const STREET_MODES: Readonly<Record<string, StreetMode>> = {
  foot: 'foot',
  bicycle: 'bicycle',
  car: 'car',
  car_pickup: 'car',
};

export function tripRequestV3(args: TripArgs, context: RequestContext): TripRequest {
  const { modes } = args;
  const zone = zoneOf(args.from, context);
  const via = viaArguments(args, context);
  const directWord = modes ? modes.directMode : 'foot';
  const access = longest(args.maxAccessEgressDurationForMode, 'foot', 'maxAccessEgressDurationForMode');
  const direct = longest(args.maxDirectDurationForMode, directWord ?? '', 'maxDirectDurationForMode');
  const searchWindow = amount('searchWindow', args.searchWindow, 0);
  return {
    from: locationOf(args.from),
    to: locationOf(args.to),
    via,
    time: args.dateTime ? instantOf(args.dateTime, zone) : context.now,
    arriveBy: args.arriveBy ?? false,
    windowSeconds: searchWindow === 0 ? undefined : searchWindow * 60,
    count: positive('numTripPatterns', args.numTripPatterns, DEFAULT_COUNT),
    cursor: args.pageCursor || undefined,
    filters: filtersOf({ ...args, modes: modesOf(modes?.transportModes) }),
    bannedQuays: bannedQuaysOf(args.banned),
    impassableQuays: impassableQuaysOf(args.banned),
    // A direct way goes by no place.
    directMode: directWord && via.length === 0 ? STREET_MODES[directWord] : undefined,
    // An empty list says that nothing is to be ridden; no list says that all may be.
    transit: !(modes?.transportModes && modes.transportModes.length === 0),
    maximumTransfers: amount('maximumTransfers', args.maximumTransfers, 12),
    maximumAdditionalTransfers: amount('maximumAdditionalTransfers', args.maximumAdditionalTransfers, 5),
    walkSpeed: positive('walkSpeed', args.walkSpeed, 1.33),
    bikeSpeed: positive('bikeSpeed', args.bikePreferences?.speed ?? args.bikeSpeed, 5),
    walkReluctance: amount('walkReluctance', args.walkReluctance, 2),
    waitReluctance: amount('waitReluctance', args.waitReluctance, 1),
    transferPenaltySeconds: amount('transferPenalty', args.transferPenalty, 0),
    transferSlackSeconds: amount('transferSlack', args.transferSlack, 120),
    boardSlackSeconds: amount('boardSlackDefault', args.boardSlackDefault, 0),
    alightSlackSeconds: amount('alightSlackDefault', args.alightSlackDefault, 0),
    boardSlackByMode: slacks('boardSlackList', args.boardSlackList),
    alightSlackByMode: slacks('alightSlackList', args.alightSlackList),
    maximumAccessSeconds: access ?? DEFAULT_ACCESS_SECONDS,
    maximumEgressSeconds: access ?? DEFAULT_ACCESS_SECONDS,
    maximumDirectSeconds: direct ?? DEFAULT_DIRECT_SECONDS,
    wheelchair: args.wheelchairAccessible ?? false,
    bookingTime: args.bookingTime ? instantOf(args.bookingTime, zone) : undefined,
  };
}

function viaArguments(args: TripArgs, context: RequestContext): TripRequest['via'] {
  const [via, passThrough] = [viaOf(args.via, context), passThroughOf(args.passThroughPoints)];
  if (via.length > 0 && passThrough.length > 0) throw badInput('Give via or passThroughPoints, not both.');
  return via.length > 0 ? via : passThrough;
}

function slacks(name: string, inputs: Maybe<readonly Maybe<SlackInput>[]>): TripRequest['boardSlackByMode'] {
  return (listed(inputs) ?? []).flatMap(({ modes, slack }) => {
    const seconds = amount(`${name}.slack`, slack, 0);
    return modes.map((mode) => [mode, seconds] as const);
  });
}

function longest(inputs: Maybe<readonly DurationInput[]>, mode: StreetWord, name: string): number | undefined {
  const given = inputs?.find(({ streetMode }) => streetMode === mode);
  return given && amount(`${name}.duration`, given.duration, 0);
}
