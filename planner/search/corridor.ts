/**
 * Where one may be, and when, so that a search looks nowhere else. A spread from the start tells how soon one can be at each stop at all: that
 * is where a search turned round may go. One that goes straight on, and knows by when it must arrive, has a second spread, backward
 * from the end: how late one may be there.
 *
 * The first spread goes to the soonest arrival and no further. Where one is later than that, how soon is not known, and nothing is left out
 * there: that is near the end, as far from it as the arrivals looked for lie after the soonest.
 */
import { NEVER, type Query } from './query.ts';
import { EarliestArrivalSearch } from './earliest-arrival-search.ts';

/** So far ahead the end is looked for first: else trips of the next days would be ridden where a route's last of the day has left. */
const LOOK_SECONDS = 43_200;

export class Corridor {
  /**
   * What is in time: just off a ride at a stop, ready to board there, leaving at a call (entry of `routeStops`). One is where the time
   * and the entry add up to 0 at most; NEVER: at no time.
   */
  readonly alighted: Int32Array;
  readonly ready: Int32Array;
  readonly boarding: Int32Array;
  readonly #query: Query;
  readonly #fromStart: EarliestArrivalSearch;
  readonly #fromEnd: EarliestArrivalSearch;
  #isNarrow = false;

  constructor(query: Query) {
    this.#query = query;
    this.#fromStart = new EarliestArrivalSearch(query);
    this.#fromEnd = new EarliestArrivalSearch(query);
    // Times of the other direction are the negative of those of this one, and what is just off a ride is there ready to board.
    this.alighted = this.#fromEnd.ready;
    this.ready = this.#fromEnd.alighted;
    this.boarding = this.#fromEnd.aboard;
  }

  /** Whether it tells where nobody who is in time can be: after `narrow` alone. */
  get isNarrow(): boolean {
    return this.#isNarrow;
  }

  /** Nothing is left out. */
  open(): void {
    this.#isNarrow = false;
    for (const times of [this.alighted, this.ready, this.boarding]) times.fill(-NEVER);
  }

  /**
   * For the search turned round: leaves out what `begin` knows nobody can be at so soon.
   * @param until seconds from the time of the question to that of the turned one
   */
  turn(until: number): void {
    const { alighted, ready, aboard, bound } = this.#fromStart;
    this.#isNarrow = false;
    for (let stop = 0; stop < alighted.length; stop++) {
      this.alighted[stop] = Math.min(ready[stop] as number, bound) - until;
      this.ready[stop] = Math.min(alighted[stop] as number, bound) - until;
    }
    for (let call = 0; call < aboard.length; call++)
      this.boarding[call] = Math.min(aboard[call] as number, bound) - until;
  }

  /** Begins a search: the soonest arrival of all, whatever the number of rides; NEVER: nothing arrives. */
  begin(checkpoint: () => void): number {
    const { direction, boardSlack, alightSlack, access, horizon } = this.#query;
    const fromStart = this.#fromStart;
    for (const last of [Math.min(LOOK_SECONDS, horizon), horizon]) {
      fromStart.prepare({ direction, boardSlack, alightSlack, within: undefined, begin: 0 }, last + 1);
      for (const { stop, walkSeconds } of access) fromStart.start(stop, walkSeconds);
      fromStart.run(checkpoint);
      if (fromStart.bound <= last) return fromStart.bound;
    }
    return NEVER;
  }

  /** Leaves out what cannot arrive by `until`. */
  narrow(until: number, checkpoint: () => void): void {
    const query = this.#query;
    const { boardSlack, alightSlack } = query;
    this.#isNarrow = true;
    const direction = query.oppositeOf(query.direction);
    const rules = { direction, boardSlack: alightSlack, alightSlack: boardSlack, within: this.#fromStart, begin: -until };
    this.#fromEnd.prepare(rules, 0);
    for (const { stop } of query.egress) {
      const walk = query.egressWalk[stop] as number;
      if (walk >= 0) this.#fromEnd.start(stop, walk - until);
    }
    this.#fromEnd.run(checkpoint);
  }

  /** Of those that arrive in time the latest departure, whatever the window. */
  latestDeparture(): number {
    let latest = -NEVER;
    for (const { stop, walkSeconds } of this.#query.access) {
      const left = this.ready[stop] as number;
      if (left < NEVER) latest = Math.max(latest, -left - walkSeconds);
    }
    return latest;
  }
}
