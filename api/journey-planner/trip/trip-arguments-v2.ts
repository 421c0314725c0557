/**
 * Turns the arguments of the older dialect's `trip` into a request of the planner. Its one list of modes mixes streets
 * and transit. With transit modes, the search rides them and walks to and from them. Street modes alone request only
 * the direct journey.
 */
import type { StreetMode, TripModes, TripRequest } from '../../../planner/trip/trip-types.ts';
import { transportModesOf } from '../resolvers/modes.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { amount, listed, type Maybe } from '../resolvers/user-input.ts';
import { type LocationInput, viasOf } from './locations.ts';
import {
  DEFAULT_ACCESS_SECONDS,
  DEFAULT_DIRECT_SECONDS,
  DEFAULT_WALK_BESIDE_RIDES_SECONDS,
  type SharedTripArgs,
  type TripDefaults,
  tripRequest,
  walkSpeedOf,
} from './trip-arguments.ts';
import { filtersOf } from './trip-filters.ts';

interface SubmodeInput {
  readonly transportMode: string;
  readonly transportSubmodes: readonly Maybe<string>[];
}

export interface OlderTripArgs extends SharedTripArgs {
  readonly modes?: Maybe<readonly Maybe<string>[]>;
  readonly transportSubmodes?: Maybe<readonly Maybe<SubmodeInput>[]>;
  readonly vias?: Maybe<readonly Maybe<LocationInput>[]>;
  readonly wheelchair?: Maybe<boolean>;
  readonly minimumTransferTime?: Maybe<number>;
  readonly maximumWalkDistance?: Maybe<number>;
  readonly maxPreTransitWalkDistance?: Maybe<number>;
}

interface Modes {
  readonly direct: StreetMode | undefined;
  readonly transit: boolean;
  /** Undefined: all modes. */
  readonly ridden: readonly TripModes[] | undefined;
}

/** Submodes of a mode that the dialect cannot name are listed under the mode that includes it. */
const STANDS_FOR: Readonly<Record<string, string>> = { trolleybus: 'bus', monorail: 'metro' };
const CAR_MODES: readonly string[] = ['car', 'car_park', 'car_dropoff', 'car_pickup'];
/** The schema's default. */
const DEFAULT_WALK_METRES = 5_000;
/** The dialect does not limit the transfers beyond the fewest. */
const ANY_ADDITIONAL_TRANSFERS = 12;

const DEFAULTS: TripDefaults = {
  numTripPatterns: 3,
  walkSpeed: 1.3,
  walkReluctance: 4,
  waitReluctance: 0.8,
  maximumTransfers: 10,
};

export function tripRequestV2(args: OlderTripArgs, context: RequestContext): TripRequest {
  const modes = modesOf(args);
  const walkSpeed = walkSpeedOf(args, DEFAULTS);
  const reach = walkLimit(args, walkSpeed);
  const walkMetres = amount('maximumWalkDistance', args.maximumWalkDistance, DEFAULT_WALK_METRES);
  const own = {
    via: viasOf(args.vias, context),
    filters: filtersOf({ whiteListed: args.whiteListed, banned: args.banned, modes: modes.ridden }),
    directMode: modes.direct,
    transit: modes.transit,
    maximumAdditionalTransfers: ANY_ADDITIONAL_TRANSFERS,
    transferSlackSeconds: amount('minimumTransferTime', args.minimumTransferTime, 120),
    maximumAccessSeconds: reach,
    maximumEgressSeconds: reach,
    // With rides, a walk beyond the caller's limit is useless. A walk requested alone is returned.
    maximumDirectSeconds: modes.transit
      ? Math.min(walkMetres / walkSpeed, DEFAULT_DIRECT_SECONDS)
      : DEFAULT_DIRECT_SECONDS,
    // A caller that sets a limit on walking gets all walks within it.
    longestWalkBesideRidesSeconds:
      walkMetres === DEFAULT_WALK_METRES ? DEFAULT_WALK_BESIDE_RIDES_SECONDS : Number.POSITIVE_INFINITY,
    wheelchair: args.wheelchair ?? false,
  };
  return tripRequest(args, DEFAULTS, own, context);
}

/** Converts metres to walking time. Without a limit, the newer dialect's limit applies. */
function walkLimit(args: OlderTripArgs, walkSpeed: number): number {
  const metres = Math.min(
    amount('maxPreTransitWalkDistance', args.maxPreTransitWalkDistance, Number.MAX_VALUE),
    amount('maximumWalkDistance', args.maximumWalkDistance, Number.MAX_VALUE),
  );
  return Math.min(Math.floor(metres / walkSpeed), DEFAULT_ACCESS_SECONDS);
}

function modesOf({ modes, transportSubmodes }: OlderTripArgs): Modes {
  const words = listed(modes) ?? ['foot', 'transit'];
  const named = transportModesOf(words, 'v2') ?? new Set();
  const submodes = new Map(
    (listed(transportSubmodes) ?? []).map((input) => [input.transportMode, listed(input.transportSubmodes)]),
  );
  if (named.size === 0) return { direct: directOf(words), transit: false, ridden: undefined };
  // With transit, a car or bicycle would replace rides that it should not.
  const direct = words.includes('foot') ? 'foot' : undefined;
  const isAll = words.includes('transit') && submodes.size === 0;
  const ridden = [...named].map((mode) => ({
    mode,
    submodes: submodes.get(mode) ?? submodes.get(STANDS_FOR[mode] ?? ''),
  }));
  return { direct, transit: true, ridden: isAll ? undefined : ridden };
}

function directOf(words: readonly string[]): StreetMode {
  if (words.some((word) => CAR_MODES.includes(word))) return 'car';
  return words.includes('bicycle') ? 'bicycle' : 'foot';
}
