/**
 * State of the second pass: labels by state, routes and rides to scan, journeys found, and cost factors. Its arrays
 * last between searches. `ParetoSearch` and its parts alone write it.
 */

import { Found } from './found.ts';
import { Labels } from './labels.ts';
import { OnBoard } from './on-board.ts';
import type { Query } from './query.ts';
import type { SearchRequest } from './search-types.ts';
import { RouteQueue, Seeds } from './seeds.ts';
import type { TimeBounds } from './time-bounds.ts';

/** Cost of a second of riding, in hundredths. */
export const RIDING = 100;

export class CostState {
  readonly labels = new Labels();
  readonly found = new Found();
  readonly seeds = new Seeds();
  /** Rides on the route being scanned. */
  readonly onBoard = new OnBoard();
  /** Routes of the current round and of the next. */
  queue: RouteQueue;
  next: RouteQueue;
  /** Routes of the current round that are entered by staying seated. */
  seated: RouteQueue;
  /** Heads of the lists of labels by state: alighted, and ready to board. */
  alighted = new Int32Array(0);
  ready = new Int32Array(0);
  /** By state: mark of the last round that made it ready, and the earliest time of that round. */
  fresh = new Int32Array(0);
  freshTime = new Int32Array(0);
  /** States made ready in the current round. */
  readied = new Int32Array(0);
  readiedCount = 0;
  /** Goes up with every round. */
  mark = 0;
  rounds = 1;
  /** First label of the last round. */
  freshFrom = 0;
  /** Rank of the current departures (`Query.rankOfStart`). */
  startRank = 0;
  /** Hundredths: per second of waiting and walking, the least per second, and per boarding. */
  wait = 100;
  walk = 200;
  least = 100;
  boarding = 0;
  firstBoarding = 0;
  readonly #query: Query;
  readonly #timeBounds: TimeBounds;

  constructor(query: Query, timeBounds: TimeBounds) {
    this.#query = query;
    this.#timeBounds = timeBounds;
    this.queue = new RouteQueue(query.transit.routeCount);
    this.next = new RouteQueue(query.transit.routeCount);
    this.seated = new RouteQueue(query.transit.routeCount);
  }

  reset(request: SearchRequest, rounds: number): void {
    const { stateCount, layers } = this.#query;
    this.found.clear();
    this.labels.clear();
    if (this.alighted.length < stateCount) {
      this.alighted = new Int32Array(stateCount);
      this.ready = new Int32Array(stateCount);
      this.fresh = new Int32Array(stateCount);
      this.freshTime = new Int32Array(stateCount);
      this.readied = new Int32Array(stateCount);
      this.mark = 0;
    }
    this.alighted.fill(-1, 0, stateCount);
    this.ready.fill(-1, 0, stateCount);
    this.queue.resize(layers);
    this.next.resize(layers);
    this.seated.resize(layers);
    this.queue.clear();
    this.next.clear();
    this.seated.clear();
    // A cancelled search may have left some.
    this.readiedCount = 0;
    this.rounds = rounds;
    this.wait = request.waitReluctance;
    this.walk = request.walkReluctance;
    this.boarding = request.boardCost + request.transferCost;
    this.firstBoarding = request.boardCost;
    this.least = Math.min(RIDING, request.waitReluctance, request.walkReluctance);
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

  /** Adds a label on the same layer, and on the layers of the via entries met at this transfer, each after its wait. */
  makeReady(
    round: number,
    layer: number,
    from: number,
    stop: number,
    time: number,
    relativeCost: number,
    parent: number,
  ): void {
    if (time + (this.#timeBounds.ready[stop] as number) > 0 || !this.#query.mayUseStop(stop)) return;
    const { stopCount } = this.#query.transit;
    let ready = time;
    for (let next = layer; ; next++) {
      const state = next * stopCount + stop;
      const label = this.labels.insert(this.ready, state, ready, relativeCost, round, parent);
      if (label >= 0) this.#freshen(state, ready);
      if (!this.#query.isMetAtTransfer(next, from, stop)) return;
      ready += this.#query.viaWait[next] as number;
    }
  }

  #freshen(state: number, time: number): void {
    if (this.fresh[state] !== this.mark) {
      this.fresh[state] = this.mark;
      this.freshTime[state] = time;
      this.readied[this.readiedCount++] = state;
    } else if (time < (this.freshTime[state] as number)) {
      this.freshTime[state] = time;
    }
  }

  /** Stores the ride of an alighted label. */
  describe(label: number, ride: number, trip: number, view: number, position: number): void {
    const { labels } = this;
    labels.trip[label] = trip;
    labels.view[label] = view;
    labels.boardPosition[label] = this.onBoard.boardPosition[ride] as number;
    labels.alightPosition[label] = position;
    labels.link[label] = this.onBoard.link[ride] as number;
  }
}
