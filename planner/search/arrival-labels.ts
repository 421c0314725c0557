/**
 * Labels of the first pass: earliest time by state and number of rides, and earliest arrival by number of rides. They
 * last from the latest departures to the earliest. `RangeQuery` and its parts alone write them.
 */

import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import { RouteQueue, Seeds } from './seeds.ts';
import type { TimeBounds } from './time-bounds.ts';

export class ArrivalLabels {
  readonly seeds = new Seeds();
  /** Routes of the current round and of the next. */
  queue: RouteQueue;
  next: RouteQueue;
  /** Routes of the current round that are entered by staying seated. */
  seated: RouteQueue;
  /** By `rides * stateCount + state`: just off a ride, and ready to board the next. */
  alighted = new Int32Array(0);
  ready = new Int32Array(0);
  /** By state: mark of the last round that made it ready. */
  fresh = new Int32Array(0);
  /** States alighted at in the current round. */
  improved = new Int32Array(0);
  improvedCount = 0;
  /** States made ready in the current round. */
  readied = new Int32Array(0);
  readiedCount = 0;
  /** Goes up with every round. */
  mark = 0;
  /** Earliest arrival by number of rides. */
  readonly best = new Int32Array(16);
  /** Value of `best` where no arrival is known. */
  unknown = NEVER;
  /** Number of rounds; falls to the fewest rides and the additional ones, once known. */
  rounds = 1;
  #improvedMark = new Int32Array(0);
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #timeBounds: TimeBounds;

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds) {
    this.#query = query;
    this.#bounds = bounds;
    this.#timeBounds = timeBounds;
    this.queue = new RouteQueue(query.transit.routeCount);
    this.next = new RouteQueue(query.transit.routeCount);
    this.seated = new RouteQueue(query.transit.routeCount);
  }

  /** @param until latest arrival looked for; NEVER: all. */
  reset(until: number): void {
    const { stateCount, maximumRides, layers } = this.#query;
    this.unknown = until < NEVER ? until + 1 : NEVER;
    const size = (maximumRides + 1) * stateCount;
    if (this.alighted.length < size) {
      this.alighted = new Int32Array(size);
      this.ready = new Int32Array(size);
    }
    if (this.fresh.length < stateCount) {
      this.fresh = new Int32Array(stateCount);
      this.improved = new Int32Array(stateCount);
      this.readied = new Int32Array(stateCount);
      this.#improvedMark = new Int32Array(stateCount);
      this.mark = 0;
    }
    this.forgetTimes();
    this.queue.resize(layers);
    this.next.resize(layers);
    this.seated.resize(layers);
    this.queue.clear();
    this.next.clear();
    this.seated.clear();
    // A cancelled search may have left some.
    this.readiedCount = 0;
    this.best.fill(this.unknown);
    this.rounds = maximumRides;
  }

  forgetTimes(): void {
    const size = (this.#query.maximumRides + 1) * this.#query.stateCount;
    this.alighted.fill(NEVER, 0, size);
    this.ready.fill(NEVER, 0, size);
  }

  /** Moves on to the routes entered by staying seated; the queue must be empty. */
  swapSeated(): void {
    const done = this.queue;
    this.queue = this.seated;
    this.seated = done;
  }

  swapQueues(): void {
    const done = this.queue;
    this.queue = this.next;
    this.next = done;
  }

  alight(round: number, layer: number, stop: number, time: number): void {
    const { stateCount, transit } = this.#query;
    if (time + (this.#timeBounds.alighted[stop] as number) > 0) return;
    if (!this.#query.mayUseStop(stop) || !this.#mayImprove(stop, time, round)) return;
    const state = layer * transit.stopCount + stop;
    for (let rides = round; rides <= this.#query.maximumRides; rides++) {
      const slot = rides * stateCount + state;
      if ((this.alighted[slot] as number) <= time) break;
      this.alighted[slot] = time;
    }
    const finish = this.#query.finish[state] as number;
    if (finish >= 0 && time + finish <= this.#query.horizon) {
      for (let rides = round; rides < this.best.length; rides++) {
        if ((this.best[rides] as number) <= time + finish) break;
        this.best[rides] = time + finish;
      }
    }
    if (this.#improvedMark[state] === this.mark) return;
    this.#improvedMark[state] = this.mark;
    this.improved[this.improvedCount++] = state;
  }

  /** True when a journey through a stop of alighting may arrive earlier than all known ones with as many rides. */
  #mayImprove(stop: number, time: number, round: number): boolean {
    const best = this.best;
    const egress = this.#query.egressWalk[stop] as number;
    if (egress >= 0 && time + egress < (best[round] as number)) return true;
    if (round + 1 > this.rounds) return false;
    if (time + (this.#bounds.directAlighted[stop] as number) < (best[round + 1] as number)) return true;
    return round + 2 <= this.rounds && time + (this.#bounds.anyAlighted[stop] as number) < (best[round + 2] as number);
  }

  makeReady(round: number, state: number, stop: number, time: number): void {
    const { stateCount } = this.#query;
    if (time >= (this.ready[round * stateCount + state] as number)) return;
    if (time > this.#query.horizon || time + (this.#timeBounds.ready[stop] as number) > 0) return;
    if (!this.#query.mayUseStop(stop)) return;
    for (let rides = round; rides <= this.#query.maximumRides; rides++) {
      const slot = rides * stateCount + state;
      if ((this.ready[slot] as number) <= time) break;
      this.ready[slot] = time;
    }
    if (this.fresh[state] === this.mark) return;
    this.fresh[state] = this.mark;
    this.readied[this.readiedCount++] = state;
  }
}
