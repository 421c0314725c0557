/**
 * Second pass: all journeys that no other is better than, within the bound that the first pass gives. Range-RAPTOR again, latest
 * departure first, with sets of labels (time, price) instead of one time. What was reached by a later departure prunes what an earlier one reaches.
 */
import { ROUTE_INTERCHANGES_FROM, ROUTE_INTERCHANGES_TO, STAY_SEATED } from '../model/transit.ts';
import type { Corridor } from './corridor.ts';
import type { Departures } from './departures.ts';
import type { Earliest } from './earliest.ts';
import { firstTripFrom } from './first-trip.ts';
import { Found } from './found.ts';
import { Labels } from './labels.ts';
import { Links } from './links.ts';
import type { LowerBounds } from './lower-bounds.ts';
import { OnBoard } from './on-board.ts';
import { NEVER, type Query } from './query.ts';
import type { SearchRequest } from './search-types.ts';
import { RouteQueue, Seeds } from './seeds.ts';
import type { Walks } from './walks.ts';

/** Riding costs so many hundredths a second. */
const RIDING = 100;

export class Cheapest {
  readonly labels = new Labels();
  readonly found = new Found();
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #corridor: Corridor;
  readonly #links: Links;
  readonly #walks: Walks;
  readonly #seeds = new Seeds();
  readonly #onBoard = new OnBoard();
  #queue: RouteQueue;
  #next: RouteQueue;
  #alighted = new Int32Array(0);
  #ready = new Int32Array(0);
  #fresh = new Int32Array(0);
  /** Earliest time of the fresh labels of a state. */
  #freshTime = new Int32Array(0);
  #readied = new Int32Array(0);
  #readiedCount = 0;
  /** Throws when the search is given up; asked every round. */
  #checkpoint: () => void = () => {};
  #mark = 0;
  #rounds = 1;
  #freshFrom = 0;
  /** Latest useful arrival with so many rides, for the departure at hand. */
  readonly #limits = new Int32Array(16);
  /** A label of k rides that boards again needs a price below `caps[k + 1]`, or what is found already is better in all it could become. */
  readonly #caps = new Float64Array(18);
  #least = 100;
  /** Nothing later than this can be in time with a ride more. */
  #onward = -1;
  /** The same for the rides at hand. */
  #limitHere = -1;
  #row = 0;
  #earliest: Earliest | undefined;
  #minute = 0;
  #wait = 100;
  #walk = 200;
  #boarding = 0;
  #firstBoarding = 0;

  constructor(query: Query, bounds: LowerBounds, corridor: Corridor, walks: Walks) {
    this.#query = query;
    this.#bounds = bounds;
    this.#corridor = corridor;
    this.#links = new Links(query, bounds);
    this.#walks = walks;
    this.#queue = new RouteQueue(query.transit.routeCount);
    this.#next = new RouteQueue(query.transit.routeCount);
  }

  /** @param latest no journey that arrives later is looked for. */
  run(
    request: SearchRequest,
    departures: Departures,
    earliest: Earliest,
    latest: number,
    checkpoint: () => void,
  ): void {
    this.#checkpoint = checkpoint;
    this.#reset(request, earliest);
    for (let place = 0, group = 0; place < departures.count; group++) {
      const end = departures.groupEnd(place);
      this.#minute = departures.minuteOf(departures.timeAt(place));
      this.#row = group * (request.maximumRides + 1);
      if (!this.#setLimits(request.relaxSeconds, latest)) {
        place = end;
        continue;
      }
      this.#setCaps();
      this.#seeds.count = 0;
      for (; place < end; place++) this.#start(departures, departures.order[place] as number);
      this.#search();
    }
  }

  #reset(request: SearchRequest, earliest: Earliest): void {
    const { stateCount, layers } = this.#query;
    this.found.clear();
    this.labels.clear();
    if (this.#alighted.length < stateCount) {
      this.#alighted = new Int32Array(stateCount);
      this.#ready = new Int32Array(stateCount);
      this.#fresh = new Int32Array(stateCount);
      this.#freshTime = new Int32Array(stateCount);
      this.#readied = new Int32Array(stateCount);
      this.#mark = 0;
    }
    this.#alighted.fill(-1, 0, stateCount);
    this.#ready.fill(-1, 0, stateCount);
    this.#queue.resize(layers);
    this.#next.resize(layers);
    this.#queue.clear();
    this.#next.clear();
    // A search that was given up may have left some.
    this.#readiedCount = 0;
    this.#earliest = earliest;
    this.#rounds = earliest.rounds;
    this.#wait = request.waitReluctance;
    this.#walk = request.walkReluctance;
    this.#boarding = request.boardCost + request.transferCost;
    this.#firstBoarding = request.boardCost;
    this.#least = Math.min(RIDING, request.waitReluctance, request.walkReluctance);
  }

  /** -1 where no journey that departs then has so few rides. Whether there is any to look for. */
  #setLimits(relaxSeconds: number, latest: number): boolean {
    this.#limits.fill(-1);
    let any = false;
    const end = Math.min(latest, this.#query.horizon);
    for (let rides = 1; rides <= this.#rounds; rides++) {
      const arrival = this.#earliest?.arrivals[this.#row + rides] ?? NEVER;
      if (arrival < NEVER) this.#limits[rides] = Math.min(arrival + relaxSeconds, end);
      any ||= arrival <= end;
    }
    return any;
  }

  /**
   * Whoever arrives with j rides arrives at A(d, j) or later, and every second until then costs `least` or more. So what is
   * found and arrives by A(d, j) bounds the price of a label that may end with j rides.
   */
  #setCaps(): void {
    const boarding = this.#query.useLinks ? 0 : this.#boarding;
    let cap = Number.NEGATIVE_INFINITY;
    for (let rides = this.#rounds; rides >= 1; rides--) {
      const arrival = this.#earliest?.arrivals[this.#row + rides] ?? NEVER;
      if (arrival < NEVER) cap = Math.max(cap, this.found.leastCost(rides, arrival) - boarding - this.#least * arrival);
      this.#caps[rides] = cap;
    }
    this.#caps.fill(Number.NEGATIVE_INFINITY, this.#rounds + 1);
  }

  #start(departures: Departures, index: number): void {
    const { transit, boardSlack } = this.#query;
    const seeds = this.#seeds;
    const route = departures.route[index] as number;
    const walk = departures.walk[index] as number;
    const slack = boardSlack[transit.routeMode[route] as number] as number;
    const leaves = (departures.time[index] as number) + walk + slack;
    const seed = seeds.add(
      departures.view[index] as number,
      departures.entry[index] as number,
      departures.position[index] as number,
      0,
    );
    seeds.parent[seed] = -1 - index;
    seeds.cost[seed] = this.#walk * walk + this.#wait * slack + this.#firstBoarding - RIDING * leaves;
    const layer = this.#query.layerAfterCall(0, departures.stop[index] as number, true);
    this.#queue.pushSeed(layer, route, seeds, seed);
  }

  #search(): void {
    this.#mark++;
    this.#freshFrom = this.labels.count;
    for (let round = 1; round <= this.#rounds && !this.#queue.isEmpty(); round++) {
      this.#checkpoint();
      const alightedFrom = this.labels.count;
      this.#mark++;
      this.#scan(round);
      this.#freshFrom = this.labels.count;
      if (round < this.#rounds) {
        this.#change(round, alightedFrom, this.#freshFrom);
        this.#queueRoutes(round);
      }
      const done = this.#queue;
      this.#queue = this.#next;
      this.#next = done;
    }
    this.#queue.clear();
    this.#next.clear();
  }

  #scan(round: number): void {
    const { routeCount } = this.#query.transit;
    const queue = this.#queue;
    for (let layer = 0; layer < this.#query.layers; layer++) {
      for (let index = 0; index < (queue.count[layer] as number); index++) {
        const route = queue.list[layer * routeCount + index] as number;
        this.#scanRoute(round, layer, route, queue.from[layer * routeCount + route] as number);
      }
      queue.clearLayer(layer);
    }
  }

  /** With so many rides, nothing after this can be in time; a limit with more rides is never later, unless unknown. */
  #limit(round: number): number {
    let limit = -1;
    for (let rides = round; rides <= this.#rounds; rides++) limit = Math.max(limit, this.#limits[rides] as number);
    return limit;
  }

  #scanRoute(round: number, layer: number, route: number, from: number): void {
    const { transit, viewStart, zoneCount, days, direction } = this.#query;
    const zone = transit.routeZone[route] as number;
    const earliest = transit.routeEarliest[route] as number;
    const latest = transit.routeLatest[route] as number;
    const limit = this.#limit(round);
    this.#limitHere = limit;
    this.#onward = this.#limit(round + 1);
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
    const { routeStops, routeStopFlags, routeDwellSeconds, stopCount } = transit;
    const { sign, alightTimes, boardFlag, alightFlag } = direction;
    const start = transit.routeStopsStart[route] as number;
    const n = (transit.routeStopsStart[route + 1] as number) - start;
    const place0 = sign > 0 ? 0 : n - 1;
    const firstTrip = transit.routeTripsStart[route] as number;
    const times = transit.routeTimesStart[route] as number;
    const alightSlack = query.alightSlack[transit.routeMode[route] as number] as number;
    const linkFlag = sign > 0 ? ROUTE_INTERCHANGES_FROM : ROUTE_INTERCHANGES_TO;
    const hasLinks = query.useLinks && ((transit.routeFlags[route] as number) & linkFlag) !== 0;
    const seedHead = this.#queue.seedHead[layer * transit.routeCount + route] as number;
    const freshMark = this.#mark - 1;
    const layered = layer < query.layers - 1;
    const onBoard = this.#onBoard;
    const { aboard } = this.#bounds;
    const to = this.#queue.to[layer * transit.routeCount + route] as number;
    onBoard.count = 0;
    for (let position = from; position < n; position++) {
      const place = place0 + sign * position;
      const stop = routeStops[start + place] as number;
      const flags = routeStopFlags[start + place] as number;
      if (seedHead >= 0) this.#enterSeeds(seedHead, view, position, 1, route, dayStart, hasLinks);
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
        if (hasLinks && onBoard.leads[ride] !== 0) this.#follow(round, layer, trip, position, time, stop, ride, view);
      }
      if (layered) this.#passThrough(layer, route, view, position, stop, 1);
      if (onBoard.count === 0 && position > to) return;
      const boarded = onBoard.count;
      if (seedHead >= 0) this.#enterSeeds(seedHead, view, position, 0, route, dayStart, hasLinks);
      if (this.#fresh[layer * stopCount + stop] === freshMark && (flags & boardFlag) !== 0 && position < n - 1) {
        const left = (aboard[start + place] as number) - (routeDwellSeconds[start + place] as number);
        this.#boardHere(layer * stopCount + stop, route, view, position, place, n, dayStart, limit - left, hasLinks);
      } else if (onBoard.count === boarded) continue;
      if (layered) this.#passThrough(layer, route, view, position, stop, 0);
    }
  }

  #enterSeeds(
    head: number,
    view: number,
    position: number,
    inclusive: number,
    route: number,
    dayStart: number,
    hasLinks: boolean,
  ): void {
    const seeds = this.#seeds;
    const { trips } = this.#query.view(view);
    for (let seed = head; seed >= 0; seed = seeds.next[seed] as number) {
      if (seeds.view[seed] !== view || seeds.position[seed] !== position || seeds.inclusive[seed] !== inclusive)
        continue;
      const entry = seeds.entry[seed] as number;
      const trip = trips[entry] as number;
      // One who enters by a seed may still be carried off by an interchange at this very place.
      const leads = hasLinks && this.#links.leavesAfter(trip, position - inclusive, dayStart, this.#onward) ? 1 : 0;
      const board = seeds.boardPosition[seed] as number;
      this.#ride(
        route,
        trip,
        entry,
        dayStart,
        seeds.cost[seed] as number,
        leads,
        board,
        seeds.parent[seed] as number,
        seeds.link[seed] as number,
      );
    }
  }

  #ride(
    route: number,
    trip: number,
    entry: number,
    dayStart: number,
    price: number,
    leads: 0 | 1,
    boardPosition: number,
    parent: number,
    link: number,
  ): boolean {
    const anyShape = this.#wait === RIDING;
    const { sign } = this.#query.direction;
    const level = anyShape ? price : price - (this.#wait - RIDING) * sign * (this.#firstTime(route, trip) + dayStart);
    const shape = this.#query.transit.tripShape[trip] as number;
    return this.#onBoard.add(entry, sign, price, level, shape, leads, anyShape, boardPosition, parent, link);
  }

  #firstTime(route: number, trip: number): number {
    const { transit } = this.#query;
    const n = (transit.routeStopsStart[route + 1] as number) - (transit.routeStopsStart[route] as number);
    return transit.arrivals[
      (transit.routeTimesStart[route] as number) + (trip - (transit.routeTripsStart[route] as number)) * n
    ] as number;
  }

  /** Boards from every fresh label of the stop: the first trip, and those later ones that may still be better. */
  #boardHere(
    state: number,
    route: number,
    view: number,
    position: number,
    place: number,
    n: number,
    dayStart: number,
    limit: number,
    hasLinks: boolean,
  ): void {
    const { transit, direction } = this.#query;
    const { trips, tripsStart } = this.#query.view(view);
    const slack = this.#query.boardSlack[transit.routeMode[route] as number] as number;
    const column = (transit.routeTimesStart[route] as number) + place;
    const firstTrip = transit.routeTripsStart[route] as number;
    const { sign, boardTimes } = direction;
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    const after = sign > 0 ? high : low - 1;
    const allShapes = this.#wait !== RIDING;
    const masked = this.#query.masksTrips;
    const onward = this.#onward;
    const last = -(this.#corridor.boarding[(transit.routeStopsStart[route] as number) + place] as number);
    const linkLimit = Math.min(limit, limit - this.#limitHere + onward);
    const { linksStart } = direction;
    for (let label = this.#ready[state] as number; label >= 0; label = this.labels.next[label] as number) {
      if (label < this.#freshFrom) continue;
      const ready = (this.labels.time[label] as number) + slack;
      if (ready > limit || ready > last) break;
      let entry = firstTripFrom(trips, low, high, column, n, firstTrip, sign, boardTimes, ready - sign * dayStart);
      for (let first = true; entry !== after; entry += sign) {
        const trip = trips[entry] as number;
        if (!first && !allShapes && linksStart[trip] === linksStart[trip + 1]) continue;
        const leaves = sign * ((boardTimes[column + (trip - firstTrip) * n] as number) + dayStart);
        if (leaves > last || leaves > (first || allShapes ? limit : linkLimit)) break;
        if (masked && !this.#query.mayUseTrip(trip)) continue;
        const leads = hasLinks && this.#links.leavesAfter(trip, position, dayStart, onward) ? 1 : 0;
        if (first || allShapes || leads === 1) {
          const price = (this.labels.price[label] as number) + (this.#wait - RIDING) * leaves + this.#boarding;
          this.#ride(route, trip, entry, dayStart, price, leads, position, label, -1);
        }
        first = false;
        if (!allShapes && !hasLinks) break;
      }
    }
  }

  #passThrough(layer: number, route: number, view: number, position: number, stop: number, inclusive: 0 | 1): void {
    const next = this.#query.layerAfterCall(layer, stop, false);
    if (next === layer) return;
    const { seeds, onBoard } = { seeds: this.#seeds, onBoard: this.#onBoard };
    for (let ride = 0; ride < onBoard.count; ride++) {
      const boarded = onBoard.boardPosition[ride] as number;
      if (inclusive === 0 && boarded !== position) continue;
      const seed = seeds.add(view, onBoard.entry[ride] as number, position, inclusive);
      seeds.boardPosition[seed] = boarded;
      seeds.parent[seed] = onBoard.parent[ride] as number;
      seeds.link[seed] = onBoard.link[ride] as number;
      seeds.cost[seed] = onBoard.price[ride] as number;
      this.#queue.pushSeed(next, route, seeds, seed);
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
    if (!this.#mayServe(stop, time, round) || !this.#query.mayUseStop(stop)) return;
    const onBoard = this.#onBoard;
    const price = (onBoard.price[ride] as number) + (RIDING - this.#wait) * raw;
    const state = layer * transit.stopCount + stop;
    const label = this.labels.insert(this.#alighted, state, time, price, round, onBoard.parent[ride] as number);
    if (label < 0) return;
    this.#describe(label, ride, trip, view, position);
    const finish = this.#query.finish[state] as number;
    if (finish < 0 || time + finish > (this.#limits[round] as number)) return;
    const stays = this.found.add({
      minute: this.#minute,
      arrival: time + finish,
      rides: round,
      cost: price + this.#wait * time + this.#walk * finish,
      label,
      egressSeconds: finish,
    });
    if (stays) this.#setCaps();
  }

  #describe(label: number, ride: number, trip: number, view: number, position: number): void {
    const { labels } = this;
    labels.trip[label] = trip;
    labels.view[label] = view;
    labels.boardPosition[label] = this.#onBoard.boardPosition[ride] as number;
    labels.alightPosition[label] = position;
    labels.link[label] = this.#onBoard.link[ride] as number;
  }

  /** Takes the interchanges that leave the trip here. */
  #follow(
    round: number,
    layer: number,
    trip: number,
    position: number,
    time: number,
    stop: number,
    ride: number,
    view: number,
  ): void {
    if (round >= this.#rounds || !this.#query.mayUseStop(stop)) return;
    const { direction, transit } = this.#query;
    for (
      let entry = direction.linksStart[trip] as number;
      entry < (direction.linksStart[trip + 1] as number);
      entry++
    ) {
      const link = direction.links[entry] as number;
      if (this.#links.fromPosition(link) !== position || !this.#links.isUsable(link)) continue;
      if (time + this.#links.leftAfter(link) > this.#onward) continue;
      this.#links.find(link, time);
      if (this.#links.count === 0) continue;
      const label = this.labels.add(time, 0, round, this.#onBoard.parent[ride] as number);
      this.labels.dead[label] = 1;
      this.#describe(label, ride, trip, view, position);
      const route = transit.tripRoute[direction.linkToTrip[link] as number] as number;
      for (let target = 0; target < this.#links.count; target++) {
        this.#take(layer, link, route, target, time, stop, this.#onBoard.price[ride] as number, label);
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
    price: number,
    label: number,
  ): void {
    const seeds = this.#seeds;
    const leaves = this.#links.time[target] as number;
    const seated = ((this.#query.transit.interchangeFlags[link] as number) & STAY_SEATED) !== 0;
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
      seeds.cost[seed] = seated ? price : price + (this.#wait - RIDING) * waits + this.#boarding;
      this.#next.pushSeed(next, route, seeds, seed);
      if (!this.#query.isMetAtChange(next, stop, this.#links.toStop(link))) return;
      wait += this.#query.viaWait[next] as number;
    }
  }

  /** Whether some journey by way of one just off a ride may still be within the bound. */
  #mayServe(stop: number, time: number, round: number): boolean {
    if (time + (this.#corridor.alighted[stop] as number) > 0) return false;
    const limits = this.#limits;
    const egress = this.#query.egressWalk[stop] as number;
    if (egress >= 0 && time + egress <= (limits[round] as number)) return true;
    if (time + (this.#bounds.directAlighted[stop] as number) <= (limits[round + 1] as number)) return true;
    return time + (this.#bounds.anyAlighted[stop] as number) <= this.#limit(round + 2);
  }

  #change(round: number, from: number, to: number): void {
    const query = this.#query;
    const { walkTo, walkMetres } = query.direction;
    const { stopCount, stopMinimumSeconds } = query.transit;
    const { directReady, anyReady } = this.#bounds;
    const { labels } = this;
    const walks = this.#walks;
    const perWalk = this.#walk - this.#wait;
    const direct = this.#limits[round + 1] as number;
    const more = this.#limit(round + 2);
    const limit = Math.max(direct, more);
    for (let label = from; label < to; label++) {
      if (labels.dead[label] === 1) continue;
      const state = labels.state[label] as number;
      const stop = state % stopCount;
      const layer = (state - stop) / stopCount;
      const time = labels.time[label] as number;
      const price = labels.price[label] as number;
      const cap = (this.#caps[round + 1] as number) - (this.#wait - this.#least) * time;
      if (price >= cap) continue;
      const here = time + Math.max(query.transferSlack, stopMinimumSeconds[stop] as number);
      if (here + (anyReady[stop] as number) <= more || here + (directReady[stop] as number) <= direct) {
        this.#makeReady(round, layer, stop, stop, here, price, label);
      }
      walks.prepare(stop);
      const end = walks.end[stop] as number;
      for (let entry = walks.start[stop] as number; entry < end; entry++) {
        const least = time + (walks.left[entry] as number);
        if (least > limit) {
          if (least - walks.roughness > limit) break;
          continue;
        }
        const path = walks.path[entry] as number;
        const next = walkTo[path] as number;
        const there = least - (anyReady[next] as number);
        if (least > more && there + (directReady[next] as number) > direct) continue;
        const walk = query.walkOfMetres[walkMetres[path] as number] as number;
        if (price + perWalk * walk >= cap) continue;
        this.#makeReady(round, layer, stop, next, there, price + perWalk * walk, label);
      }
    }
  }

  /** On the label's layer, and on those that the via entries met at this change lead to, each after its wait. */
  #makeReady(
    round: number,
    layer: number,
    from: number,
    stop: number,
    time: number,
    price: number,
    parent: number,
  ): void {
    if (time + (this.#corridor.ready[stop] as number) > 0 || !this.#query.mayUseStop(stop)) return;
    const { stopCount } = this.#query.transit;
    let ready = time;
    for (let next = layer; ; next++) {
      const state = next * stopCount + stop;
      const label = this.labels.insert(this.#ready, state, ready, price, round, parent);
      if (label >= 0) this.#freshen(state, ready);
      if (!this.#query.isMetAtChange(next, from, stop)) return;
      ready += this.#query.viaWait[next] as number;
    }
  }

  #freshen(state: number, time: number): void {
    if (this.#fresh[state] !== this.#mark) {
      this.#fresh[state] = this.#mark;
      this.#freshTime[state] = time;
      this.#readied[this.#readiedCount++] = state;
    } else if (time < (this.#freshTime[state] as number)) {
      this.#freshTime[state] = time;
    }
  }

  /** Queues the routes that can be boarded where one became ready in this round, if riding on from there can be in time. */
  #queueRoutes(round: number): void {
    const { transit, direction, boardSlack } = this.#query;
    const { stopRoutesStart, stopRoutes, stopRoutePositions, routeStopsStart, routeMode, routeDwellSeconds } = transit;
    const { aboard } = this.#bounds;
    const { boarding } = this.#corridor;
    const limit = this.#limit(round + 1);
    for (let index = 0; index < this.#readiedCount; index++) {
      const state = this.#readied[index] as number;
      const stop = state % transit.stopCount;
      const layer = (state - stop) / transit.stopCount;
      const ready = this.#freshTime[state] as number;
      const end = stopRoutesStart[stop + 1] as number;
      for (let entry = stopRoutesStart[stop] as number; entry < end; entry++) {
        const route = stopRoutes[entry] as number;
        const place = stopRoutePositions[entry] as number;
        const call = (routeStopsStart[route] as number) + place;
        const left = (aboard[call] as number) - (routeDwellSeconds[call] as number);
        const boards = ready + (boardSlack[routeMode[route] as number] as number);
        if (boards + left > limit || boards + (boarding[call] as number) > 0) continue;
        if (!this.#query.mayUseRoute(route)) continue;
        const n = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
        this.#next.push(layer, route, direction.sign > 0 ? place : n - 1 - place);
      }
    }
    this.#readiedCount = 0;
  }
}
