/**
 * Where one may still be, and when, to arrive by a given time: a search that knows by when it must arrive looks nowhere else. Two
 * spreads make it: forward, how soon one can be at each stop at all, then backward from the end, how late one may be there.
 */
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import { Spread } from './spread.ts';

/** So much further each time. */
const LOOK_FACTOR = 1.5;

export class Corridor {
  /**
   * What is in time: just off a ride at a stop, ready to board there, leaving at a call (entry of `routeStops`). One is where the time
   * and the entry add up to 0 at most.
   */
  readonly alighted: Int32Array;
  readonly ready: Int32Array;
  readonly boarding: Int32Array;
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #spread: Spread;
  readonly #back: Spread;
  #isOpen = false;

  constructor(query: Query, bounds: LowerBounds) {
    this.#query = query;
    this.#bounds = bounds;
    this.#spread = new Spread(query, false);
    this.#back = new Spread(query, true);
    // Times of the other direction are the negative of those of this one, and what is just off a ride is there ready to board.
    this.alighted = this.#back.ready;
    this.ready = this.#back.alighted;
    this.boarding = this.#back.aboard;
  }

  /** Nothing is left out. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const times of [this.alighted, this.ready, this.boarding]) times.fill(-NEVER);
  }

  /** Leaves out what cannot arrive by `until`, at most so long after the soonest arrival as `begin` was told. */
  narrow(until: number, checkpoint: () => void): void {
    this.#isOpen = false;
    this.#backward(until, checkpoint);
  }

  /**
   * Begins a search for what arrives at most so long after the soonest arrival of all, which is given; NEVER: nothing arrives.
   * Looks ahead as far as a journey should take, then further: without an end in sight it would go everywhere.
   */
  begin(marginSeconds: number, checkpoint: () => void): number {
    const { horizon } = this.#query;
    let ahead = this.#bounds.leastSeconds() + marginSeconds;
    for (;;) {
      const soonest = this.#forward(Math.min(ahead, horizon), marginSeconds, checkpoint);
      // One that arrives later still may have been found where others were given up.
      if (soonest <= ahead || ahead >= horizon) return soonest;
      ahead = Math.floor(ahead * LOOK_FACTOR);
    }
  }

  #forward(end: number, marginSeconds: number, checkpoint: () => void): number {
    const query = this.#query;
    const spread = this.#spread;
    const { anyAlighted, anyReady } = this.#bounds;
    const { direction, boardSlack, alightSlack, egressWalk } = query;
    const rules = { direction, boardSlack, alightSlack, leftAlighted: anyAlighted, leftReady: anyReady, begin: 0 };
    spread.prepare(rules, end + marginSeconds);
    for (const { stop, walkSeconds } of query.access) spread.start(stop, walkSeconds);
    let soonest = NEVER;
    spread.run(checkpoint, (stop, time) => {
      const walk = egressWalk[stop] as number;
      if (walk < 0 || time + walk >= soonest) return;
      soonest = time + walk;
      spread.bound = Math.min(soonest + marginSeconds, end + marginSeconds);
    });
    return soonest;
  }

  #backward(until: number, checkpoint: () => void): void {
    const query = this.#query;
    const direction = query.oppositeOf(query.direction);
    const { boardSlack, alightSlack } = query;
    const { alighted, ready } = this.#spread;
    const rules = { direction, leftAlighted: ready, leftReady: alighted, begin: -until };
    this.#back.prepare({ ...rules, boardSlack: alightSlack, alightSlack: boardSlack }, 0);
    for (const { stop } of query.egress) {
      const walk = query.egressWalk[stop] as number;
      if (walk >= 0) this.#back.start(stop, walk - until);
    }
    this.#back.run(checkpoint);
  }
}
