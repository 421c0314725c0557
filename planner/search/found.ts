/**
 * Pareto set of the journeys found so far. `write` puts it into the order of the answer and adds the rides. Times are
 * those of the search; `write` alone converts them to seconds since 1970.
 */
import type { RouteIndex, TripIndex } from '../model/indices.ts';
import type { Departures } from './departures.ts';
import type { Labels } from './labels.ts';
import type { Query } from './query.ts';
import type { FoundJourney, Ride } from './search-types.ts';

interface Candidate {
  /** `Query.rankOfStart` and `rankOfEnd`. */
  readonly startRank: number;
  readonly endRank: number;
  readonly arrival: number;
  readonly rides: number;
  readonly cost: number;
  readonly label: number;
  readonly egressSeconds: number;
}

function isNoWorse(one: Candidate, other: Candidate): boolean {
  return (
    one.startRank >= other.startRank &&
    one.endRank <= other.endRank &&
    one.rides <= other.rides &&
    one.cost <= other.cost
  );
}

export class Found {
  #candidates: Candidate[] = [];

  clear(): void {
    this.#candidates = [];
  }

  /** True if no journey known is as good in everything. */
  add(candidate: Candidate): boolean {
    for (const known of this.#candidates) if (isNoWorse(known, candidate)) return false;
    this.#candidates = this.#candidates.filter((known) => !isNoWorse(candidate, known));
    this.#candidates.push(candidate);
    return true;
  }

  /** Whether a journey found has at most these rides, this rank of its end and this cost. */
  isBeaten(rides: number, endRank: number, cost: number): boolean {
    for (const known of this.#candidates) {
      if (known.cost <= cost && known.endRank <= endRank && known.rides <= rides) return true;
    }
    return false;
  }

  /** Least cost of the journeys found with at most these rides and this rank of its end. */
  leastCost(rides: number, endRank: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const known of this.#candidates) {
      if (known.rides <= rides && known.endRank <= endRank && known.cost < least) least = known.cost;
    }
    return least;
  }

  write(query: Query, labels: Labels, departures: Departures): FoundJourney[] {
    const byStart = (one: Candidate, other: Candidate): number => other.startRank - one.startRank;
    const byEnd = (one: Candidate, other: Candidate): number => one.endRank - other.endRank;
    const [first, last] = query.isReverse ? [byStart, byEnd] : [byEnd, byStart];
    const order = this.#candidates.sort(
      (one, other) => first(one, other) || one.cost - other.cost || one.rides - other.rides || last(one, other),
    );
    return order.map((candidate) => writeJourney(query, labels, departures, candidate));
  }
}

function writeJourney(query: Query, labels: Labels, departures: Departures, candidate: Candidate): FoundJourney {
  const time = query.request?.time ?? 0;
  const { sign } = query.direction;
  const rides: Ride[] = [];
  let label = candidate.label;
  let first = 0;
  for (;;) {
    const link = labels.link[label] as number;
    const parent = labels.parent[label] as number;
    rides.push(writeRide(query, labels, label, parent < 0 ? 'access' : link >= 0 ? 'interchange' : 'transfer', link));
    if (parent < 0) {
      first = -1 - parent;
      break;
    }
    label = link >= 0 ? parent : (labels.parent[parent] as number);
  }
  const startWalk = departures.walk[first] as number;
  const begins = departures.time[first] as number;
  const [from, to] = sign > 0 ? [begins, candidate.arrival] : [-candidate.arrival, -begins];
  return {
    departure: time + from,
    arrival: time + to,
    cost: candidate.cost,
    accessSeconds: sign > 0 ? startWalk : candidate.egressSeconds,
    egressSeconds: sign > 0 ? candidate.egressSeconds : startWalk,
    rides: sign > 0 ? rides.reverse() : withOwnTransfers(rides),
    rideCount: candidate.rides,
  };
}

/** A search backward stores with each ride how the next one is reached; the answer stores how the ride itself is reached. */
function withOwnTransfers(rides: readonly Ride[]): Ride[] {
  return rides.map((ride, index) => {
    const before = rides[index - 1];
    return { ...ride, by: before?.by ?? 'access', interchange: before?.interchange };
  });
}

function writeRide(query: Query, labels: Labels, label: number, by: Ride['by'], link: number): Ride {
  const { transit, direction } = query;
  const trip = labels.trip[label] as TripIndex;
  const route = transit.tripRoute[trip] as RouteIndex;
  const last = (transit.routeStopsStart[route + 1] as number) - (transit.routeStopsStart[route] as number) - 1;
  const board = labels.boardPosition[label] as number;
  const alight = labels.alightPosition[label] as number;
  const [boardPosition, alightPosition] = direction.sign > 0 ? [board, alight] : [last - alight, last - board];
  const day = query.dayOf(labels.view[label] as number);
  const start = transit.runStart(trip, day);
  return {
    trip,
    route,
    day,
    boardPosition,
    alightPosition,
    departure: start + transit.departureAt(trip, boardPosition),
    arrival: start + transit.arrivalAt(trip, alightPosition),
    by,
    interchange: link >= 0 ? link : undefined,
  };
}
