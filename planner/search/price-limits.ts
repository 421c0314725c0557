/**
 * By when a journey of the departure at hand must arrive to be within the bound, and what a label may cost at most, by number of rides.
 * Set anew for every group of departures, the price for every journey found.
 */
import type { Corridor } from './corridor.ts';
import type { Earliest } from './earliest.ts';
import type { LowerBounds } from './lower-bounds.ts';
import type { PriceState } from './price-state.ts';
import { NEVER, type Query } from './query.ts';

export class PriceLimits {
  /** Latest useful arrival with so many rides. */
  readonly latest = new Int32Array(16);
  /** A label of k rides that boards again needs a price below `caps[k + 1]`, or what is found already is better in all it could become. */
  readonly caps = new Float64Array(18);
  /** Nothing later than this can be in time with the rides of the route that is scanned, and with one more. */
  here = -1;
  onward = -1;
  /** Where A(d, k) of the departures at hand begins. */
  row = 0;
  earliest: Earliest | undefined;
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #corridor: Corridor;
  readonly #state: PriceState;

  constructor(query: Query, bounds: LowerBounds, corridor: Corridor, state: PriceState) {
    this.#query = query;
    this.#bounds = bounds;
    this.#corridor = corridor;
    this.#state = state;
  }

  /** -1 where no journey that departs then has so few rides. Whether there is any to look for. */
  set(relaxSeconds: number, latest: number): boolean {
    this.latest.fill(-1);
    let any = false;
    const end = Math.min(latest, this.#query.horizon);
    for (let rides = 1; rides <= this.#state.rounds; rides++) {
      const arrival = this.earliest?.arrivals[this.row + rides] ?? NEVER;
      if (arrival < NEVER) this.latest[rides] = Math.min(arrival + relaxSeconds, end);
      any ||= arrival <= end;
    }
    return any;
  }

  /**
   * Whoever arrives with j rides arrives at A(d, j) or later, and every second until then costs `least` or more. So what is
   * found and arrives by A(d, j) bounds the price of a label that may end with j rides.
   */
  setCaps(): void {
    const boarding = this.#query.useLinks ? 0 : this.#state.boarding;
    let cap = Number.NEGATIVE_INFINITY;
    for (let rides = this.#state.rounds; rides >= 1; rides--) {
      const arrival = this.earliest?.arrivals[this.row + rides] ?? NEVER;
      if (arrival < NEVER)
        cap = Math.max(cap, this.#state.found.leastCost(rides, arrival) - boarding - this.#state.least * arrival);
      this.caps[rides] = cap;
    }
    this.caps.fill(Number.NEGATIVE_INFINITY, this.#state.rounds + 1);
  }

  /** With so many rides, nothing after this can be in time; a limit with more rides is never later, unless unknown. */
  of(round: number): number {
    let limit = -1;
    for (let rides = round; rides <= this.#state.rounds; rides++) limit = Math.max(limit, this.latest[rides] as number);
    return limit;
  }

  /** Whether some journey by way of one just off a ride may still be within the bound. */
  mayServe(stop: number, time: number, round: number): boolean {
    if (time + (this.#corridor.alighted[stop] as number) > 0) return false;
    const limits = this.latest;
    const egress = this.#query.egressWalk[stop] as number;
    if (egress >= 0 && time + egress <= (limits[round] as number)) return true;
    if (time + (this.#bounds.directAlighted[stop] as number) <= (limits[round + 1] as number)) return true;
    return time + (this.#bounds.anyAlighted[stop] as number) <= this.of(round + 2);
  }
}
