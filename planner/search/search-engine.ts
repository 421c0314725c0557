/**
 * The search engine of one thread. Takes and gives numbers only; knows no ids, no locations, no clock. See planner/package.md:
 * "What a search answers" for what it must find, "search/" for how.
 */
import type { Transit } from '../model/transit.ts';
import { arrivalOf } from './arrival-of.ts';
import { Cheapest } from './cheapest.ts';
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

export function createSearchEngine(timetable: { readonly transit: Transit }): SearchEngine {
  const query = new Query(timetable.transit);
  const bounds = new LowerBounds(query);
  const walks = new Walks(query, bounds);
  const departures = new Departures();
  const earliest = new Earliest(query, bounds);
  const cheapest = new Cheapest(query, bounds, walks);

  function find(request: SearchRequest, checkpoint: () => void): SearchAnswer {
    departures.collect(query);
    if (departures.count === 0) return NOTHING;
    bounds.compute();
    walks.clear();
    checkpoint();
    earliest.run(departures, checkpoint);
    if (earliest.fewestRides === NEVER) return NOTHING;
    const latest = request.enough === undefined ? NEVER : arrivalOf(request.enough, earliest, request.maximumRides);
    cheapest.run(request, departures, earliest, latest, checkpoint);
    return { journeys: cheapest.found.write(query, cheapest.labels, departures), isCut: latest < NEVER };
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
