/**
 * Keeps each set of service days once. Most journeys share a few hundred sets, and importers pass the same array
 * repeatedly.
 */
import type { ServiceDay } from '../model/indices.ts';

/**
 * Limit for the days of all sets together: a hundred thousand sets of a whole year. More would fill the memory, and
 * comes from an error or an attack.
 */
const MOST_DAYS = 40_000_000;

export class DaySets {
  readonly #mostDays: number;
  #dayCount = 0;
  readonly #byArray = new WeakMap<readonly ServiceDay[], number>();
  readonly #byKey = new Map<string, number>();
  readonly #sets: Int32Array[] = [];

  constructor(mostDays = MOST_DAYS) {
    this.#mostDays = mostDays;
  }

  get count(): number {
    return this.#sets.length;
  }

  /** Days of a set, ascending, without repetition. */
  days(set: number): Int32Array {
    return this.#sets[set] ?? new Int32Array(0);
  }

  /** Undefined when there is no room for another set. */
  numberOf(days: readonly ServiceDay[]): number | undefined {
    const known = this.#byArray.get(days);
    // The owner may have filled the array with other days, so compare them.
    if (known !== undefined && isSameAs(this.days(known), days)) return known;
    const set = this.#numberOf(Int32Array.from(days).sort().filter(isFirst));
    if (set !== undefined) this.#byArray.set(days, set);
    return set;
  }

  #numberOf(days: Int32Array): number | undefined {
    const key = Buffer.from(days.buffer, days.byteOffset, days.byteLength).toString('latin1');
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    if (this.#dayCount + days.length > this.#mostDays) return undefined;
    this.#dayCount += days.length;
    this.#byKey.set(key, this.#sets.length);
    this.#sets.push(days);
    return this.#sets.length - 1;
  }
}

function isFirst(day: number, index: number, days: Int32Array): boolean {
  return index === 0 || days[index - 1] !== day;
}

function isSameAs(set: Int32Array, days: readonly ServiceDay[]): boolean {
  if (set.length !== days.length) return false;
  for (let index = 0; index < set.length; index++) if (set[index] !== days[index]) return false;
  return true;
}
