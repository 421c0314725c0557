/**
 * Interchanges (constrained transfers) in the second pass: queues the trips they lead to, for this round if the traveller stays
 * seated. Caller: CostScan.
 */
import type { CostLimits } from './cost-limits.ts';
import { type CostState, RIDING } from './cost-state.ts';
import type { Links } from './links.ts';
import type { Query } from './query.ts';

export class CostLinks {
  readonly #query: Query;
  readonly #state: CostState;
  readonly #limits: CostLimits;
  readonly #links: Links;

  constructor(query: Query, links: Links, state: CostState, limits: CostLimits) {
    this.#query = query;
    this.#links = links;
    this.#state = state;
    this.#limits = limits;
  }

  /** Takes the interchanges that leave the trip here. */
  follow(
    round: number,
    layer: number,
    trip: number,
    position: number,
    time: number,
    stop: number,
    ride: number,
    view: number,
  ): void {
    if (!this.#query.mayUseStop(stop)) return;
    const { direction, transit } = this.#query;
    for (
      let entry = direction.linksStart[trip] as number;
      entry < (direction.linksStart[trip + 1] as number);
      entry++
    ) {
      const link = direction.links[entry] as number;
      if (this.#links.fromPosition(link) !== position || !this.#links.isUsable(link)) continue;
      const isSeated = this.#links.isSeated(link);
      if (!isSeated && round >= this.#state.rounds) continue;
      if (time + this.#links.leftAfter(link) > (isSeated ? this.#limits.here : this.#limits.onward)) continue;
      this.#links.find(link, time);
      if (this.#links.count === 0) continue;
      const label = this.#state.labels.add(time, 0, round, this.#state.onBoard.parent[ride] as number);
      this.#state.labels.dead[label] = 1;
      this.#state.describe(label, ride, trip, view, position);
      const route = transit.tripRoute[direction.linkToTrip[link] as number] as number;
      for (let target = 0; target < this.#links.count; target++) {
        this.#take(layer, link, route, target, time, stop, this.#state.onBoard.relativeCost[ride] as number, label);
      }
    }
  }

  #take(
    layer: number,
    link: number,
    route: number,
    target: number,
    time: number,
    stop: number,
    relativeCost: number,
    label: number,
  ): void {
    const seeds = this.#state.seeds;
    const leaves = this.#links.time[target] as number;
    const isSeated = this.#links.isSeated(link);
    const queue = isSeated ? this.#state.seated : this.#state.next;
    const waits = leaves - time;
    for (let next = layer, wait = 0; wait <= waits; next++) {
      const seed = seeds.add(
        this.#links.view[target] as number,
        this.#links.entry[target] as number,
        this.#links.toPosition(link),
        0,
      );
      seeds.parent[seed] = label;
      seeds.link[seed] = link;
      seeds.cost[seed] = isSeated
        ? relativeCost
        : relativeCost + (this.#state.wait - RIDING) * waits + this.#state.boarding;
      queue.pushSeed(next, route, seeds, seed);
      if (!this.#query.isMetAtTransfer(next, stop, this.#links.toStop(link))) return;
      wait += this.#query.viaWait[next] as number;
    }
  }
}
