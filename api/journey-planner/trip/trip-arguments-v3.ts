/**
 * Turns the arguments of the newer dialect's `trip` into a request of the planner. `../package.md` has the table.
 */
import type { TransportMode } from '../../../planner/model/transport-mode.ts';
import type { StreetMode, TripRequest } from '../../../planner/trip/trip-types.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { amount, badInput, listed, type Maybe } from '../resolvers/user-input.ts';
import { type DateTimeInput, instantOf } from '../schema/scalars.ts';
import { type PassThroughInput, passThroughOf, type ViaInput, viaOf, zoneOf } from './locations.ts';
import {
  DEFAULT_ACCESS_SECONDS,
  DEFAULT_DIRECT_SECONDS,
  DEFAULT_WALK_BESIDE_RIDES_SECONDS,
  type SharedTripArgs,
  type TripDefaults,
  tripRequest,
} from './trip-arguments.ts';
import { type FilterInput, filtersOf, type ModeInput, modesOf } from './trip-filters.ts';

/** A street mode of the schema. The planner has three of them, and no rented vehicles. */
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

export interface TripArgs extends SharedTripArgs {
  readonly searchWindow?: Maybe<number>;
  readonly pageCursor?: Maybe<string>;
  readonly modes?: Maybe<ModesInput>;
  readonly filters?: Maybe<readonly FilterInput[]>;
  readonly via?: Maybe<readonly ViaInput[]>;
  readonly passThroughPoints?: Maybe<readonly PassThroughInput[]>;
  readonly maximumAdditionalTransfers?: Maybe<number>;
  readonly bikePreferences?: Maybe<{ readonly speed?: Maybe<number> }>;
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

const DEFAULTS: TripDefaults = {
  numTripPatterns: 50,
  walkSpeed: 1.33,
  walkReluctance: 2,
  waitReluctance: 1,
  maximumTransfers: 12,
};

/**
 * The schema's street modes that the planner knows. Being driven needs no car of one's own. Parking, renting and
 * sharing need data that no timetable has.
 */
const STREET_MODES: Readonly<Record<string, StreetMode>> = {
  foot: 'foot',
  bicycle: 'bicycle',
  car: 'car',
  car_pickup: 'car',
};

export function tripRequestV3(args: TripArgs, context: RequestContext): TripRequest {
  const { modes } = args;
  const directWord = modes ? modes.directMode : 'foot';
  const access = longest(args.maxAccessEgressDurationForMode, 'foot', 'maxAccessEgressDurationForMode');
  const direct = longest(args.maxDirectDurationForMode, directWord ?? '', 'maxDirectDurationForMode');
  const searchWindow = amount('searchWindow', args.searchWindow, 0);
  const own = {
    via: viaArguments(args, context),
    windowSeconds: searchWindow === 0 ? undefined : searchWindow * 60,
    cursor: args.pageCursor || undefined,
    filters: filtersOf({ ...args, modes: modesOf(modes?.transportModes) }),
    directMode: directWord ? STREET_MODES[directWord] : undefined,
    // An empty list excludes all transit; without a list all transit is allowed.
    transit: !(modes?.transportModes && modes.transportModes.length === 0),
    maximumAdditionalTransfers: amount('maximumAdditionalTransfers', args.maximumAdditionalTransfers, 5),
    transferSlackSeconds: amount('transferSlack', args.transferSlack, 120),
    boardSlackSeconds: amount('boardSlackDefault', args.boardSlackDefault, 0),
    alightSlackSeconds: amount('alightSlackDefault', args.alightSlackDefault, 0),
    boardSlackByMode: slacks('boardSlackList', args.boardSlackList),
    alightSlackByMode: slacks('alightSlackList', args.alightSlackList),
    maximumAccessSeconds: access ?? DEFAULT_ACCESS_SECONDS,
    maximumEgressSeconds: access ?? DEFAULT_ACCESS_SECONDS,
    maximumDirectSeconds: direct ?? DEFAULT_DIRECT_SECONDS,
    longestWalkBesideRidesSeconds: direct ?? DEFAULT_WALK_BESIDE_RIDES_SECONDS,
    wheelchair: args.wheelchairAccessible ?? false,
    bookingTime: args.bookingTime ? instantOf(args.bookingTime, zoneOf(args.from, context)) : undefined,
  };
  const bikeSpeed = args.bikePreferences?.speed ?? args.bikeSpeed;
  return tripRequest({ ...args, bikeSpeed }, DEFAULTS, own, context);
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
