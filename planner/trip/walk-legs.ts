/** Makes the walks of a journey: to the first ride, between two rides, and from the last. */
import { walkMetres } from '../geo/great-circle.ts';
import type { StopIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import { STAY_SEATED } from '../model/transit.ts';
import type { FoundJourney, Ride } from '../search/search-types.ts';
import type { WalkedStop } from './access-stops.ts';
import type { KnownLocation } from './resolve-location.ts';
import type { WindowlessRequest } from './search-request.ts';
import type { LegEnd, StreetLeg } from './trip-types.ts';

export interface LegContext {
  readonly timetable: Timetable;
  readonly request: WindowlessRequest;
  readonly from: KnownLocation;
  readonly to: KnownLocation;
  readonly access: readonly WalkedStop[];
  readonly egress: readonly WalkedStop[];
}

export function accessLeg({ from, access, request, timetable }: LegContext, journey: FoundJourney): StreetLeg {
  const stop = boardStop(timetable, journey.rides[0] as Ride);
  const { departure, accessSeconds: seconds } = journey;
  const metres = metresTo(access, stop);
  return footLeg({ from: from.end, to: stopEnd(timetable, stop), departure, seconds, metres }, request.walkReluctance);
}

export function egressLeg({ to, egress, request, timetable }: LegContext, journey: FoundJourney): StreetLeg {
  const stop = alightStop(timetable, journey.rides[journey.rides.length - 1] as Ride);
  const { arrival, egressSeconds: seconds } = journey;
  const departure = arrival - seconds;
  const metres = metresTo(egress, stop);
  return footLeg({ from: stopEnd(timetable, stop), to: to.end, departure, seconds, metres }, request.walkReluctance);
}

/**
 * Undefined if the ride leaves from the same stop, or if the traveller stays seated. Walking by an interchange has no
 * cost of its own, since the search counts that time as waiting. The leg takes at most the time between the rides.
 */
export function transferLeg({ timetable, request }: LegContext, before: Ride, ride: Ride): StreetLeg | undefined {
  const [from, to] = [alightStop(timetable, before), boardStop(timetable, ride)];
  if (from === to || isStaySeated(timetable, ride)) return undefined;
  const metres = transferMetres(timetable, from, to);
  const walk = Math.ceil(metres / request.walkSpeed);
  const isTransfer = ride.by === 'transfer';
  const seconds = isTransfer ? walk : Math.min(walk, ride.departure - before.arrival);
  const departure = before.arrival + (isTransfer ? alightSlack(timetable, request, before) : 0);
  const ends = { from: stopEnd(timetable, from), to: stopEnd(timetable, to) };
  return footLeg({ ...ends, departure, seconds, metres }, isTransfer ? request.walkReluctance : 0);
}

export function isStaySeated({ transit }: Timetable, { by, interchange }: Ride): boolean {
  if (by !== 'interchange' || interchange === undefined) return false;
  return ((transit.interchangeFlags[interchange] as number) & STAY_SEATED) !== 0;
}

export function alightSlack({ transit }: Timetable, request: WindowlessRequest, { route }: Ride): number {
  return request.alightSlackSeconds[transit.routeMode[route] as number] as number;
}

function boardStop({ transit }: Timetable, { route, boardPosition }: Ride): StopIndex {
  return transit.stopAt(route, boardPosition);
}

function alightStop({ transit }: Timetable, { route, alightPosition }: Ride): StopIndex {
  return transit.stopAt(route, alightPosition);
}

/** Returns the length of the snapshot's footpath; an interchange may have none. */
export function transferMetres({ transit }: Timetable, from: StopIndex, to: StopIndex): number {
  const end = transit.transfersStart[from + 1] as number;
  for (let entry = transit.transfersStart[from] as number; entry < end; entry += 1) {
    if (transit.transferTo[entry] === to) return transit.transferMetres[entry] as number;
  }
  const at = (stop: StopIndex): [number, number] => [
    transit.stopLatitude[stop] as number,
    transit.stopLongitude[stop] as number,
  ];
  return walkMetres(...at(from), ...at(to));
}

function metresTo(stops: readonly WalkedStop[], stop: StopIndex): number {
  return stops.find((walked) => walked.stop === stop)?.metres ?? 0;
}

function stopEnd({ catalogue }: Timetable, stop: StopIndex): LegEnd {
  const { name, latitude, longitude } = catalogue.quays.at(stop);
  return { name, latitude, longitude, stop };
}

interface Walk {
  readonly from: LegEnd;
  readonly to: LegEnd;
  readonly departure: number;
  readonly seconds: number;
  readonly metres: number;
}

function footLeg({ from, to, departure, seconds, metres }: Walk, reluctance: number): StreetLeg {
  const times = { departure, arrival: departure + seconds };
  return { kind: 'street', mode: 'foot', from, to, ...times, distanceMetres: metres, cost: seconds * reluctance };
}
