/** Plans trips with short calls, over networks of test/planner/support. */
import { createSearchEngine } from '../../../planner/search/search-engine.ts';
import { planTrip } from '../../../planner/trip/plan-trip.ts';
import type {
  TripAnswer,
  TripLocation,
  TripPattern,
  TripRequest,
  TripSelect,
} from '../../../planner/trip/trip-types.ts';
import type { Network } from '../support/network.ts';

/** `A`: quay A; `Place:Centre`: the stop place; `59.9 10.7`: a position. */
export function location(text: string): TripLocation {
  const nowhere = { name: undefined, place: undefined, latitude: undefined, longitude: undefined };
  if (/^-?\d/.test(text)) {
    const [latitude, longitude] = text.split(' ').map(Number);
    return { ...nowhere, latitude, longitude };
  }
  const place = text.startsWith('Place:') ? `TST:StopPlace:${text.slice(6)}` : `TST:Quay:${text}`;
  return { ...nowhere, place };
}

/** Defaults of a request; walks are 0, so that only the named stops count. */
export const PLAIN_REQUEST: Omit<TripRequest, 'from' | 'to' | 'time'> = {
  arriveBy: false,
  via: [],
  windowSeconds: undefined,
  count: 5,
  cursor: undefined,
  filters: [],
  bannedQuays: [],
  impassableQuays: [],
  directMode: undefined,
  transit: true,
  maximumTransfers: 12,
  maximumAdditionalTransfers: 12,
  walkSpeed: 1.3,
  bikeSpeed: 5,
  walkReluctance: 2,
  waitReluctance: 1,
  transferPenaltySeconds: 0,
  transferSlackSeconds: 120,
  boardSlackSeconds: 0,
  alightSlackSeconds: 0,
  boardSlackByMode: [],
  alightSlackByMode: [],
  maximumAccessSeconds: 0,
  maximumEgressSeconds: 0,
  maximumDirectSeconds: 7_200,
  longestWalkBesideRidesSeconds: 2_700,
  wheelchair: false,
  bookingTime: undefined,
};

export const WALKING = { maximumAccessSeconds: 1_800, maximumEgressSeconds: 1_800 };

export function requestOf(from: string, to: string, time: number, more: Partial<TripRequest> = {}): TripRequest {
  return { ...PLAIN_REQUEST, from: location(from), to: location(to), time, ...more };
}

/** Plans a trip; times are those of the network's clock. */
export function plan(
  network: Network,
  from: string,
  to: string,
  at: string,
  more: Partial<TripRequest> = {},
): TripAnswer {
  const timetable = network.open();
  return planTrip(timetable, createSearchEngine(timetable), requestOf(from, to, network.at(at), more));
}

export function select(more: Partial<TripSelect>): TripSelect {
  return {
    lines: undefined,
    authorities: undefined,
    groupsOfLines: undefined,
    serviceJourneys: undefined,
    modes: undefined,
    ...more,
  };
}

/** `walk 1-2 walk 2-1`: the walks and service journeys of the pattern. */
export function route(network: Network, { legs }: TripPattern): string {
  const { transit, catalogue } = network.open();
  const names = legs.map((leg) => {
    if (leg.kind === 'street') return leg.mode === 'foot' ? 'walk' : leg.mode;
    const journey = transit.tripJourney[leg.trip] as Parameters<typeof catalogue.serviceJourneys.at>[0];
    return catalogue.serviceJourneys.at(journey).id.replace('TST:ServiceJourney:', '');
  });
  return names.join(' ');
}

export function routes(network: Network, { patterns }: TripAnswer): string[] {
  return patterns.map((pattern) => route(network, pattern));
}

export function codes({ errors }: TripAnswer): string[] {
  return errors.map(({ code, field }) => (field === undefined ? code : `${code} ${field}`));
}
