/** Resolves departure and arrival boards: `estimatedCalls` of quays and stop places. */
import type { RouteIndex, StopIndex, TripIndex } from '../../../planner/model/indices.ts';
import type { DateTimeInput } from '../schema/scalars.ts';
import { instantOf } from '../schema/scalars.ts';
import { boardFilter, type CallTest, type FilterArgs } from './board-filter.ts';
import type { Call } from './calls.ts';
import { cancelledCalls } from './cancelled-calls.ts';
import { MAX_LIST } from './lists.ts';
import { addNote, type RequestContext } from './request-context.ts';
import { amount } from './user-input.ts';

export interface BoardArgs extends FilterArgs {
  readonly startTime?: DateTimeInput | null;
  readonly timeRange?: number | null;
  readonly numberOfDepartures?: number | null;
  readonly numberOfDeparturesPerLineAndDestinationDisplay?: number | null;
  readonly omitNonBoarding?: boolean | null;
  /** In v3 only; v2 shows both. */
  readonly arrivalDeparture?: 'arrivals' | 'departures' | 'both' | null;
  readonly includeCancelledTrips?: boolean | null;
}

const MAX_RANGE_SECONDS = 366 * 86_400;

/** `zone` applies to a startTime without an offset. */
export function board(
  stops: readonly StopIndex[],
  zone: string,
  args: BoardArgs,
  context: RequestContext,
): readonly Call[] {
  const count = amount('numberOfDepartures', args.numberOfDepartures, 5);
  const range = amount('timeRange', args.timeRange, 86_400);
  const perLine = args.numberOfDeparturesPerLineAndDestinationDisplay ?? undefined;
  amount('numberOfDeparturesPerLineAndDestinationDisplay', perLine, 0);
  if (count > MAX_LIST) addNote(context, `estimatedCalls: at most ${MAX_LIST} are shown.`);
  const accepts = boardFilter(args, context);
  const request = {
    // Scanning a year at a busy stop takes long, so skip stops where the filters match nothing.
    stops: accepts ? stops.filter((stop) => isServed(stop, accepts, context)) : stops,
    from: args.startTime ? instantOf(args.startTime, zone) : context.now,
    rangeSeconds: Math.min(range, MAX_RANGE_SECONDS),
    maximumCalls: Math.min(count, MAX_LIST),
    // A board of the older dialect has terminating journeys too, unless an argument excludes them.
    kind: args.arrivalDeparture ?? (context.dialect === 'v2' ? 'both' : 'departures'),
    omitNonBoarding: args.omitNonBoarding ?? false,
    maximumPerLineAndDestination: perLine,
    accepts,
  };
  if (request.maximumCalls === 0 || perLine === 0 || request.stops.length === 0) return [];
  const planned = context.timetable.boards.calls(request);
  if (!args.includeCancelledTrips) return planned;
  const cancelled = cancelledCalls(request, context.timetable);
  if (cancelled.length === 0) return planned;
  const timeOf = request.kind === 'arrivals' ? (call: Call) => call.arrival : (call: Call) => call.departure;
  return [...planned, ...cancelled]
    .sort((a, b) => timeOf(a) - timeOf(b) || a.trip - b.trip)
    .slice(0, request.maximumCalls);
}

/**
 * Whether the filters match a journey of any pattern at the stop. They test lines and modes, so one journey represents
 * its route.
 */
function isServed(stop: StopIndex, accepts: CallTest, { timetable: { transit } }: RequestContext): boolean {
  const end = transit.stopRoutesStart[stop + 1] ?? 0;
  for (let at = transit.stopRoutesStart[stop] ?? 0; at < end; at += 1) {
    const trip = transit.routeTripsStart[transit.stopRoutes[at] as RouteIndex] as TripIndex;
    if (accepts(trip, transit.lineOfTrip(trip))) return true;
  }
  return false;
}
