/**
 * First pass: A(d, k) of "What a search answers" for every departure of the window, by range-RAPTOR on arrival alone, latest
 * departure first. Labels of later departures stay and prune those of earlier ones. Costs play no part.
 *
 * One label per stop and round suffices, since whoever is somewhere earlier can do all that one can who is later. The exception
 * are interchanges: they belong to a trip, not to a stop, so later trips of a route that have some are ridden beside the earliest.
 */
import { ArrivalChanges } from './arrival-changes.ts';
import { ArrivalLabels } from './arrival-labels.ts';
import { ArrivalScan } from './arrival-scan.ts';
import type { Departures } from './departures.ts';
import { grownInt32 } from './grown.ts';
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';

/** How much longer than the least conceivable time a good journey should take at most. */
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
  readonly #changes: ArrivalChanges;
  /** Throws when the search is given up; asked every round. */
  #checkpoint: () => void = () => {};

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds) {
    this.#query = query;
    this.#bounds = bounds;
    this.#labels = new ArrivalLabels(query, bounds, timeBounds);
    this.#scan = new ArrivalScan(query, bounds, timeBounds, this.#labels);
    this.#changes = new ArrivalChanges(query, bounds, timeBounds, this.#labels);
  }

  /** Rounds looked at: the fewest rides and the additional ones. */
  get rounds(): number {
    return this.#labels.rounds;
  }

  /** @param until arrivals after it are not looked for; NEVER: all. @param isEnough asked after each group. */
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
        this.#changes.change(round);
        this.#changes.queueRoutes(round);
      }
      this.#labels.swapQueues();
    }
    this.#labels.queue.clear();
    this.#labels.next.clear();
  }
}
