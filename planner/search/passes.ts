/**
 * The two passes of a search over one network, with the arrays they keep between searches. Callers: `search-engine.ts`,
 * `reverse-search.ts`.
 */
import type { Transit } from '../model/transit.ts';
import { arrivalsOf } from './arrivals-of.ts';
import { Departures } from './departures.ts';
import { LowerBounds } from './lower-bounds.ts';
import { ParetoSearch } from './pareto-search.ts';
import { NEVER, Query } from './query.ts';
import { RangeQuery } from './range-query.ts';
import type { SearchAnswer, SearchRequest } from './search-types.ts';
import { TimeBounds } from './time-bounds.ts';
import { Walks } from './walks.ts';

export class Passes {
  readonly query: Query;
  readonly timeBounds: TimeBounds;
  readonly departures = new Departures();
  readonly rangeQuery: RangeQuery;
  readonly #bounds: LowerBounds;
  readonly #walks: Walks;
  readonly #pareto: ParetoSearch;

  constructor(transit: Transit) {
    this.query = new Query(transit);
    this.timeBounds = new TimeBounds(this.query);
    this.#bounds = new LowerBounds(this.query, this.timeBounds);
    this.#walks = new Walks(this.query, this.#bounds);
    this.rangeQuery = new RangeQuery(this.query, this.#bounds, this.timeBounds);
    this.#pareto = new ParetoSearch(this.query, this.#bounds, this.timeBounds, this.#walks);
  }

  /** Lower bounds and departures: the input of the first pass. */
  prepare(checkpoint: () => void): void {
    this.#bounds.compute();
    checkpoint();
    this.departures.collect(this.query, this.#bounds, this.timeBounds);
  }

  /** Runs the first pass up to `until`. Returns the arrivals of journeys that are certain to be in the answer. */
  look(until: number, checkpoint: () => void): readonly number[] {
    this.prepare(checkpoint);
    this.rangeQuery.run(this.departures, until, checkpoint);
    return arrivalsOf(this.rangeQuery, this.query);
  }

  /** Runs the second pass, for journeys that arrive by `latest`. */
  finish(request: SearchRequest, latest: number, checkpoint: () => void): SearchAnswer {
    this.#walks.clear();
    const pareto = this.#pareto;
    pareto.run(request, this.departures, this.rangeQuery, latest, checkpoint);
    return { journeys: pareto.found.write(this.query, pareto.labels, this.departures), isCut: latest < NEVER };
  }
}
