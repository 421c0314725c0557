/**
 * Second pass: the Pareto set of journeys within the bound of the first pass. It is range-RAPTOR, latest departure
 * first, with sets of labels (time, relative cost) instead of one time. Labels of later departures prune those of
 * earlier ones.
 */

import { CostLimits } from './cost-limits.ts';
import { CostScan } from './cost-scan.ts';
import { CostState, RIDING } from './cost-state.ts';
import { CostTransfers } from './cost-transfers.ts';
import type { Departures } from './departures.ts';
import type { Found } from './found.ts';
import type { Labels } from './labels.ts';
import type { LowerBounds } from './lower-bounds.ts';
import type { Query } from './query.ts';
import type { RangeQuery } from './range-query.ts';
import type { SearchRequest } from './search-types.ts';
import type { TimeBounds } from './time-bounds.ts';
import type { Walks } from './walks.ts';

export class ParetoSearch {
  readonly #query: Query;
  readonly #state: CostState;
  readonly #limits: CostLimits;
  readonly #scan: CostScan;
  readonly #transfers: CostTransfers;
  readonly #bounds: LowerBounds;
  /** Throws when the search is cancelled; called every round. */
  #checkpoint: () => void = () => {};

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds, walks: Walks) {
    this.#query = query;
    this.#bounds = bounds;
    this.#state = new CostState(query, timeBounds);
    this.#limits = new CostLimits(query, bounds, timeBounds, this.#state);
    this.#scan = new CostScan(query, bounds, timeBounds, this.#state, this.#limits);
    this.#transfers = new CostTransfers(query, bounds, timeBounds, walks, this.#state, this.#limits);
  }

  get labels(): Labels {
    return this.#state.labels;
  }

  get found(): Found {
    return this.#state.found;
  }

  /** @param latest latest arrival looked for. */
  run(
    request: SearchRequest,
    departures: Departures,
    rangeQuery: RangeQuery,
    latest: number,
    checkpoint: () => void,
  ): void {
    this.#checkpoint = checkpoint;
    this.#state.reset(request, rangeQuery.rounds);
    this.#limits.rangeQuery = rangeQuery;
    this.#limits.reset();
    for (let place = 0, group = 0; group < rangeQuery.groups; group++) {
      const end = departures.groupEnd(place);
      this.#state.startRank = departures.rankAt(place);
      this.#limits.group = group;
      if (!this.#limits.set(request.relaxSeconds, latest)) {
        place = end;
        continue;
      }
      this.#limits.setCaps();
      this.#state.seeds.count = 0;
      for (; place < end; place++) this.#start(departures, departures.order[place] as number);
      this.#search();
    }
  }

  #start(departures: Departures, index: number): void {
    const { transit, boardSlack } = this.#query;
    const seeds = this.#state.seeds;
    const route = departures.route[index] as number;
    const walk = departures.walk[index] as number;
    const slack = boardSlack[transit.routeMode[route] as number] as number;
    const leaves = (departures.time[index] as number) + walk + slack;
    const cost = this.#state.walk * walk + this.#state.wait * slack + this.#state.firstBoarding - RIDING * leaves;
    if (!this.#limits.mayRide(1, leaves, cost, this.#leftAboard(departures, index))) return;
    const seed = seeds.add(
      departures.view[index] as number,
      departures.entry[index] as number,
      departures.position[index] as number,
      0,
    );
    seeds.parent[seed] = -1 - index;
    seeds.cost[seed] = cost;
    const layer = this.#query.layerAfterCall(0, departures.stop[index] as number, true);
    this.#state.queue.pushSeed(layer, route, seeds, seed);
  }

  #leftAboard(departures: Departures, index: number): number {
    const { transit, direction } = this.#query;
    const [route, position] = [departures.route[index] as number, departures.position[index] as number];
    const start = transit.routeStopsStart[route] as number;
    const last = (transit.routeStopsStart[route + 1] as number) - 1;
    return this.#bounds.leftAboard(direction.sign > 0 ? start + position : last - position);
  }

  #search(): void {
    this.#state.mark++;
    this.#state.freshFrom = this.#state.labels.count;
    for (let round = 1; round <= this.#state.rounds && !this.#state.queue.isEmpty(); round++) {
      this.#checkpoint();
      const alightedFrom = this.#state.labels.count;
      this.#state.mark++;
      this.#scan.scan(round);
      this.#state.freshFrom = this.#state.labels.count;
      if (round < this.#state.rounds) {
        this.#transfers.transfer(round, alightedFrom, this.#state.freshFrom);
        this.#transfers.queueRoutes(round);
      }
      this.#state.swapQueues();
    }
    this.#state.queue.clear();
    this.#state.next.clear();
  }
}
