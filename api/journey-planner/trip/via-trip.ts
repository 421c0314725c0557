/**
 * Resolves `viaTrip`: a journey in segments, from place to place, with a stay at each. Each segment has its own search,
 * which begins when the one before can end. The combinations list the patterns of two segments that fit together.
 */
import type { RoutingError, TripAnswer, TripPattern } from '../../../planner/trip/trip-types.ts';
import type { Fields, TypeResolvers } from '../resolvers/fields.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { amount, badInput, type Maybe, positive } from '../resolvers/user-input.ts';
import { type DateTimeInput, instantOf } from '../schema/scalars.ts';
import { type LocationInput, locationOf, MAXIMUM_VIAS, zoneOf } from './locations.ts';
import { runTrip } from './run-trip.ts';
import { type StreetModesInput, tripRequestV3 } from './trip-arguments-v3.ts';
import type { FilterInput } from './trip-filters.ts';

interface StayInput extends LocationInput {
  readonly minSlack?: Maybe<number>;
  readonly maxSlack?: Maybe<number>;
}

interface SegmentInput {
  readonly modes?: Maybe<StreetModesInput>;
  readonly filters?: Maybe<readonly FilterInput[]>;
}

export interface ViaTripArgs {
  readonly from: LocationInput;
  readonly to: LocationInput;
  readonly via: readonly StayInput[];
  readonly segments?: Maybe<readonly SegmentInput[]>;
  readonly dateTime?: Maybe<DateTimeInput>;
  /** Seconds. */
  readonly searchWindow: number;
  readonly numTripPatterns?: Maybe<number>;
  readonly wheelchairAccessible?: Maybe<boolean>;
}

interface Window {
  readonly time: number;
  readonly seconds: number;
}

interface Stay {
  readonly leastSeconds: number;
  readonly mostSeconds: number;
}

interface Connection {
  readonly from: number;
  readonly to: number;
}

interface ViaTripSource {
  readonly segments: readonly (readonly TripPattern[])[];
  readonly combinations: readonly (readonly Connection[])[];
  readonly errors: readonly RoutingError[];
}

const DEFAULT_COUNT = 50;

export async function viaTrip(args: ViaTripArgs, context: RequestContext): Promise<ViaTripSource> {
  if (args.via.length > MAXIMUM_VIAS) throw badInput(`via may have at most ${MAXIMUM_VIAS} places.`);
  if (args.segments && args.segments.length !== args.via.length + 1) {
    throw badInput('segments must have one entry more than via, or be left out.');
  }
  const stays = args.via.map(stayOf);
  for (;;) {
    const { snapshotId } = context.timetable;
    const answers = await searchSegments(args, stays, context);
    // The snapshot was replaced meanwhile, and all segments must come from one.
    if (answers.length > 1 && answers.some((answer) => answer.snapshotId !== snapshotId)) continue;
    const segments = answers.map(({ patterns }) => patterns);
    context.budget.take(segments.reduce((sum, patterns) => sum + patterns.length, 0));
    const combinations = stays.map((stay, at) => connections(segments[at] ?? [], segments[at + 1] ?? [], stay));
    context.budget.take(combinations.reduce((sum, list) => sum + list.length, 0));
    return { segments, combinations, errors: errorsOf(answers, args.via.length) };
  }
}

function stayOf({ minSlack, maxSlack, ...place }: StayInput): Stay {
  // Check the place here: the segment's search would name it as `from` or `to`.
  locationOf('via', place);
  const leastSeconds = amount('via.minSlack', minSlack, 300);
  const mostSeconds = amount('via.maxSlack', maxSlack, 3_600);
  if (mostSeconds < leastSeconds) throw badInput('via.maxSlack must not be less than via.minSlack.');
  return { leastSeconds, mostSeconds };
}

async function searchSegments(
  args: ViaTripArgs,
  stays: readonly Stay[],
  context: RequestContext,
): Promise<readonly TripAnswer[]> {
  const places = [args.from, ...args.via, args.to];
  const answers: TripAnswer[] = [];
  let window: Window | undefined = {
    time: args.dateTime ? instantOf(args.dateTime, zoneOf(args.from, context)) : context.now,
    seconds: positive('searchWindow', args.searchWindow, 0),
  };
  for (let at = 0; at + 1 < places.length && window; at += 1) {
    const [from, to] = [places[at] as LocationInput, places[at + 1] as LocationInput];
    const answer = await runTrip(segmentRequest(args, { from, to }, at, window, context), context);
    answers.push(answer);
    window = windowAfter(answer.patterns, stays[at]);
  }
  return answers;
}

function segmentRequest(
  args: ViaTripArgs,
  ends: { from: LocationInput; to: LocationInput },
  at: number,
  window: Window,
  context: RequestContext,
) {
  const segment = args.segments?.[at];
  const count = positive('numTripPatterns', args.numTripPatterns, DEFAULT_COUNT);
  const shared = { numTripPatterns: count, wheelchairAccessible: args.wheelchairAccessible };
  const own = { modes: segment?.modes, filters: segment?.filters };
  const request = tripRequestV3({ ...ends, ...shared, ...own }, context);
  return { ...request, time: window.time, windowSeconds: window.seconds };
}

/** Errors at the inner ends of segments concern a via place. */
function errorsOf(answers: readonly TripAnswer[], vias: number): readonly RoutingError[] {
  return answers.flatMap(({ errors }, at) =>
    errors.map((error) => {
      const isVia = (error.field === 'from' && at > 0) || (error.field === 'to' && at < vias);
      return isVia ? { ...error, field: 'intermediatePlace' as const } : error;
    }),
  );
}

/**
 * Returns the window from the first arrival that may continue to the last. Undefined when no journey reaches this
 * point.
 */
function windowAfter(patterns: readonly TripPattern[], stay: Stay | undefined): Window | undefined {
  if (patterns.length === 0 || !stay) return undefined;
  const arrivals = patterns.map(({ arrival }) => arrival);
  const time = Math.min(...arrivals) + stay.leastSeconds;
  return { time, seconds: Math.max(...arrivals) + stay.mostSeconds - time + 1 };
}

function connections(
  before: readonly TripPattern[],
  after: readonly TripPattern[],
  { leastSeconds, mostSeconds }: Stay,
): readonly Connection[] {
  return before.flatMap(({ arrival }, from) =>
    after.flatMap(({ departure }, to) => {
      const stay = departure - arrival;
      return stay >= leastSeconds && stay <= mostSeconds ? [{ from, to }] : [];
    }),
  );
}

const fields: Fields<ViaTripSource> = {
  routingErrors: ({ errors }) => errors,
  tripPatternCombinations: ({ combinations }) => combinations,
  tripPatternsPerSegment: ({ segments }) => segments,
};

const segmentFields: Fields<readonly TripPattern[]> = { tripPatterns: (patterns) => patterns };
const connectionFields: Fields<Connection> = { from: ({ from }) => from, to: ({ to }) => to };

export const viaTripType: TypeResolvers = { fields };
export const viaTripPatternSegment: TypeResolvers = { fields: segmentFields };
export const viaConnection: TypeResolvers = { fields: connectionFields };
