/**
 * Search engine of one thread. It works on numbers alone and knows no ids, locations or clock. In `planner/package.md`,
 * "What a search answers" defines its answer and "The search engine" describes how it works.
 */
import type { Transit } from '../model/transit.ts';
import { bannedChangesOf } from './banned-changes.ts';
import { fewestRides } from './open-routes.ts';
import { Passes } from './passes.ts';
import { NEVER } from './query.ts';
import { ReverseSearch } from './reverse-search.ts';
import type { SearchAnswer, SearchEngine, SearchRequest } from './search-types.ts';

/** Thrown by `search` when `isCancelled` returns true. */
export class SearchCancelled extends Error {
  constructor() {
    super('The search was cancelled.');
    this.name = 'SearchCancelled';
  }
}

const NOTHING: SearchAnswer = { journeys: [], isCut: false };

export function createSearchEngine(timetable: { readonly transit: Transit }): SearchEngine {
  const banned = bannedChangesOf(timetable.transit);
  const passes = new Passes(timetable.transit);
  const reverseSearch = new ReverseSearch(passes);
  const { query, timeBounds, rangeQuery } = passes;

  function find(request: SearchRequest, checkpoint: () => void): SearchAnswer {
    const { enough } = request;
    if (query.maximumRides < fewestRides(query)) return NOTHING;
    // With one ride, the earliest arrival of any number of rides is a poor bound.
    if (enough !== undefined && query.maximumRides > 1) {
      const answer = reverseSearch.find(request, enough, checkpoint);
      if (answer !== undefined) return answer;
      query.prepare(request);
    }
    timeBounds.clear();
    const arrivals = passes.look(NEVER, checkpoint);
    const last = enough === undefined ? undefined : arrivals[enough - 1];
    const latest = last === undefined ? NEVER : query.lastEndLike(last);
    return rangeQuery.fewestRides === NEVER ? NOTHING : passes.finish(request, latest, checkpoint);
  }

  return {
    search(request, isCancelled) {
      const checkpoint = (): void => {
        if (isCancelled?.() === true) throw new SearchCancelled();
      };
      return banned.answer((one) => {
        query.prepare(one);
        try {
          return find(one, checkpoint);
        } finally {
          query.release();
        }
      }, request);
    },
  };
}
