/**
 * Finds the calls of journeys that the timetable itself cancels or replaces on a day. They are few, and the board index
 * omits them. The dated journeys of a day are found once per snapshot. Caller: `board.ts`.
 */
import type { BoardRequest } from '../../../planner/boards/board-types.ts';
import type { DatedServiceJourney } from '../../../planner/model/entities.ts';
import type { JourneyPatternIndex, ServiceDay, StopIndex } from '../../../planner/model/indices.ts';
import type { Timetable } from '../../../planner/model/timetable.ts';
import { type Call, callAt, dayAt } from './calls.ts';

const byTimetable = new WeakMap<Timetable, Map<ServiceDay, readonly DatedServiceJourney[]>>();

export function cancelledCalls(request: BoardRequest, timetable: Timetable): readonly Call[] {
  const { transit, catalogue } = timetable;
  if (catalogue.datedServiceJourneys.count === 0) return [];
  const until = request.from + request.rangeSeconds;
  // Other zones may be a day ahead or behind.
  const first = dayAt(request.from, transit.zones[0] ?? 'UTC') - transit.daySpan - 1;
  const last = Math.min(dayAt(until, transit.zones[0] ?? 'UTC') + 1, transit.firstDay + transit.dayCount - 1);
  const stops = new Set(request.stops);
  const patterns = new Set(request.stops.flatMap((stop) => catalogue.patternsOfStop(stop)));
  const found: Call[] = [];
  for (let day = Math.max(first, transit.firstDay); day <= last; day += 1) {
    for (const dated of cancelledOn(day as ServiceDay, timetable)) {
      found.push(
        ...callsAt(dated, stops, patterns, timetable).filter((call) => isShown(call, request, until, timetable)),
      );
    }
  }
  return found;
}

function cancelledOn(day: ServiceDay, timetable: Timetable): readonly DatedServiceJourney[] {
  let days = byTimetable.get(timetable);
  if (!days) {
    days = new Map();
    byTimetable.set(timetable, days);
  }
  let dated = days.get(day);
  if (!dated) {
    const { catalogue } = timetable;
    dated = catalogue
      .datedJourneysOn(day)
      .map((index) => catalogue.datedServiceJourneys.at(index))
      .filter(({ alteration }) => alteration === 'cancellation' || alteration === 'replaced');
    days.set(day, dated);
  }
  return dated;
}

function callsAt(
  { journey, day }: DatedServiceJourney,
  stops: ReadonlySet<StopIndex>,
  patterns: ReadonlySet<JourneyPatternIndex>,
  timetable: Timetable,
): Call[] {
  const { pattern } = timetable.catalogue.serviceJourneys.at(journey);
  if (!patterns.has(pattern)) return [];
  const positions = timetable.catalogue.journeyPatterns
    .at(pattern)
    .stops.flatMap(({ stop }, position) => (stops.has(stop) ? [position] : []));
  return timetable.transit
    .tripsOfJourney(journey)
    .filter((trip) => !timetable.transit.runsOn(trip, day))
    .flatMap((trip) => positions.map((position) => callAt(timetable, trip, day, position)));
}

function isShown(call: Call, request: BoardRequest, until: number, { catalogue, transit }: Timetable): boolean {
  const time = request.kind === 'arrivals' ? call.arrival : call.departure;
  if (time < request.from || time >= until) return false;
  const line = transit.lineOfTrip(call.trip);
  if (request.accepts && !request.accepts(call.trip, line)) return false;
  const journey = catalogue.serviceJourneys.at(transit.tripJourney[call.trip] as never);
  const { stops } = catalogue.journeyPatterns.at(journey.pattern);
  const stop = stops[call.position];
  const leaves = stop?.forBoarding === true && call.position < stops.length - 1;
  const arrives = stop?.forAlighting === true && call.position > 0;
  if (request.omitNonBoarding && !leaves) return false;
  if (request.kind === 'departures') return leaves;
  return request.kind === 'arrivals' ? arrives : leaves || arrives;
}
