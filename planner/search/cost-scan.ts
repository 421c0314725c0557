/**
 * Scans the routes of a round in the second pass, with all rides that may be part of an answer side by side. Caller:
 * ParetoSearch.
 */
import { ROUTE_INTERCHANGES_FROM, ROUTE_INTERCHANGES_TO } from '../model/transit.ts';
import { CostBoarding } from './cost-boarding.ts';
import type { CostLimits } from './cost-limits.ts';
import { CostLinks } from './cost-links.ts';
import { type CostState, RIDING } from './cost-state.ts';
import { Links, MOST_SEATED } from './links.ts';
import type { LowerBounds } from './lower-bounds.ts';
import type { Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';

/** Stands for no round. */
const NO_MARK = -1;

export class CostScan {
  readonly #query: Query;
  readonly #state: CostState;
  readonly #limits: CostLimits;
  readonly #bounds: LowerBounds;
  readonly #boarding: CostBoarding;
  readonly #interchanges: CostLinks;
  /** Mark of the stops to board at; none while trips that one stays seated for are scanned. */
  #freshMark = NO_MARK;

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds, state: CostState, limits: CostLimits) {
    const links = new Links(query, bounds);
    this.#query = query;
    this.#bounds = bounds;
    this.#state = state;
    this.#limits = limits;
    this.#boarding = new CostBoarding(query, timeBounds, links, state, limits);
    this.#interchanges = new CostLinks(query, links, state, limits);
  }

  scan(round: number): void {
    this.#freshMark = this.#state.mark - 1;
    this.#scanQueue(round);
    this.#freshMark = NO_MARK;
    for (let trips = 1; trips <= MOST_SEATED && !this.#state.seated.isEmpty(); trips++) {
      this.#state.swapSeated();
      this.#scanQueue(round);
    }
    this.#state.seated.clear();
  }

  #scanQueue(round: number): void {
    const { routeCount } = this.#query.transit;
    const queue = this.#state.queue;
    for (let layer = 0; layer < this.#query.layers; layer++) {
      for (let index = 0; index < (queue.count[layer] as number); index++) {
        const route = queue.list[layer * routeCount + index] as number;
        this.#scanRoute(round, layer, route, queue.from[layer * routeCount + route] as number);
      }
      queue.clearLayer(layer);
    }
  }

  #scanRoute(round: number, layer: number, route: number, from: number): void {
    const { transit, viewStart, zoneCount, days, direction } = this.#query;
    const zone = transit.routeZone[route] as number;
    const earliest = transit.routeEarliest[route] as number;
    const latest = transit.routeLatest[route] as number;
    const limit = this.#limits.of(round);
    this.#limits.here = limit;
    this.#limits.onward = this.#limits.of(round + 1);
    for (let view = 0; view < days.length; view++) {
      const start = viewStart[view * zoneCount + zone] as number;
      if (direction.sign > 0 ? start + latest < 0 : start + earliest > 0) continue;
      if (direction.sign > 0 ? start + earliest > limit : -(start + latest) > limit) break;
      this.#scanView(round, layer, route, from, view, start, limit);
    }
  }

  #scanView(
    round: number,
    layer: number,
    route: number,
    from: number,
    view: number,
    dayStart: number,
    limit: number,
  ): void {
    const query = this.#query;
    const { transit, direction } = query;
    const { tripsStart, trips } = query.view(view);
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    if (low === high) return;
    const { routeStopFlags } = query;
    const { routeStops, routeDwellSeconds, stopCount } = transit;
    const { sign, alightTimes, boardFlag, alightFlag } = direction;
    const start = transit.routeStopsStart[route] as number;
    const n = (transit.routeStopsStart[route + 1] as number) - start;
    const place0 = sign > 0 ? 0 : n - 1;
    const firstTrip = transit.routeTripsStart[route] as number;
    const times = transit.routeTimesStart[route] as number;
    const alightSlack = query.alightSlack[transit.routeMode[route] as number] as number;
    const linkFlag = sign > 0 ? ROUTE_INTERCHANGES_FROM : ROUTE_INTERCHANGES_TO;
    const hasLinks = query.useLinks && ((transit.routeFlags[route] as number) & linkFlag) !== 0;
    const seedHead = this.#state.queue.seedHead[layer * transit.routeCount + route] as number;
    const freshMark = this.#freshMark;
    const layered = layer < query.layers - 1;
    const onBoard = this.#state.onBoard;
    const { aboard } = this.#bounds;
    const to = this.#state.queue.to[layer * transit.routeCount + route] as number;
    onBoard.count = 0;
    for (let position = from; position < n; position++) {
      const place = place0 + sign * position;
      const stop = routeStops[start + place] as number;
      const flags = routeStopFlags[start + place] as number;
      if (seedHead >= 0) this.#boarding.enterSeeds(seedHead, view, position, 1, route, dayStart, hasLinks);
      const alights = (flags & alightFlag) !== 0;
      for (let ride = onBoard.count - 1; ride >= 0; ride--) {
        const trip = trips[onBoard.entry[ride] as number] as number;
        const time = sign * ((alightTimes[times + (trip - firstTrip) * n + place] as number) + dayStart);
        if (time + (aboard[start + place] as number) > limit) {
          onBoard.drop(ride);
          continue;
        }
        if (!alights) continue;
        this.#alight(round, layer, stop, time, alightSlack, ride, trip, view, position);
        if (hasLinks && onBoard.leads[ride] !== 0)
          this.#interchanges.follow(round, layer, trip, position, time, stop, ride, view);
      }
      if (layered) this.#passThrough(layer, route, view, position, stop, 1);
      if (onBoard.count === 0 && position > to) return;
      const boarded = onBoard.count;
      if (seedHead >= 0) this.#boarding.enterSeeds(seedHead, view, position, 0, route, dayStart, hasLinks);
      if (this.#state.fresh[layer * stopCount + stop] === freshMark && (flags & boardFlag) !== 0 && position < n - 1) {
        const left = (aboard[start + place] as number) - (routeDwellSeconds[start + place] as number);
        this.#boarding.boardHere(
          layer * stopCount + stop,
          route,
          view,
          position,
          place,
          n,
          dayStart,
          limit - left,
          hasLinks,
        );
      } else if (onBoard.count === boarded) continue;
      if (layered) this.#passThrough(layer, route, view, position, stop, 0);
    }
  }

  #passThrough(layer: number, route: number, view: number, position: number, stop: number, inclusive: 0 | 1): void {
    const next = this.#query.layerAfterCall(layer, stop, false);
    if (next === layer) return;
    const { seeds, onBoard } = this.#state;
    for (let ride = 0; ride < onBoard.count; ride++) {
      const boarded = onBoard.boardPosition[ride] as number;
      if (inclusive === 0 && boarded !== position) continue;
      const seed = seeds.add(view, onBoard.entry[ride] as number, position, inclusive);
      seeds.boardPosition[seed] = boarded;
      seeds.parent[seed] = onBoard.parent[ride] as number;
      seeds.link[seed] = onBoard.link[ride] as number;
      seeds.cost[seed] = onBoard.relativeCost[ride] as number;
      this.#state.queue.pushSeed(next, route, seeds, seed);
    }
  }

  #alight(
    round: number,
    layer: number,
    stop: number,
    raw: number,
    slack: number,
    ride: number,
    trip: number,
    view: number,
    position: number,
  ): void {
    const time = raw + slack;
    const { transit } = this.#query;
    if (!this.#limits.mayServe(stop, time, round) || !this.#query.mayUseStop(stop)) return;
    const onBoard = this.#state.onBoard;
    const relativeCost = (onBoard.relativeCost[ride] as number) + (RIDING - this.#state.wait) * raw;
    const state = layer * transit.stopCount + stop;
    const finish = this.#query.finish[state] as number;
    if (finish < 0 && !this.#limits.mayBoard(round + 1, time, relativeCost, this.#bounds.anyAlighted[stop] as number))
      return;
    const label = this.#state.labels.insert(
      this.#state.alighted,
      state,
      time,
      relativeCost,
      round,
      onBoard.parent[ride] as number,
    );
    if (label < 0) return;
    this.#state.describe(label, ride, trip, view, position);
    if (finish < 0 || time + finish > (this.#limits.latest[round] as number)) return;
    const stays = this.#state.found.add({
      startRank: this.#state.startRank,
      endRank: this.#query.rankOfEnd(time + finish),
      arrival: time + finish,
      rides: round,
      cost: relativeCost + this.#state.wait * time + this.#state.walk * finish,
      label,
      egressSeconds: finish,
    });
    if (stays) this.#limits.setCaps();
  }
}
