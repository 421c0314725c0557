/**
 * The search engine of one thread. Takes and gives numbers only; knows no ids, no locations, no clock. See planner/package.md:
 * "What a search answers" for what it must find, "search/" for how.
 */
import type { Transit } from '../model/transit.ts';
import { Passes } from './passes.ts';
import { NEVER } from './query.ts';
import { ReverseSearch } from './reverse-search.ts';
import type { SearchAnswer, SearchEngine, SearchRequest } from './search-types.ts';

/** Thrown by `search` when `isCancelled` says so. */
export class SearchCancelled extends Error {
  constructor() {
    super('The search was cancelled.');
    this.name = 'SearchCancelled';
  }
}

const NOTHING: SearchAnswer = { journeys: [], isCut: false };

export function createSearchEngine(timetable: { readonly transit: Transit }): SearchEngine {
  const passes = new Passes(timetable.transit);
  const reverseSearch = new ReverseSearch(passes);
  const { query, timeBounds, rangeQuery } = passes;

  function find(request: SearchRequest, checkpoint: () => void): SearchAnswer {
    const { enough } = request;
    if (query.maximumRides < query.fewestRides()) return NOTHING;
    // The soonest arrival with any number of rides says little of those with one.
    if (enough !== undefined && query.maximumRides > 1) {
      const answer = reverseSearch.find(request, enough, checkpoint);
      if (answer !== undefined) return answer;
      query.prepare(request);
    }
    timeBounds.clear();
    const arrivals = passes.look(NEVER, checkpoint);
    const latest = (enough === undefined ? undefined : arrivals[enough - 1]) ?? NEVER;
    return rangeQuery.fewestRides === NEVER ? NOTHING : passes.finish(request, latest, checkpoint);
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
