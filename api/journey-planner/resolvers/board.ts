/** Departure and arrival boards: `estimatedCalls` of quays and stop places. */
import { GraphQLError } from 'graphql';
import type { StopIndex } from '../../../planner/model/indices.ts';
import type { DateTimeInput } from '../schema/scalars.ts';
import { instantOf } from '../schema/scalars.ts';
import { boardFilter, type FilterArgs } from './board-filter.ts';
import type { Call } from './calls.ts';
import { cancelledCalls } from './cancelled-calls.ts';
import { MAX_LIST } from './lists.ts';
import { addNote, type RequestContext } from './request-context.ts';

export interface BoardArgs extends FilterArgs {
  readonly startTime?: DateTimeInput | null;
  readonly timeRange?: number | null;
  readonly numberOfDepartures?: number | null;
  readonly numberOfDeparturesPerLineAndDestinationDisplay?: number | null;
  /** In v3 only; v2 shows departures. */
  readonly arrivalDeparture?: 'arrivals' | 'departures' | 'both' | null;
  readonly includeCancelledTrips?: boolean | null;
}

const MAX_RANGE_SECONDS = 366 * 86_400;

/** `zone` is that of a startTime without an offset. */
export function board(
  stops: readonly StopIndex[],
  zone: string,
  args: BoardArgs,
  context: RequestContext,
): readonly Call[] {
  const count = args.numberOfDepartures ?? 5;
  const range = args.timeRange ?? 86_400;
  const perLine = args.numberOfDeparturesPerLineAndDestinationDisplay ?? undefined;
  if (range < 0 || count < 0 || (perLine ?? 0) < 0) {
    throw new GraphQLError('timeRange and the numbers of departures must not be negative.');
  }
  if (count > MAX_LIST) addNote(context, `estimatedCalls: at most ${MAX_LIST} are shown.`);
  const request = {
    stops,
    from: args.startTime ? instantOf(args.startTime, zone) : context.now,
    rangeSeconds: Math.min(range, MAX_RANGE_SECONDS),
    maximumCalls: Math.min(count, MAX_LIST),
    kind: args.arrivalDeparture ?? 'departures',
    maximumPerLineAndDestination: perLine,
    accepts: boardFilter(args, context),
  };
  if (request.maximumCalls === 0 || stops.length === 0) return [];
  const planned = context.timetable.boards.calls(request);
  if (!args.includeCancelledTrips) return planned;
  const cancelled = cancelledCalls(request, context.timetable);
  if (cancelled.length === 0) return planned;
  const timeOf = request.kind === 'arrivals' ? (call: Call) => call.arrival : (call: Call) => call.departure;
  return [...planned, ...cancelled]
    .sort((a, b) => timeOf(a) - timeOf(b) || a.trip - b.trip)
    .slice(0, request.maximumCalls);
}
