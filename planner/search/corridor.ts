/**
 * Where one may still be, and when, to arrive by a given time: a search that knows by when it must arrive looks nowhere else. Two
 * spreads make it: forward, how soon one can be at each stop at all, then backward from the end, how late one may be there.
 */
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import { Spread } from './spread.ts';

export class Corridor {
  /** Latest times by stop: just off a ride, and ready to board; all as in the direction of the search. */
  readonly alighted: Int32Array;
  readonly ready: Int32Array;
  /** Latest departures by call (entry of `routeStops`). */
  readonly boarding: Int32Array;
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #spread: Spread;
  readonly #back: Spread;
  #isOpen = false;

  constructor(query: Query, bounds: LowerBounds) {
    const { stopCount, routeStops } = query.transit;
    this.#query = query;
    this.#bounds = bounds;
    this.#spread = new Spread(query);
    this.#back = new Spread(query);
    this.alighted = new Int32Array(stopCount);
    this.ready = new Int32Array(stopCount);
    this.boarding = new Int32Array(routeStops.length);
  }

  /** Nothing is left out. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const times of [this.alighted, this.ready, this.boarding]) times.fill(NEVER);
  }

  /** Leaves out what cannot arrive within so many seconds of the soonest arrival of all. The time that is; NEVER: nothing arrives. */
  narrow(marginSeconds: number, checkpoint: () => void): number {
    const soonest = this.#forward(marginSeconds, checkpoint);
    if (soonest >= NEVER) return NEVER;
    const until = Math.min(soonest + marginSeconds, this.#query.horizon);
    this.#backward(until, checkpoint);
    this.#isOpen = false;
    mirror(this.#back.ready, this.alighted);
    mirror(this.#back.alighted, this.ready);
    mirror(this.#back.aboard, this.boarding);
    return until;
  }

  #forward(marginSeconds: number, checkpoint: () => void): number {
    const query = this.#query;
    const spread = this.#spread;
    const { anyAlighted, anyReady } = this.#bounds;
    const { direction, boardSlack, alightSlack, egressWalk } = query;
    const rules = { direction, boardSlack, alightSlack, leftAlighted: anyAlighted, leftReady: anyReady, begin: 0 };
    spread.prepare(rules, query.horizon);
    for (const { stop, walkSeconds } of query.access) spread.start(stop, walkSeconds);
    let soonest = NEVER;
    spread.run(checkpoint, (stop, time) => {
      const walk = egressWalk[stop] as number;
      if (walk < 0 || time + walk >= soonest) return;
      soonest = time + walk;
      spread.bound = Math.min(soonest + marginSeconds, query.horizon);
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

/** Times of the other direction as times of this one: what is never reached is never in time. */
function mirror(from: Int32Array, to: Int32Array): void {
  for (let index = 0; index < from.length; index++) to[index] = -(from[index] as number);
}
