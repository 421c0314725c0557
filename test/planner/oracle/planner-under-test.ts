/** Builds a small network with the planner, and converts requests to the planner's numbers and answers back. */
import { createTimetableBuilder, openTimetable } from '../../../planner/index.ts';
import type {
  InterchangeIndex,
  ServiceDay,
  ServiceJourneyIndex,
  StopIndex,
  TripIndex,
} from '../../../planner/model/indices.ts';
import type { Timetable } from '../../../planner/model/timetable.ts';
import { TRANSPORT_MODES } from '../../../planner/model/transport-mode.ts';
import type {
  ClosedRuns,
  FoundJourney,
  Ride,
  SearchRequest,
  StopAccess,
} from '../../../planner/search/search-types.ts';
import type { SmallAnswer, SmallRide } from './ride-again.ts';
import type { SmallNetwork, SmallRequest } from './small-network.ts';

const stopId = (stop: number): string => `T:Quay:${stop}`;
const lineId = (line: number): string => `T:Line:${line}`;
const journeyId = (line: number, journey: number): string => `T:ServiceJourney:${line}-${journey}`;

/** Stops are a degree apart, so the only footpaths are those of the network. */
export function buildNetwork(network: SmallNetwork): Timetable {
  const builder = createTimetableBuilder();
  builder.addAuthority({ id: 'T:Authority:1', name: 'Authority', timeZone: network.zone });
  for (let stop = 0; stop < network.stopCount; stop += 1) {
    builder.addQuay({ id: stopId(stop), name: `Stop ${stop}`, latitude: 60 + stop, longitude: 10 });
    const minimumSeconds = network.transferSeconds[stop] as number;
    const wheelchairSeconds = network.wheelchairTransferSeconds[stop];
    if (minimumSeconds > 0 || wheelchairSeconds !== undefined)
      builder.addTransfer({ fromId: stopId(stop), toId: stopId(stop), minimumSeconds, wheelchairSeconds });
  }
  for (const { from, to, ...times } of network.footpaths) {
    builder.addTransfer({ fromId: stopId(from), toId: stopId(to), ...times });
  }
  for (const [number, line] of network.lines.entries()) {
    builder.addLine({ id: lineId(number), mode: line.mode, authorityId: 'T:Authority:1' });
    const stops = line.stops.map(({ stop, ...flags }) => ({ quayId: stopId(stop), ...flags }));
    builder.addJourneyPattern({ id: `T:JourneyPattern:${number}`, lineId: lineId(number), stops });
    for (const [place, { arrivals, departures, days, accessible }] of line.journeys.entries()) {
      builder.addServiceJourney({
        id: journeyId(number, place),
        patternId: `T:JourneyPattern:${number}`,
        arrivals,
        departures,
        days,
        accessibility: accessible ? 'possible' : 'notPossible',
      });
    }
  }
  for (const [number, { from, to, staySeated, guaranteed, notAllowed }] of network.interchanges.entries()) {
    builder.addInterchange({
      id: `T:ServiceJourneyInterchange:${number}`,
      fromJourneyId: journeyId(from[0], from[1]),
      fromPosition: from[2],
      toJourneyId: journeyId(to[0], to[1]),
      toPosition: to[2],
      staySeated,
      guaranteed,
      priority: notAllowed ? 'notAllowed' : undefined,
    });
  }
  return openTimetable(builder.finish({ builtAt: 0, footpathMetres: 0 }).bytes.slice().buffer);
}

/** 1 for every index that is not banned. */
function mask(length: number, banned: (index: number) => boolean): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (banned(index) ? 0 : 1));
}

function toClosedRuns({ transit, catalogue }: Timetable, runs: SmallRequest['closedRuns']): ClosedRuns {
  const closed = new Map<TripIndex, Set<ServiceDay>>();
  for (const [line, journey, day] of runs) {
    const index = catalogue.serviceJourneys.find(journeyId(line, journey))?.index;
    for (const trip of index === undefined ? [] : transit.tripsOfJourney(index)) {
      closed.set(trip, (closed.get(trip) ?? new Set()).add(day));
    }
  }
  return closed;
}

export function toSearchRequest(timetable: Timetable, request: SmallRequest): SearchRequest {
  const { transit, catalogue } = timetable;
  const stopOf = (stop: number): StopIndex => {
    const quay = catalogue.quays.find(stopId(stop));
    if (quay === undefined) throw new Error(`The snapshot lacks stop ${stop}.`);
    return quay.index;
  };
  const ends = (list: SmallRequest['access']): StopAccess[] =>
    list.map(({ stop, walkSeconds }) => ({ stop: stopOf(stop), walkSeconds }));
  const slack = (byMode: SmallRequest['boardSlack']): Int32Array =>
    Int32Array.from(TRANSPORT_MODES, (mode) => byMode[mode] ?? 0);
  const bannedLines = request.bannedLines.map((line) => catalogue.lines.find(lineId(line))?.index);
  const bannedJourneys = request.bannedJourneys.map(
    ([line, j]) => catalogue.serviceJourneys.find(journeyId(line, j))?.index,
  );
  const bannedStops = request.bannedStops.map(stopOf);
  const {
    bannedLines: _l,
    bannedJourneys: _j,
    bannedStops: _s,
    closedRuns,
    boardSlack,
    alightSlack,
    ...same
  } = request;
  return {
    ...same,
    access: ends(request.access),
    egress: ends(request.egress),
    via: request.via.map((via) => ({ ...via, stops: via.stops.map(stopOf) })),
    boardSlackSeconds: slack(boardSlack),
    alightSlackSeconds: slack(alightSlack),
    routeMask: mask(transit.routeCount, (route) => bannedLines.some((line) => line === transit.routeLine[route])),
    tripMask: mask(transit.tripCount, (trip) =>
      bannedJourneys.some((journey) => journey === transit.tripJourney[trip]),
    ),
    closedRuns: closedRuns.length === 0 ? undefined : toClosedRuns(timetable, closedRuns),
    stopMask: mask(transit.stopCount, (stop) => bannedStops.some((banned) => banned === stop)),
  };
}

/** The numbers at the end of an id: `T:ServiceJourney:3-1` has 3 and 1. */
function numbersOf(id: string): number[] {
  return id
    .slice(id.lastIndexOf(':') + 1)
    .split('-')
    .map(Number);
}

export function toSmallAnswer(timetable: Timetable, journey: FoundJourney): SmallAnswer {
  return { ...journey, rides: journey.rides.map((ride) => toSmallRide(timetable, ride)) };
}

function toSmallRide({ transit, catalogue }: Timetable, ride: Ride): SmallRide {
  const journey = catalogue.serviceJourneys.at(transit.tripJourney[ride.trip] as ServiceJourneyIndex);
  const stopAt = (position: number): number =>
    numbersOf(catalogue.quays.at(transit.stopAt(ride.route, position)).id)[0] as number;
  const [line, number] = numbersOf(journey.id) as [number, number];
  const { route: _route, trip: _trip, interchange, ...same } = ride;
  const linkIndex = interchange === undefined ? undefined : (transit.interchangeIndex[interchange] as InterchangeIndex);
  return {
    ...same,
    line,
    journey: number,
    boardStop: stopAt(ride.boardPosition),
    alightStop: stopAt(ride.alightPosition),
    interchange: linkIndex === undefined ? undefined : numbersOf(catalogue.interchanges.at(linkIndex).id)[0],
  };
}
