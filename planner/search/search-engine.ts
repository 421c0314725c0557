/**
 * The search engine of one thread. Takes and gives numbers only; knows no ids, no locations, no clock. See planner/package.md:
 * "What a search answers" for what it must find, "search/" for how.
 */
import type { Transit } from '../model/transit.ts';
import { Cheapest, setLimits } from './cheapest.ts';
import { Departures } from './departures.ts';
import { Earliest } from './earliest.ts';
import { Latest } from './latest.ts';
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

/** Longer: fewer backward searches, but each prunes less. */
const BLOCK_SECONDS = 180;

const NOTHING: SearchAnswer = { journeys: [] };

export function createSearchEngine(timetable: { readonly transit: Transit }): SearchEngine {
  const query = new Query(timetable.transit);
  const bounds = new LowerBounds(query);
  const walks = new Walks(query, bounds);
  const departures = new Departures();
  const earliest = new Earliest(query, bounds, walks);
  const latest = new Latest(query);
  const cheapest = new Cheapest(query, bounds, walks, latest);
  const limits = new Int32Array(16);
  const groupLimits = new Int32Array(16);

  function find(request: SearchRequest, checkpoint: () => void): SearchAnswer {
    departures.collect(query);
    if (departures.count === 0) return NOTHING;
    bounds.compute();
    walks.clear();
    checkpoint();
    earliest.begin();
    cheapest.begin(request);
    for (let place = 0, group = 0; place < departures.count; ) {
      checkpoint();
      const end = blockEnd(place);
      const firstGroup = group;
      for (let from = place; from < end; group++) {
        const to = groupEnd(from);
        earliest.next(departures, from, to);
        from = to;
      }
      if (earliest.fewestRides < NEVER) findCheapest(request, place, end, firstGroup, group);
      place = end;
    }
    const mostRides = earliest.fewestRides + request.maximumAdditionalRides;
    return { journeys: cheapest.found.write(query, cheapest.labels, departures, mostRides) };
  }

  /** Second pass over the departures `order[from]` … less than `order[to]`, whose first group has that row in `earliest`. */
  function findCheapest(request: SearchRequest, from: number, to: number, firstGroup: number, lastGroup: number): void {
    limits.fill(-1);
    for (let group = firstGroup; group < lastGroup; group++) {
      setLimits(groupLimits, request, earliest, group, query.horizon);
      for (let rides = 1; rides < limits.length; rides++) {
        limits[rides] = Math.max(limits[rides] as number, groupLimits[rides] as number);
      }
    }
    latest.compute(limits, earliest.rounds, earliest);
    for (let place = from, group = firstGroup; place < to; group++) {
      const end = groupEnd(place);
      cheapest.next(request, departures, place, end, earliest, group);
      place = end;
    }
  }

  function groupEnd(from: number): number {
    let to = from + 1;
    while (to < departures.count && departureAt(to) === departureAt(from)) to++;
    return to;
  }

  /** Departures so near one another that one backward search serves them all. */
  function blockEnd(from: number): number {
    let to = from + 1;
    while (to < departures.count && departureAt(to) > departureAt(from) - BLOCK_SECONDS) to++;
    return to;
  }

  function departureAt(place: number): number {
    return departures.time[departures.order[place] as number] as number;
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
