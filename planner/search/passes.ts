/** The two passes of a search over one network, with all they keep between searches. Callers: the search engine, and where few journeys are enough. */
import type { Transit } from '../model/transit.ts';
import { arrivalsOf } from './arrivals-of.ts';
import { Cheapest } from './cheapest.ts';
import { Corridor } from './corridor.ts';
import { Departures } from './departures.ts';
import { LowerBounds } from './lower-bounds.ts';
import { NEVER, Query } from './query.ts';
import { RangeQuery } from './range-query.ts';
import type { SearchAnswer, SearchRequest } from './search-types.ts';
import { Walks } from './walks.ts';

export class Passes {
  readonly query: Query;
  readonly corridor: Corridor;
  readonly departures = new Departures();
  readonly rangeQuery: RangeQuery;
  readonly #bounds: LowerBounds;
  readonly #walks: Walks;
  readonly #cheapest: Cheapest;

  constructor(transit: Transit) {
    this.query = new Query(transit);
    this.corridor = new Corridor(this.query);
    this.#bounds = new LowerBounds(this.query, this.corridor);
    this.#walks = new Walks(this.query, this.#bounds);
    this.rangeQuery = new RangeQuery(this.query, this.#bounds, this.corridor);
    this.#cheapest = new Cheapest(this.query, this.#bounds, this.corridor, this.#walks);
  }

  /** Lower bounds and the departures there are, where the corridor leads: what the first pass begins with. */
  prepare(checkpoint: () => void): void {
    this.#bounds.compute();
    checkpoint();
    this.departures.collect(this.query, this.#bounds, this.corridor);
  }

  /** The first pass as far as `until`; when journeys arrive that it tells of. */
  look(until: number, checkpoint: () => void): readonly number[] {
    this.prepare(checkpoint);
    this.rangeQuery.run(this.departures, until, checkpoint);
    return arrivalsOf(this.rangeQuery, this.query);
  }

  /** The second pass, for what arrives by `latest`. */
  finish(request: SearchRequest, latest: number, checkpoint: () => void): SearchAnswer {
    this.#walks.clear();
    const cheapest = this.#cheapest;
    cheapest.run(request, this.departures, this.rangeQuery, latest, checkpoint);
    return { journeys: cheapest.found.write(this.query, cheapest.labels, this.departures), isCut: latest < NEVER };
  }
}
