/**
 * Changes that published interchanges do not allow (NOT_ALLOWED): no journey leaves the one service journey at its call
 * and boards the other at its own. Labels of a stop do not know their trip, so the passes find such journeys all the
 * same. Each answer without a change is one that does not leave there, or one that does not board there. So a search
 * that finds the change is replaced by two, with one of the calls closed in each, and their answers are merged. It
 * takes nothing where no such journey is found. The build gives journeys with such interchanges routes of their own,
 * since a closed call must not hide the next trip of a route.
 */
import { FOR_ALIGHTING, FOR_BOARDING, NOT_ALLOWED, type Transit } from '../model/transit.ts';
import { journeyOrder, minutesOf } from './journey-order.ts';
import { mergeJourneys } from './merge-journeys.ts';
import type { ClosedCall, FoundJourney, Ride, SearchAnswer, SearchRequest } from './search-types.ts';

/** Of service journeys, by index. */
interface BannedChange {
  readonly fromJourney: number;
  readonly fromPosition: number;
  readonly toJourney: number;
  readonly toPosition: number;
}

/** Searches for one answer. Beyond them, journeys with a banned change are left out, and others in their place may be missing. */
const MOST_SEARCHES = 32;

type Search = (request: SearchRequest) => SearchAnswer;

export class BannedChanges {
  readonly #transit: Transit;
  readonly #byFrom = new Map<number, BannedChange[]>();

  constructor(transit: Transit) {
    this.#transit = transit;
    for (const [link, flags] of transit.interchangeFlags.entries()) {
      if ((flags & NOT_ALLOWED) === 0) continue;
      const fromJourney = transit.tripJourney[transit.interchangeFromTrip[link] as number] as number;
      const toJourney = transit.tripJourney[transit.interchangeToTrip[link] as number] as number;
      if (fromJourney === toJourney) continue;
      const ofJourney = this.#byFrom.get(fromJourney) ?? [];
      this.#byFrom.set(fromJourney, ofJourney);
      ofJourney.push({
        fromJourney,
        fromPosition: transit.interchangeFromPosition[link] as number,
        toJourney,
        toPosition: transit.interchangeToPosition[link] as number,
      });
    }
  }

  /** Whether a change is banned, at any place, between two service journeys that are ridden. */
  concern(rides: readonly Ride[]): boolean {
    return this.#between(rides).next().done !== true;
  }

  /** The answer of `search` without journeys that make a banned change. */
  answer(search: Search, request: SearchRequest): SearchAnswer {
    if (this.#byFrom.size === 0 || !request.useInterchanges) return search(request);
    const { enough } = request;
    for (let wanted = enough; ; wanted = wanted === undefined ? undefined : 2 * wanted) {
      let searches = 0;
      const counted: Search = (one) => {
        searches += 1;
        return search(one);
      };
      const answer = this.#without(
        counted,
        wanted === undefined ? request : { ...request, enough: wanted },
        () => searches,
      );
      if (!answer.isCut || answer.journeys.length >= (enough ?? 0) || searches > MOST_SEARCHES) return answer;
    }
  }

  #without(search: Search, request: SearchRequest, searches: () => number): SearchAnswer {
    const answer = search(request);
    const banned = this.#firstMade(answer.journeys);
    if (banned === undefined) return answer;
    if (searches() > MOST_SEARCHES) {
      return { ...answer, journeys: answer.journeys.filter((journey) => this.#madeBy(journey) === undefined) };
    }
    const closed = request.closedCalls ?? [];
    const [one, other] = this.#split(banned).map((calls) =>
      this.#without(search, { ...request, closedCalls: [...closed, ...calls] }, searches),
    ) as [SearchAnswer, SearchAnswer];
    return joined(one, other, request);
  }

  /**
   * The calls to close in either search: where journeys are left, and where they are boarded. Every change between the
   * two is banned. A ban between two lines is thus one split, and not one for each pair of their journeys.
   */
  #split({ fromJourney, fromPosition, ...to }: BannedChange): [ClosedCall[], ClosedCall[]] {
    const boarded = this.#from(fromJourney).filter((banned) => banned.fromPosition === fromPosition);
    const left = new Map<string, BannedChange>();
    for (const banned of [...this.#byFrom.values()].flat()) {
      if (banned.toJourney !== to.toJourney || banned.toPosition !== to.toPosition) continue;
      const others = this.#from(banned.fromJourney).filter((other) => other.fromPosition === banned.fromPosition);
      const leadsTo = new Set(others.map(({ toJourney, toPosition }) => `${toJourney} ${toPosition}`));
      if (boarded.every(({ toJourney, toPosition }) => leadsTo.has(`${toJourney} ${toPosition}`)))
        left.set(`${banned.fromJourney} ${banned.fromPosition}`, banned);
    }
    return [
      [...left.values()].flatMap((banned) => this.#callsOf(banned.fromJourney, banned.fromPosition, FOR_ALIGHTING)),
      boarded.flatMap(({ toJourney, toPosition }) => this.#callsOf(toJourney, toPosition, FOR_BOARDING)),
    ];
  }

  #from(journey: number): readonly BannedChange[] {
    return this.#byFrom.get(journey) ?? [];
  }

  #firstMade(journeys: readonly FoundJourney[]): BannedChange | undefined {
    for (const journey of journeys) {
      const made = this.#madeBy(journey);
      if (made !== undefined) return made;
    }
    return undefined;
  }

  #madeBy({ rides }: FoundJourney): BannedChange | undefined {
    for (const { banned, before, after } of this.#between(rides)) {
      if (banned.fromPosition === before.alightPosition && banned.toPosition === after.boardPosition) return banned;
    }
    return undefined;
  }

  /** Every pair of rides between which a change is banned somewhere. The journeys need not follow one another. */
  *#between(rides: readonly Ride[]): Generator<{ banned: BannedChange; before: Ride; after: Ride }> {
    const { tripJourney } = this.#transit;
    for (const before of rides) {
      for (const banned of this.#from(tripJourney[before.trip] as number)) {
        for (const after of rides) {
          if (after !== before && tripJourney[after.trip] === banned.toJourney) yield { banned, before, after };
        }
      }
    }
  }

  /** A journey with departures by frequency may have several routes. */
  #callsOf(journey: number, position: number, flag: number): ClosedCall[] {
    const { journeyTripsStart, journeyTrips, tripRoute, routeStopsStart } = this.#transit;
    const trips = journeyTrips.subarray(journeyTripsStart[journey], journeyTripsStart[journey + 1]);
    const routes = new Set(Array.from(trips, (trip) => tripRoute[trip] as number));
    return Array.from(routes, (route) => ({ call: (routeStopsStart[route] as number) + position, flag }));
  }
}

/** Both answers together, as far as both are complete. */
function joined(one: SearchAnswer, other: SearchAnswer, request: SearchRequest): SearchAnswer {
  const first = (journey: FoundJourney): number => {
    const [departure, arrival] = minutesOf(journey);
    return request.arriveBy ? -departure : arrival;
  };
  let last = Number.POSITIVE_INFINITY;
  for (const { journeys, isCut } of [one, other]) {
    const end = journeys.at(-1);
    if (isCut && end !== undefined) last = Math.min(last, first(end));
  }
  const merged = mergeJourneys(one.journeys, other.journeys, request);
  const journeys = merged.filter((journey) => first(journey) <= last).sort(journeyOrder(request.arriveBy));
  return { journeys, isCut: one.isCut || other.isCut };
}

const known = new WeakMap<Transit, BannedChanges>();

export function bannedChangesOf(transit: Transit): BannedChanges {
  const changes = known.get(transit) ?? new BannedChanges(transit);
  known.set(transit, changes);
  return changes;
}
