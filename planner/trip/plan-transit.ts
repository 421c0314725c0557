/** The transit part of a trip answer: the page of journeys, their legs, and the reasons if there are none. */
import type { Timetable } from '../model/timetable.ts';
import { SearchTooLarge } from '../search/labels.ts';
import { HORIZON_SECONDS } from '../search/query.ts';
import { SearchCancelled } from '../search/search-engine.ts';
import type { FoundJourney, SearchAnswer, SearchEngine, ViaStops } from '../search/search-types.ts';
import { stopsWithinReach, type WalkedStop } from './access-stops.ts';
import { withBestChanges } from './best-changes.ts';
import { isConnected } from './connection.ts';
import type { DirectJourney } from './direct-journey.ts';
import { findPage } from './find-page.ts';
import { encodeCursor, type PageCursor, type TimeWindow } from './page-cursor.ts';
import type { Page, PageTools } from './page-types.ts';
import type { KnownLocation } from './resolve-location.ts';
import { routingError } from './routing-errors.ts';
import { hundredths, speedOf, toSearchRequest, type WindowlessRequest } from './search-request.ts';
import { MAXIMUM_ACCESS_SECONDS, MAXIMUM_WINDOW_SECONDS } from './trip-limits.ts';
import { toTripPattern } from './trip-pattern.ts';
import { TripSearchFailure } from './trip-search-failure.ts';
import { type TripTools, tripToolsOf } from './trip-tools.ts';
import type { RoutingError, TripAnswer, TripRequest } from './trip-types.ts';

export type TransitPage = Omit<TripAnswer, 'snapshotId' | 'from' | 'to'>;

export interface TransitQuestion {
  readonly timetable: Timetable;
  readonly engine: SearchEngine;
  readonly request: TripRequest;
  readonly cursor: PageCursor | undefined;
  readonly questionHash: string;
  readonly from: KnownLocation;
  readonly to: KnownLocation;
  readonly via: readonly ViaStops[];
  /** The walk that transit must beat. */
  readonly direct: DirectJourney | undefined;
  readonly isCancelled: () => boolean;
}

const NOTHING: SearchAnswer = { journeys: [], isCut: false };

export function planTransit(question: TransitQuestion): TransitPage {
  const { timetable, request, cursor, questionHash, from, to } = question;
  const tools = tripToolsOf(timetable);
  const { access, egress, search, errors } = resolve(question, tools);
  const context = { timetable, request: search, from, to, access, egress };
  const { time, windowSeconds, count } = request;
  const { snapshotId } = timetable;
  const pageTools = createPageTools(question, tools, search);
  const page = findPage(
    { request: search, time, windowSeconds, count, cursor, snapshotId, questionHash, period: tools.period },
    // Without an access or egress stop there is no search. The answer still has a window and its cursors.
    errors.length === 0 ? pageTools : { ...pageTools, search: () => NOTHING, mayConnect: () => false },
  );
  const { start, end } = page.window;
  return {
    patterns: page.journeys.map((journey) => toTripPattern(context, withBestChanges(timetable, search, journey))),
    errors: errors.length > 0 ? errors : findErrors(question, page, tools.period, pageTools),
    nextCursor: encodeCursor(page.next),
    previousCursor: encodeCursor(page.previous),
    windowUsedSeconds: end - start,
    windowStart: start,
    windowEnd: end,
  };
}

interface ResolvedQuestion {
  readonly access: readonly WalkedStop[];
  readonly egress: readonly WalkedStop[];
  readonly search: WindowlessRequest;
  readonly errors: readonly RoutingError[];
}

function resolve({ timetable, request, cursor, from, to, via }: TransitQuestion, tools: TripTools): ResolvedQuestion {
  const stopMask = tools.closedStops.stopMask(request);
  const filtered = tools.filters.of(request.filters);
  const masks = { routes: tools.closedStops.routeMask(filtered.routes, request), trips: filtered.trips };
  const { bookingTime, time, arriveBy } = request;
  const { start, end } = cursor?.window ?? { start: time, end: time };
  const [before, after] = arriveBy ? [HORIZON_SECONDS, 0] : [0, HORIZON_SECONDS];
  const [earliest, latest] = [start - MAXIMUM_WINDOW_SECONDS - before, end + MAXIMUM_WINDOW_SECONDS + after];
  const closedRuns = bookingTime === undefined ? undefined : tools.bookings.closedRuns(bookingTime, earliest, latest);

  const ends = (place: KnownLocation, side: 'access' | 'egress'): [WalkedStop[], readonly WalkedStop[]] => {
    const longest = side === 'access' ? request.maximumAccessSeconds : request.maximumEgressSeconds;
    const maximumSeconds = Math.min(longest, MAXIMUM_ACCESS_SECONDS);
    const walkSpeed = speedOf(request.walkSpeed);
    const reached = stopsWithinReach(timetable, place, { walkSpeed, maximumSeconds, stopMask });
    const rules = { side, walkReluctance: hundredths(request.walkReluctance), routeMask: masks.routes };
    // A via entry may be met at a stop that no journey needs otherwise.
    return [reached, via.length > 0 ? reached : tools.usefulStops.of(reached, rules)];
  };
  const [[nearFrom, access], [nearTo, egress]] = [ends(from, 'access'), ends(to, 'egress')];
  const errors: RoutingError[] = [];
  if (nearFrom.length === 0) errors.push(routingError('noStopsInRange', 'from'));
  if (nearTo.length === 0) errors.push(routingError('noStopsInRange', 'to'));
  const search = toSearchRequest(request, { access, egress, via, masks, closedRuns, stopMask });
  return { access, egress, search, errors };
}

function createPageTools(question: TransitQuestion, tools: TripTools, search: WindowlessRequest): PageTools {
  const { timetable, engine, request, direct, isCancelled } = question;
  const walk = direct?.mode === 'foot' ? direct : undefined;
  const { bookingTime } = request;
  let connected: boolean | undefined;
  return {
    search: ({ start, end }, enough) => {
      if (search.access.length === 0 || search.egress.length === 0 || !meet(tools.period, start, end)) return NOTHING;
      const time = search.arriveBy ? end : start;
      try {
        return engine.search({ ...search, time, windowSeconds: end - start, ...(enough && { enough }) }, isCancelled);
      } catch (error) {
        throw asFailure(error);
      }
    },
    isShown: (journey) =>
      !(walk !== undefined && isWorseThanWalking(journey, walk)) &&
      !(bookingTime !== undefined && journey.rides.some((ride) => tools.bookings.isTooLate(ride, bookingTime))),
    mayConnect: () => {
      connected ??= isConnected(timetable.transit, search);
      return connected;
    },
  };
}

function asFailure(error: unknown): unknown {
  if (error instanceof SearchCancelled) return new TripSearchFailure('cancelled', 'The search was cancelled.');
  if (error instanceof SearchTooLarge) return new TripSearchFailure('tooLarge', 'The search is too large.');
  return error;
}

/** Walking may begin at any time. Begun at the journey's departure, it arrives no later. */
function isWorseThanWalking({ departure, arrival, cost }: FoundJourney, walk: DirectJourney): boolean {
  return arrival - departure >= walk.seconds && cost >= walk.cost;
}

/** Arrivals may be later than the last departure of the period, and departures earlier than the first arrival. */
function meet(period: TimeWindow, start: number, end: number): boolean {
  return end >= period.start && start <= period.end + MAXIMUM_ACCESS_SECONDS;
}

function findErrors(
  { direct }: TransitQuestion,
  page: Page,
  period: TimeWindow,
  { mayConnect }: PageTools,
): RoutingError[] {
  if (page.journeys.length > 0) return [];
  if (page.foundCount > 0 && direct?.mode === 'foot') return [routingError('walkingBetterThanTransit')];
  if (!meet(period, page.window.start, page.window.end)) return [routingError('outsideServicePeriod', 'dateTime')];
  if (!mayConnect()) return [routingError('noTransitConnection')];
  return [routingError('noTransitConnectionInSearchWindow', 'dateTime')];
}
