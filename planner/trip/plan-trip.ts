/**
 * Answers a trip request on one snapshot. It resolves places to stops and filters to masks, runs the engine once or
 * more, and turns journeys into legs. It is synchronous and runs in a search thread. The answer contains errors of the
 * request. It throws TripSearchFailure alone: for an invalid cursor, a search that is too large, and cancellation.
 */
import type { Timetable } from '../model/timetable.ts';
import type { SearchEngine, ViaStops } from '../search/search-types.ts';
import { type DirectJourney, directJourney, directPattern } from './direct-journey.ts';
import { decodeCursor, type PageCursor } from './page-cursor.ts';
import { planTransit, type TransitPage } from './plan-transit.ts';
import { questionHash } from './question-hash.ts';
import { findLocation, findStops, type KnownLocation, unresolved } from './resolve-location.ts';
import { routingError } from './routing-errors.ts';
import { clamp } from './search-request.ts';
import { EARLIEST_TIME, LATEST_TIME, MAXIMUM_PATTERNS, MAXIMUM_WINDOW_SECONDS } from './trip-limits.ts';
import { TripSearchFailure } from './trip-search-failure.ts';
import type { RoutingError, TripAnswer, TripRequest } from './trip-types.ts';

export function planTrip(
  timetable: Timetable,
  engine: SearchEngine,
  received: TripRequest,
  isCancelled: () => boolean = () => false,
): TripAnswer {
  const request = withinLimits(received);
  const hash = questionHash(received);
  const cursor = readCursor(request, hash);
  const { catalogue, snapshotId } = timetable;
  const [from, to] = [findLocation(catalogue, request.from), findLocation(catalogue, request.to)];
  const via = findVia(timetable, request);
  const places = {
    snapshotId,
    from: from?.resolved ?? unresolved(request.from),
    to: to?.resolved ?? unresolved(request.to),
  };
  if (from === undefined || to === undefined || via === undefined) {
    const errors: RoutingError[] = [];
    if (from === undefined) errors.push(routingError('locationNotFound', 'from'));
    if (to === undefined) errors.push(routingError('locationNotFound', 'to'));
    if (via === undefined) errors.push(routingError('locationNotFound', 'intermediatePlace'));
    return { ...places, ...nothingSearched(request, errors) };
  }
  if (via.length === 0 && areSame(from, to)) {
    return { ...places, ...nothingSearched(request, [routingError('walkingBetterThanTransit')]) };
  }
  const direct = directJourney(from, to, request);
  const shown = cursor === undefined ? direct : undefined;
  const dropped = shown !== undefined && isDroppedForRides(shown, request);
  const count = shown === undefined || dropped ? request.count : Math.max(1, request.count - 1);
  const page = request.transit
    ? planTransit({
        timetable,
        engine,
        cursor,
        questionHash: hash,
        from,
        to,
        via,
        direct,
        isCancelled,
        request: { ...request, count },
      })
    : nothingSearched(request, shown === undefined ? [routingError('noTransitConnection')] : []);
  const most = dropped ? 1 : request.count;
  if (shown === undefined || page.patterns.length >= most) return { ...places, ...page };
  return { ...places, ...page, patterns: [directPattern(shown, from, to, request), ...page.patterns] };
}

/** A dropped walk still filters transit: a journey that is worse than the walk stays out, however long the walk is. */
function isDroppedForRides({ mode, seconds }: DirectJourney, request: TripRequest): boolean {
  return mode === 'foot' && request.transit && seconds > request.longestWalkBesideRidesSeconds;
}

function withinLimits(request: TripRequest): TripRequest {
  const { windowSeconds } = request;
  return {
    ...request,
    time: Math.floor(clamp(request.time, EARLIEST_TIME, LATEST_TIME)),
    count: Math.floor(clamp(request.count, 1, MAXIMUM_PATTERNS)),
    windowSeconds:
      windowSeconds === undefined ? undefined : Math.floor(clamp(windowSeconds, 60, MAXIMUM_WINDOW_SECONDS)),
  };
}

function readCursor({ cursor, arriveBy }: TripRequest, hash: string): PageCursor | undefined {
  if (cursor === undefined) return undefined;
  const decoded = decodeCursor(cursor);
  const refusal = (message: string): TripSearchFailure => new TripSearchFailure('invalidCursor', message);
  if (decoded.arriveBy !== arriveBy) throw refusal('The page cursor was given for the other value of arriveBy.');
  if (decoded.question === hash) return decoded;
  throw refusal(
    'The page cursor was given for another question: only its time, window and number of journeys may change.',
  );
}

/** Undefined when no place of an entry is known. */
function findVia({ catalogue }: Timetable, { via }: TripRequest): ViaStops[] | undefined {
  const found: ViaStops[] = [];
  for (const { places, kind, minimumWaitSeconds } of via) {
    const stops = [...new Set(places.flatMap((id) => findStops(catalogue, id) ?? []))];
    if (stops.length === 0) return undefined;
    found.push({ kind, stops, minimumWaitSeconds: Math.floor(clamp(minimumWaitSeconds, 0, MAXIMUM_WINDOW_SECONDS)) });
  }
  return found;
}

function areSame(from: KnownLocation, to: KnownLocation): boolean {
  const isAtOnePoint = from.end.latitude === to.end.latitude && from.end.longitude === to.end.longitude;
  return isAtOnePoint || from.stops.some((stop) => to.stops.includes(stop));
}

function nothingSearched({ time }: TripRequest, errors: readonly RoutingError[]): TransitPage {
  const [nextCursor, previousCursor] = [undefined, undefined];
  return { patterns: [], errors, nextCursor, previousCursor, windowUsedSeconds: 0, windowStart: time, windowEnd: time };
}
