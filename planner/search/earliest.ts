/**
 * First pass: A(d, k) of "What a search answers" for every departure of the window, by range-RAPTOR on arrival alone, latest
 * departure first. Labels of later departures stay and prune those of earlier ones. Costs play no part.
 *
 * One label per stop and round suffices, since whoever is somewhere earlier can do all that one can who is later. The exception
 * are interchanges: they belong to a trip, not to a stop, so later trips of a route that have some are ridden beside the earliest.
 */
import { ROUTE_INTERCHANGES_FROM, ROUTE_INTERCHANGES_TO } from '../model/transit.ts';
import type { Corridor } from './corridor.ts';
import type { Departures } from './departures.ts';
import { firstTripFrom } from './first-trip.ts';
import { Links } from './links.ts';
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import { RouteQueue, Seeds } from './seeds.ts';

const NONE = -1;
const NOT_TAKEN = 255;
/** How much longer than the least conceivable time a good journey should take at most. */
const PROBE_FACTOR = 1.4;
const PROBE_SECONDS = 1200;

export class Earliest {
  /** Least rides of any journey of the window; NEVER if there is none. */
  fewestRides = NEVER;
  /** A(d, k) of group g (see `groups`): `g * (maximumRides + 1) + k`. */
  arrivals = new Int32Array(1024);
  groups = 0;
  /** Rounds looked at: falls to the fewest rides and the additional ones, once known. */
  rounds = 1;
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #corridor: Corridor;
  readonly #links: Links;
  readonly #seeds = new Seeds();
  #queue: RouteQueue;
  #next: RouteQueue;
  #alighted = new Int32Array(0);
  #ready = new Int32Array(0);
  #fresh = new Int32Array(0);
  #improved = new Int32Array(0);
  #improvedMark = new Int32Array(0);
  #improvedCount = 0;
  /** States that one became ready at in the round at hand. */
  #readied = new Int32Array(0);
  #readiedCount = 0;
  /** Throws when the search is given up; asked every round. */
  #checkpoint: () => void = () => {};
  #mark = 0;
  readonly #best = new Int32Array(16);
  /** What `best` says where no arrival is known. */
  #unknown = NEVER;
  /** By interchange and view: fewest rides that it was taken after. */
  #taken = new Uint8Array(0);
  /** When all that the scanned view has boarded is over; NEVER if later days may still help. */
  #settled = NEVER;

  constructor(query: Query, bounds: LowerBounds, corridor: Corridor) {
    this.#query = query;
    this.#bounds = bounds;
    this.#corridor = corridor;
    this.#links = new Links(query, bounds);
    this.#queue = new RouteQueue(query.transit.routeCount);
    this.#next = new RouteQueue(query.transit.routeCount);
  }

  /** @param until arrivals after it are not looked for; NEVER: all. */
  run(departures: Departures, until: number, checkpoint: () => void): void {
    this.#checkpoint = checkpoint;
    this.#unknown = until < NEVER ? until + 1 : NEVER;
    this.#reset();
    for (let place = 0, group = 0; place < departures.count; group++) {
      const end = departures.groupEnd(place);
      if (group === 0 && until >= NEVER) this.#probe(departures, end);
      this.#searchFrom(departures, place, end);
      this.#keepRow();
      this.#countRides();
      place = end;
    }
  }

  /**
   * A first look at the latest departures alone, within a time that a good journey should need: what it finds keeps the search
   * proper from going everywhere before it knows of any arrival. Its labels are thrown away, being cut off.
   */
  #probe(departures: Departures, end: number): void {
    let least = NEVER;
    for (const { stop, walkSeconds } of this.#query.access) {
      least = Math.min(least, (this.#bounds.anyReady[stop] as number) + walkSeconds);
    }
    if (least >= NEVER) return;
    const limit = departures.timeAt(0) + Math.floor(least * PROBE_FACTOR) + PROBE_SECONDS;
    this.#best.fill(limit);
    this.#searchFrom(departures, 0, end);
    for (let rides = 0; rides < this.#best.length; rides++) {
      if ((this.#best[rides] as number) >= limit) this.#best[rides] = NEVER;
    }
    const size = (this.#query.maximumRides + 1) * this.#query.stateCount;
    this.#alighted.fill(NEVER, 0, size);
    this.#ready.fill(NEVER, 0, size);
    this.#taken.fill(NOT_TAKEN);
  }

  #searchFrom(departures: Departures, from: number, to: number): void {
    this.#seeds.count = 0;
    for (let place = from; place < to; place++) this.#start(departures, departures.order[place] as number);
    this.#search();
  }

  #countRides(): void {
    const { maximumRides, request } = this.#query;
    for (let rides = 1; rides < this.fewestRides && rides <= maximumRides; rides++) {
      if ((this.#best[rides] as number) < this.#unknown) this.fewestRides = rides;
    }
    this.rounds = Math.min(this.rounds, this.fewestRides + (request?.maximumAdditionalRides ?? 0));
  }

  #reset(): void {
    const { stateCount, maximumRides, layers } = this.#query;
    const size = (maximumRides + 1) * stateCount;
    if (this.#alighted.length < size) {
      this.#alighted = new Int32Array(size);
      this.#ready = new Int32Array(size);
    }
    if (this.#fresh.length < stateCount) {
      this.#fresh = new Int32Array(stateCount);
      this.#improved = new Int32Array(stateCount);
      this.#readied = new Int32Array(stateCount);
      this.#improvedMark = new Int32Array(stateCount);
      this.#mark = 0;
    }
    this.#alighted.fill(NEVER, 0, size);
    this.#ready.fill(NEVER, 0, size);
    const linkCount = this.#query.direction.links.length * this.#query.days.length;
    if (this.#taken.length < linkCount) this.#taken = new Uint8Array(linkCount);
    this.#taken.fill(NOT_TAKEN);
    this.#queue.resize(layers);
    this.#next.resize(layers);
    this.#queue.clear();
    this.#next.clear();
    // A search that was given up may have left some.
    this.#readiedCount = 0;
    this.#best.fill(this.#unknown);
    this.rounds = maximumRides;
    this.fewestRides = NEVER;
    this.groups = 0;
  }

  #keepRow(): void {
    const width = this.#query.maximumRides + 1;
    const start = this.groups++ * width;
    if (start + width > this.arrivals.length) {
      const larger = new Int32Array(this.arrivals.length * 2);
      larger.set(this.arrivals);
      this.arrivals = larger;
    }
    for (let rides = 0; rides < width; rides++) {
      const arrival = this.#best[rides] as number;
      this.arrivals[start + rides] = arrival < this.#unknown ? arrival : NEVER;
    }
  }

  #start(departures: Departures, index: number): void {
    const position = departures.position[index] as number;
    const seed = this.#seeds.add(departures.view[index] as number, departures.entry[index] as number, position, 0);
    const layer = this.#query.layerAfterCall(0, departures.stop[index] as number, true);
    this.#queue.pushSeed(layer, departures.route[index] as number, this.#seeds, seed);
  }

  #search(): void {
    this.#mark++;
    for (let round = 1; round <= this.rounds && !this.#queue.isEmpty(); round++) {
      this.#checkpoint();
      this.#improvedCount = 0;
      this.#mark++;
      this.#scan(round);
      if (round < this.rounds) {
        this.#change(round);
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
      // Scanning a layer may push routes of later layers of the same round, never of its own.
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
    const limit = Math.min(this.#best[round] as number, this.#query.horizon);
    this.#settled = NEVER;
    for (let view = 0; view < days.length; view++) {
      const start = viewStart[view * zoneCount + zone] as number;
      if (direction.sign > 0 ? start + latest < 0 : start + earliest > 0) continue;
      const first = direction.sign > 0 ? start + earliest : -(start + latest);
      if (first >= limit || first >= this.#settled) break;
      this.#scanView(round, layer, route, from, view, start);
    }
  }

  /** Rides the trips of one day along a route from a position on, leaving and boarding wherever that is an improvement. */
  #scanView(round: number, layer: number, route: number, from: number, view: number, dayStart: number): void {
    const query = this.#query;
    const { transit, direction } = query;
    const { tripsStart, trips } = query.view(view);
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    if (low === high) return;
    const { routeStops, routeStopFlags, routeDwellSeconds, stopCount } = transit;
    const { sign, boardTimes, alightTimes, boardFlag, alightFlag } = direction;
    const start = transit.routeStopsStart[route] as number;
    const n = (transit.routeStopsStart[route + 1] as number) - start;
    const place0 = sign > 0 ? 0 : n - 1;
    const firstTrip = transit.routeTripsStart[route] as number;
    const times = transit.routeTimesStart[route] as number;
    const mode = transit.routeMode[route] as number;
    const boardSlack = query.boardSlack[mode] as number;
    const alightSlack = query.alightSlack[mode] as number;
    const linkFlag = sign > 0 ? ROUTE_INTERCHANGES_FROM : ROUTE_INTERCHANGES_TO;
    const hasLinks = query.useLinks && ((transit.routeFlags[route] as number) & linkFlag) !== 0;
    const seedHead = this.#queue.seedHead[layer * transit.routeCount + route] as number;
    const readyRow = (round - 1) * query.stateCount + layer * stopCount;
    const alightedRow = round * query.stateCount + layer * stopCount;
    const masked = query.masksTrips;
    const after = sign > 0 ? high : low - 1;
    const limit = this.#best[round] as number;
    const { aboard } = this.#bounds;
    const { boarding } = this.#corridor;
    const to = this.#queue.to[layer * transit.routeCount + route] as number;
    const horizon = query.horizon;
    const freshMark = this.#mark - 1;
    const layered = layer < query.layers - 1;
    const onward = hasLinks && round < this.rounds ? (this.#best[round + 1] as number) : 0;
    if (onward > 0 && seedHead >= 0) this.#seedLinks(round, layer, trips, seedHead, view, dayStart);
    let linkedFrom = after;
    let riding = NONE;
    let row = 0;
    let settled = seedHead >= 0 || hasLinks ? NEVER : -1;
    this.#settled = NEVER;
    for (let position = from; position < n; position++) {
      const place = place0 + sign * position;
      const stop = routeStops[start + place] as number;
      const flags = routeStopFlags[start + place] as number;
      if (seedHead >= 0) {
        const seed = this.#bestSeed(seedHead, view, position, 1, riding);
        if (seed !== riding) {
          riding = seed;
          row = times + ((trips[riding] as number) - firstTrip) * n;
        }
      }
      if (riding !== NONE) {
        const time = sign * ((alightTimes[row + place] as number) + dayStart);
        if (time + (aboard[start + place] as number) >= limit || time > horizon) {
          riding = NONE;
        } else if ((flags & alightFlag) !== 0) {
          if (time + alightSlack < (this.#alighted[alightedRow + stop] as number)) {
            this.#alight(round, layer, stop, time + alightSlack);
          }
        }
        if (layered && riding !== NONE) this.#passThrough(layer, route, view, riding, position, stop, 1);
      }
      if (riding === NONE && position > to) break;
      const carried = riding;
      if (seedHead >= 0) {
        const seed = this.#bestSeed(seedHead, view, position, 0, riding);
        if (seed !== riding) {
          riding = seed;
          row = times + ((trips[riding] as number) - firstTrip) * n;
        }
      }
      if (this.#fresh[layer * stopCount + stop] === freshMark && (flags & boardFlag) !== 0 && position < n - 1) {
        const ready = (this.#ready[readyRow + stop] as number) + boardSlack;
        const column = times + place;
        const left = (aboard[start + place] as number) - (routeDwellSeconds[start + place] as number);
        if (
          ready + left < limit &&
          ready + (boarding[start + place] as number) <= 0 &&
          (riding === NONE ||
            (onward > 0 && linkedFrom === after) ||
            this.#isEarlierTrip(trips, riding - sign, low, high, column, n, firstTrip, ready - sign * dayStart))
        ) {
          let found = firstTripFrom(trips, low, high, column, n, firstTrip, sign, boardTimes, ready - sign * dayStart);
          while (masked && found !== after && !query.mayUseTrip(trips[found] as number)) found += sign;
          if (found !== after && (riding === NONE || (found - riding) * sign < 0)) {
            riding = found;
            row = times + ((trips[riding] as number) - firstTrip) * n;
            const over = sign * ((alightTimes[row + place0 + sign * (n - 1)] as number) + dayStart);
            if (over > settled) settled = over;
          }
          if (riding === NONE) settled = NEVER;
          if (onward > 0 && (linkedFrom - found) * sign > 0) {
            this.#boardForLinks(
              round,
              layer,
              trips,
              found,
              linkedFrom,
              position,
              column,
              n,
              firstTrip,
              view,
              dayStart,
              left,
            );
            linkedFrom = found;
          }
        }
      }
      if (layered && riding !== carried) this.#passThrough(layer, route, view, riding, position, stop, 0);
    }
    this.#settled = settled;
  }

  /** Whether the trip before the one ridden can be caught as well; if not, no search for an earlier one is needed. */
  #isEarlierTrip(
    trips: Int32Array,
    entry: number,
    low: number,
    high: number,
    column: number,
    n: number,
    firstTrip: number,
    least: number,
  ): boolean {
    if (entry < low || entry >= high) return false;
    const { sign, boardTimes } = this.#query.direction;
    return sign * (boardTimes[column + ((trips[entry] as number) - firstTrip) * n] as number) >= least;
  }

  /** The earliest of the trip ridden and those that enter here. */
  #bestSeed(head: number, view: number, position: number, inclusive: number, riding: number): number {
    const seeds = this.#seeds;
    const sign = this.#query.direction.sign;
    let best = riding;
    for (let seed = head; seed >= 0; seed = seeds.next[seed] as number) {
      if (seeds.view[seed] !== view || seeds.position[seed] !== position || seeds.inclusive[seed] !== inclusive)
        continue;
      const entry = seeds.entry[seed] as number;
      if (best === NONE || (entry - best) * sign < 0) best = entry;
    }
    return best;
  }

  /** Interchanges ahead of the first trip that can be boarded and of all later ones, as far as they may be in time. */
  #boardForLinks(
    round: number,
    layer: number,
    trips: Int32Array,
    found: number,
    after: number,
    position: number,
    column: number,
    n: number,
    firstTrip: number,
    view: number,
    dayStart: number,
    left: number,
  ): void {
    const onward = this.#best[round + 1] as number;
    const { linksStart } = this.#query.direction;
    const { sign, boardTimes } = this.#query.direction;
    for (let entry = found; entry !== after; entry += sign) {
      const trip = trips[entry] as number;
      if (linksStart[trip] === linksStart[trip + 1]) continue;
      const time = sign * ((boardTimes[column + (trip - firstTrip) * n] as number) + dayStart);
      if (time + left >= onward || time > this.#query.horizon) return;
      if (this.#query.mayUseTrip(trip)) this.#takeLinks(round, layer, trip, position, 0, view, dayStart);
    }
  }

  #seedLinks(round: number, layer: number, trips: Int32Array, head: number, view: number, dayStart: number): void {
    const seeds = this.#seeds;
    for (let seed = head; seed >= 0; seed = seeds.next[seed] as number) {
      if (seeds.view[seed] !== view) continue;
      const trip = trips[seeds.entry[seed] as number] as number;
      const inclusive = seeds.inclusive[seed] as number;
      this.#takeLinks(round, layer, trip, seeds.position[seed] as number, inclusive, view, dayStart);
    }
  }

  /**
   * Takes the interchanges of a trip that one rides from a position on; they belong to the trip, so all is known when it is boarded.
   * One that was taken with as few rides from a later departure need not be taken again.
   */
  #takeLinks(
    round: number,
    layer: number,
    trip: number,
    position: number,
    inclusive: number,
    view: number,
    dayStart: number,
  ): void {
    const { direction, layers, days } = this.#query;
    const links = this.#links;
    const onward = this.#best[round + 1] as number;
    const end = direction.linksStart[trip + 1] as number;
    for (let entry = direction.linksStart[trip] as number; entry < end; entry++) {
      const link = direction.links[entry] as number;
      if (!links.isUsable(link)) continue;
      const from = links.fromPosition(link);
      if (from <= position - inclusive) continue;
      const slot = link * days.length + view;
      if (layers === 1 && (this.#taken[slot] as number) <= round) continue;
      const time = links.timeAtFrom(link, dayStart);
      if (time + links.leftAfter(link) >= onward || time > this.#query.horizon || !links.mayAlight(link)) continue;
      if (layers === 1) this.#taken[slot] = round;
      this.#take(layers === 1 ? 0 : links.layerAtFrom(link, position, layer), link, time);
    }
  }

  #take(layer: number, link: number, time: number): void {
    const { direction, transit } = this.#query;
    const links = this.#links;
    const route = transit.tripRoute[direction.linkToTrip[link] as number] as number;
    const [to, stop, toStop] = [links.toPosition(link), links.fromStop(link), links.toStop(link)];
    links.find(link, time);
    for (let target = 0; target < links.count; target++) {
      const waits = (links.time[target] as number) - time;
      for (let next = layer, wait = 0; wait <= waits; next++) {
        const seed = this.#seeds.add(links.view[target] as number, links.entry[target] as number, to, 0);
        this.#next.pushSeed(next, route, this.#seeds, seed);
        if (!this.#query.isMetAtChange(next, stop, toStop)) break;
        wait += this.#query.viaWait[next] as number;
      }
    }
  }

  /** Carries the ride on to the layer that a call at this stop leads to. */
  #passThrough(
    layer: number,
    route: number,
    view: number,
    riding: number,
    position: number,
    stop: number,
    inclusive: 0 | 1,
  ): void {
    const next = this.#query.layerAfterCall(layer, stop, false);
    if (next === layer) return;
    this.#queue.pushSeed(next, route, this.#seeds, this.#seeds.add(view, riding, position, inclusive));
  }

  #alight(round: number, layer: number, stop: number, time: number): void {
    const { stateCount, transit } = this.#query;
    if (time + (this.#corridor.alighted[stop] as number) > 0) return;
    if (!this.#query.mayUseStop(stop) || !this.#mayImprove(stop, time, round)) return;
    const state = layer * transit.stopCount + stop;
    for (let rides = round; rides <= this.#query.maximumRides; rides++) {
      const slot = rides * stateCount + state;
      if ((this.#alighted[slot] as number) <= time) break;
      this.#alighted[slot] = time;
    }
    const finish = this.#query.finish[state] as number;
    if (finish >= 0 && time + finish <= this.#query.horizon) {
      for (let rides = round; rides < this.#best.length; rides++) {
        if ((this.#best[rides] as number) <= time + finish) break;
        this.#best[rides] = time + finish;
      }
    }
    if (this.#improvedMark[state] === this.#mark) return;
    this.#improvedMark[state] = this.#mark;
    this.#improved[this.#improvedCount++] = state;
  }

  /** Whether some journey by way of one just off a ride may arrive earlier than all known with as many rides. */
  #mayImprove(stop: number, time: number, round: number): boolean {
    const best = this.#best;
    const egress = this.#query.egressWalk[stop] as number;
    if (egress >= 0 && time + egress < (best[round] as number)) return true;
    if (round + 1 > this.rounds) return false;
    if (time + (this.#bounds.directAlighted[stop] as number) < (best[round + 1] as number)) return true;
    return round + 2 <= this.rounds && time + (this.#bounds.anyAlighted[stop] as number) < (best[round + 2] as number);
  }

  /** From every stop alighted at in this round to all where one may board in the next. */
  #change(round: number): void {
    const query = this.#query;
    const { stopCount, stopMinimumSeconds } = query.transit;
    const { directReady, anyReady } = this.#bounds;
    const { walksStart, walkTo, walkMetres, walkMinimumSeconds } = query.direction;
    const { walkOfMetres, transferSlack, maximumTransfer } = query;
    const row = round * query.stateCount;
    const ready = this.#ready;
    const direct = this.#best[round + 1] as number;
    const more = round + 2 <= this.rounds ? (this.#best[round + 2] as number) : -1;
    for (let index = 0; index < this.#improvedCount; index++) {
      const state = this.#improved[index] as number;
      const time = this.#alighted[row + state] as number;
      const stop = state % stopCount;
      const layer = (state - stop) / stopCount;
      const layered = layer < query.layers - 1;
      const change = Math.max(query.transferSlack, stopMinimumSeconds[stop] as number);
      if (time + change + (directReady[stop] as number) < direct || time + change + (anyReady[stop] as number) < more) {
        if (time + change < (ready[row + state] as number)) this.#makeReady(round, state, stop, time + change);
        if (layered) this.#changeLayers(round, layer, stop, stop, time + change);
      }
      const end = walksStart[stop + 1] as number;
      const base = row + layer * stopCount;
      for (let path = walksStart[stop] as number; path < end; path++) {
        const walk = walkOfMetres[walkMetres[path] as number] as number;
        const there = time + Math.max(walk + transferSlack, walkMinimumSeconds[path] as number);
        if (walk > maximumTransfer) break;
        const to = walkTo[path] as number;
        if (there >= (ready[base + to] as number) && !layered) continue;
        if (there + (anyReady[to] as number) >= more && there + (directReady[to] as number) >= direct) continue;
        this.#makeReady(round, layer * stopCount + to, to, there);
        if (layered) this.#changeLayers(round, layer, stop, to, there);
      }
    }
  }

  /** The same change with via entries met on the way, each adding its wait. */
  #changeLayers(round: number, layer: number, from: number, to: number, time: number): void {
    const query = this.#query;
    let ready = time;
    for (let next = layer; query.isMetAtChange(next, from, to); next++) {
      ready += query.viaWait[next] as number;
      const state = (next + 1) * query.transit.stopCount + to;
      this.#makeReady(round, state, to, ready);
    }
  }

  #makeReady(round: number, state: number, stop: number, time: number): void {
    const { stateCount } = this.#query;
    if (time >= (this.#ready[round * stateCount + state] as number)) return;
    if (time > this.#query.horizon || time + (this.#corridor.ready[stop] as number) > 0) return;
    if (!this.#query.mayUseStop(stop)) return;
    for (let rides = round; rides <= this.#query.maximumRides; rides++) {
      const slot = rides * stateCount + state;
      if ((this.#ready[slot] as number) <= time) break;
      this.#ready[slot] = time;
    }
    if (this.#fresh[state] === this.#mark) return;
    this.#fresh[state] = this.#mark;
    this.#readied[this.#readiedCount++] = state;
  }

  /** Queues the routes that can be boarded where one became ready in this round, if riding on from there can be in time. */
  #queueRoutes(round: number): void {
    const { stateCount, transit, direction, boardSlack } = this.#query;
    const { stopRoutesStart, stopRoutes, stopRoutePositions, routeStopsStart, routeMode, routeDwellSeconds } = transit;
    const { aboard } = this.#bounds;
    const { boarding } = this.#corridor;
    const limit = this.#best[round + 1] as number;
    for (let index = 0; index < this.#readiedCount; index++) {
      const state = this.#readied[index] as number;
      const stop = state % transit.stopCount;
      const layer = (state - stop) / transit.stopCount;
      const ready = this.#ready[round * stateCount + state] as number;
      const end = stopRoutesStart[stop + 1] as number;
      for (let entry = stopRoutesStart[stop] as number; entry < end; entry++) {
        const route = stopRoutes[entry] as number;
        const place = stopRoutePositions[entry] as number;
        const call = (routeStopsStart[route] as number) + place;
        const left = (aboard[call] as number) - (routeDwellSeconds[call] as number);
        const boards = ready + (boardSlack[routeMode[route] as number] as number);
        if (boards + left >= limit || boards + (boarding[call] as number) > 0) continue;
        if (!this.#query.mayUseRoute(route)) continue;
        const n = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
        this.#next.push(layer, route, direction.sign > 0 ? place : n - 1 - place);
      }
    }
    this.#readiedCount = 0;
  }
}
