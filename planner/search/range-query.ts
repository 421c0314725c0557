/**
 * First pass: a range query. It finds A(d, k) of "What a search answers" for every departure of the window, by
 * range-RAPTOR on arrival alone, latest departure first. Labels of later departures stay and prune those of earlier
 * ones. Costs play no part.
 *
 * One label per stop and round suffices, since an earlier arrival can do all that a later one can. Interchanges are the
 * exception: they belong to a trip, so the pass also rides later trips of a route that have some.
 */

import { ArrivalLabels } from './arrival-labels.ts';
import { ArrivalScan } from './arrival-scan.ts';
import { ArrivalTransfers } from './arrival-transfers.ts';
import type { Departures } from './departures.ts';
import { grownInt32 } from './grown.ts';
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';

/** The probe expects a good journey to take at most its lower bound times this factor, plus these seconds. */
const PROBE_FACTOR = 1.4;
const PROBE_SECONDS = 1200;

export class RangeQuery {
  /** Least rides of any journey of the window; NEVER if there is none. */
  fewestRides = NEVER;
  /** A(d, k) of group g (see `groups`): `g * (maximumRides + 1) + k`. */
  arrivals = new Int32Array(1024);
  groups = 0;
  /** By group: the latest of its departures. */
  times = new Int32Array(64);
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #labels: ArrivalLabels;
  readonly #scan: ArrivalScan;
  readonly #transfers: ArrivalTransfers;
  /** Throws when the search is cancelled; called every round. */
  #checkpoint: () => void = () => {};

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds) {
    this.#query = query;
    this.#bounds = bounds;
    this.#labels = new ArrivalLabels(query, bounds, timeBounds);
    this.#scan = new ArrivalScan(query, bounds, timeBounds, this.#labels);
    this.#transfers = new ArrivalTransfers(query, bounds, timeBounds, this.#labels);
  }

  /** Number of rounds: the fewest rides and the additional ones. */
  get rounds(): number {
    return this.#labels.rounds;
  }

  /** @param until latest arrival looked for; NEVER: all. @param isEnough called after each group; true ends the pass. */
  run(departures: Departures, until: number, checkpoint: () => void, isEnough: () => boolean = () => false): void {
    this.#checkpoint = checkpoint;
    this.#labels.reset(until);
    this.#scan.reset();
    this.fewestRides = NEVER;
    this.groups = 0;
    for (let place = 0, group = 0; place < departures.count && !(group > 0 && isEnough()); group++) {
      const end = departures.groupEnd(place);
      if (group === 0 && until >= NEVER) this.#probe(departures, end);
      this.#searchFrom(departures, place, end);
      this.#keepRow(departures.timeAt(place));
      this.#countRides();
      place = end;
    }
  }

  /**
   * Searches only the latest departures, within the time that a good journey should need. Its arrivals bound the full
   * search, which otherwise would scan everything before its first result. Its labels are incomplete and dropped.
   */
  #probe(departures: Departures, end: number): void {
    let least = NEVER;
    for (const { stop, walkSeconds } of this.#query.access) {
      least = Math.min(least, (this.#bounds.anyReady[stop] as number) + walkSeconds);
    }
    if (least >= NEVER) return;
    const limit = departures.timeAt(0) + Math.floor(least * PROBE_FACTOR) + PROBE_SECONDS;
    this.#labels.best.fill(limit);
    this.#searchFrom(departures, 0, end);
    for (let rides = 0; rides < this.#labels.best.length; rides++) {
      if ((this.#labels.best[rides] as number) >= limit) this.#labels.best[rides] = NEVER;
    }
    this.#labels.forgetTimes();
    this.#scan.reset();
  }

  #searchFrom(departures: Departures, from: number, to: number): void {
    this.#labels.seeds.count = 0;
    for (let place = from; place < to; place++) this.#start(departures, departures.order[place] as number);
    this.#search();
  }

  #countRides(): void {
    const { maximumRides, request } = this.#query;
    for (let rides = 1; rides < this.fewestRides && rides <= maximumRides; rides++) {
      if ((this.#labels.best[rides] as number) < this.#labels.unknown) this.fewestRides = rides;
    }
    this.#labels.rounds = Math.min(this.#labels.rounds, this.fewestRides + (request?.maximumAdditionalRides ?? 0));
  }

  #keepRow(time: number): void {
    const width = this.#query.maximumRides + 1;
    if (this.groups === this.times.length) this.times = grownInt32(this.times, this.times.length * 2);
    this.times[this.groups] = time;
    const start = this.groups++ * width;
    if (start + width > this.arrivals.length) {
      const larger = new Int32Array(this.arrivals.length * 2);
      larger.set(this.arrivals);
      this.arrivals = larger;
    }
    for (let rides = 0; rides < width; rides++) {
      const arrival = this.#labels.best[rides] as number;
      this.arrivals[start + rides] = arrival < this.#labels.unknown ? arrival : NEVER;
    }
  }

  #start(departures: Departures, index: number): void {
    const position = departures.position[index] as number;
    const seed = this.#labels.seeds.add(
      departures.view[index] as number,
      departures.entry[index] as number,
      position,
      0,
    );
    const layer = this.#query.layerAfterCall(0, departures.stop[index] as number, true);
    this.#labels.queue.pushSeed(layer, departures.route[index] as number, this.#labels.seeds, seed);
  }

  #search(): void {
    this.#labels.mark++;
    for (let round = 1; round <= this.#labels.rounds && !this.#labels.queue.isEmpty(); round++) {
      this.#checkpoint();
      this.#labels.improvedCount = 0;
      this.#labels.mark++;
      this.#scan.scan(round);
      if (round < this.#labels.rounds) {
        this.#transfers.transfer(round);
        this.#transfers.queueRoutes(round);
      }
      this.#labels.swapQueues();
    }
    this.#labels.queue.clear();
    this.#labels.next.clear();
  }
}
