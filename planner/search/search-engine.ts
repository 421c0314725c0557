/**
 * The search engine of one thread. Takes and gives numbers only; knows no ids, no locations, no clock. See planner/package.md:
 * "What a search answers" for what it must find, "search/" for how.
 */
import type { Transit } from '../model/transit.ts';
import { arrivalsOf } from './arrivals-of.ts';
import { Cheapest } from './cheapest.ts';
import { Corridor } from './corridor.ts';
import { Departures } from './departures.ts';
import { Earliest } from './earliest.ts';
import { LowerBounds } from './lower-bounds.ts';
import { NEVER, Query } from './query.ts';
import type { SearchAnswer, SearchEngine, SearchRequest } from './search-types.ts';
import { Walks } from './walks.ts';

/** Thrown by `search` when `isCancelled` says so. */
export class SearchCancelled extends Error {
  constructor() {
    super('The search was cancelled.');
    this.name = 'SearchCancelled';
  }
}

const NOTHING: SearchAnswer = { journeys: [], isCut: false };

/**
 * How much later than the soonest arrival the others of a few journeys may come: of what that journey takes, and seconds. So far is looked
 * at first; then so many times as far as journeys come by what was seen, within bounds.
 */
const MARGIN_FACTOR = 0.2;
const MARGIN_SECONDS = 600;
const SHORTEST_STEP = 1.25;
const LONGEST_STEP = 3;
/** With so many departures it pays to look anew for what is in time, once it is known when. */
const MANY_DEPARTURES = 100;

export function createSearchEngine(timetable: { readonly transit: Transit }): SearchEngine {
  const query = new Query(timetable.transit);
  const corridor = new Corridor(query);
  const bounds = new LowerBounds(query, corridor);
  const walks = new Walks(query, bounds);
  const departures = new Departures();
  const earliest = new Earliest(query, bounds, corridor);
  const cheapest = new Cheapest(query, bounds, corridor, walks);

  /** The first pass as far as `until`, where the corridor leads; when journeys arrive that it tells of. */
  function look(until: number, checkpoint: () => void): readonly number[] {
    bounds.compute();
    checkpoint();
    departures.collect(query, bounds, corridor);
    earliest.run(departures, until, checkpoint);
    return arrivalsOf(earliest, query.maximumRides);
  }

  function finish(request: SearchRequest, latest: number, checkpoint: () => void): SearchAnswer {
    walks.clear();
    cheapest.run(request, departures, earliest, latest, checkpoint);
    return { journeys: cheapest.found.write(query, cheapest.labels, departures), isCut: latest < NEVER };
  }

  /** The shortest time of any journey that arrives soonest. */
  function quickest(soonest: number, checkpoint: () => void): number {
    corridor.narrow(soonest, checkpoint);
    return soonest - corridor.latestDeparture();
  }

  /**
   * Where few journeys are enough: looks no further ahead than these should need, and further until they are there. Undefined
   * where that takes all of the window, or where what was not looked at may have so few rides that some of them are too many.
   */
  function findFirst(request: SearchRequest, enough: number, checkpoint: () => void): SearchAnswer | undefined {
    const soonest = corridor.begin(checkpoint);
    if (soonest >= NEVER) return NOTHING;
    const least = quickest(soonest, checkpoint);
    for (let margin = least * MARGIN_FACTOR + MARGIN_SECONDS; ; ) {
      const until = Math.floor(soonest + margin);
      if (until >= request.windowSeconds + least) return undefined;
      corridor.narrow(until, checkpoint);
      const arrivals = look(until, checkpoint);
      const latest = arrivals[enough - 1];
      if (latest === undefined) {
        const step = (enough + 0.5) / (arrivals.length + 0.5);
        margin *= Math.min(LONGEST_STEP, Math.max(SHORTEST_STEP, step));
        continue;
      }
      if (departures.count >= MANY_DEPARTURES) corridor.narrow(latest, checkpoint);
      const answer = finish(request, latest, checkpoint);
      return mayHaveFewerRides(request, answer) ? undefined : answer;
    }
  }

  /** Whether a journey of the window that was not looked at may have so few rides that some of the answer have too many. */
  function mayHaveFewerRides({ maximumAdditionalRides }: SearchRequest, { journeys }: SearchAnswer): boolean {
    return journeys.some(({ rides }) => rides.length > query.fewestRides() + maximumAdditionalRides);
  }

  function find(request: SearchRequest, checkpoint: () => void): SearchAnswer {
    if (query.maximumRides < query.fewestRides()) return NOTHING;
    // The soonest arrival with any number of rides says little of those with one.
    const quick =
      request.enough === undefined || query.maximumRides === 1
        ? undefined
        : findFirst(request, request.enough, checkpoint);
    if (quick !== undefined) return quick;
    corridor.open();
    const arrivals = look(NEVER, checkpoint);
    const latest = (request.enough === undefined ? undefined : arrivals[request.enough - 1]) ?? NEVER;
    return earliest.fewestRides === NEVER ? NOTHING : finish(request, latest, checkpoint);
  }

  return {
    search(request, isCancelled) {
      const checkpoint = (): void => {
        if (isCancelled?.() === true) throw new SearchCancelled();
      };
      query.prepare(request);
      try {
        return find(request, checkpoint);
      } finally {
        query.release();
      }
    },
  };
}
