/**
 * Queries for both planners: the same text on the same feed, with the feed's stop ids. Pairs and boards are drawn by
 * seed from stops with at least five calls in the timetable.
 */
import { createRandom } from '../../demo/random.ts';

export interface Question {
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface TripQuestion extends Question {
  readonly from: string;
  readonly to: string;
}

export const ASKED_PATTERNS = 5;

const TRIP_QUERY = `query($from: Location!, $to: Location!, $dt: DateTime!, $walkSpeed: Float) {
  trip(from: $from, to: $to, dateTime: $dt, numTripPatterns: ${ASKED_PATTERNS}, walkSpeed: $walkSpeed) {
    metadata { searchWindowUsed }
    tripPatterns {
      aimedStartTime aimedEndTime expectedEndTime duration walkTime generalizedCost
      legs {
        mode distance duration expectedStartTime expectedEndTime realtime
        fromPlace { name quay { id } } toPlace { name quay { id } }
        line { id publicCode } serviceJourney { id }
      }
    }
  }
}`;

/** The same trips in the older dialect, which has neither member. */
const TRIP_QUERY_V2 = TRIP_QUERY.replace('metadata { searchWindowUsed }', '').replace('generalizedCost', '');

/** Requests twenty calls of eighteen fields. */
const BOARD_QUERY = `query($id: String!, $t: DateTime!) {
  quay(id: $id) {
    id name
    estimatedCalls(startTime: $t, timeRange: 72100, numberOfDepartures: 20) {
      aimedDepartureTime expectedDepartureTime aimedArrivalTime expectedArrivalTime realtime realtimeState cancellation date
      forBoarding forAlighting destinationDisplay { frontText }
      serviceJourney { id line { id publicCode transportMode } }
      quay { id } situations { id }
    }
  }
}`;

export const DEFAULT_WALK_SPEED = 1.33;

/** Returns the stop ids with at least five calls in `calls`. */
function busyStops(calls: ReadonlyMap<string, number>): string[] {
  return [...calls]
    .filter(([, count]) => count >= 5)
    .map(([id]) => id)
    .toSorted();
}

export function drawPairs(calls: ReadonlyMap<string, number>, count: number): { from: string; to: string }[] {
  const random = createRandom('pairs');
  const stops = busyStops(calls);
  const pairs: { from: string; to: string }[] = [];
  while (pairs.length < count) {
    const [from, to] = [random.pick(stops), random.pick(stops)];
    if (from !== to) pairs.push({ from, to });
  }
  return pairs;
}

export function drawBoards(calls: ReadonlyMap<string, number>, count: number): string[] {
  const random = createRandom('boards');
  const stops = busyStops(calls);
  return Array.from({ length: count }, () => random.pick(stops));
}

export function tripQuestion(from: string, to: string, dateTime: string, walkSpeed: number): TripQuestion {
  const variables = { from: { place: from }, to: { place: to }, dt: dateTime, walkSpeed };
  return { name: `${from} → ${to}`, query: TRIP_QUERY, variables, from, to };
}

/** For the v2 dialect: the same trips with its defaults, of which waiting costs less than riding. */
export function inOlderDialect(question: TripQuestion): TripQuestion {
  return { ...question, query: TRIP_QUERY_V2 };
}

export function boardQuestion(stop: string, dateTime: string): Question {
  return { name: stop, query: BOARD_QUERY, variables: { id: stop, t: dateTime } };
}
