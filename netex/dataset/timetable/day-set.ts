/**
 * The days on which a journey runs, within the range for which calendars are computed.
 *
 * Callers: the timetable extract writes and reads them; the check of interchanges asks when two journeys meet.
 */
import { FIRST_DAY, LAST_DAY } from '../../model/calendar-day.ts';
import type { BytePool, PoolReader } from './byte-pool.ts';

/** Storage forms of a set. */
const LISTED = 0;
const BITS = 1;

export class DaySet {
  readonly #first: number;
  readonly #bits: Uint8Array;
  readonly size: number;

  /** Days may come in any order and more than once. */
  constructor(days: ArrayLike<number>) {
    let first = LAST_DAY + 1;
    let last = -1;
    for (let index = 0; index < days.length; index++) {
      const day = days[index] as number;
      if (day < FIRST_DAY || day > LAST_DAY) continue;
      if (day < first) first = day;
      if (day > last) last = day;
    }
    this.#first = first;
    this.#bits = new Uint8Array(last < first ? 0 : ((last - first) >> 3) + 1);
    let size = 0;
    for (let index = 0; index < days.length; index++) {
      const place = (days[index] as number) - first;
      if (place < 0 || place > last - first) continue;
      const byte = this.#bits[place >> 3] as number;
      if (byte & (1 << (place & 7))) continue;
      this.#bits[place >> 3] = byte | (1 << (place & 7));
      size++;
    }
    this.size = size;
  }

  has(day: number): boolean {
    const place = day - this.#first;
    return place >= 0 && ((this.#bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /** Ascending. */
  *[Symbol.iterator](): Generator<number> {
    for (let place = 0; place < this.#bits.length * 8; place++) {
      if ((this.#bits[place >> 3] as number) & (1 << (place & 7))) yield this.#first + place;
    }
  }

  /** Whether some day of this set, shifted by `laterDays`, is a day of the other. */
  meets(other: DaySet, laterDays: number): boolean {
    if (other.size < this.size) return other.meets(this, -laterDays);
    const bits = this.#bits;
    for (let index = 0; index < bits.length; index++) {
      const byte = bits[index] as number;
      if (byte === 0) continue;
      for (let bit = 0; bit < 8; bit++) {
        if (byte & (1 << bit) && other.has(this.#first + index * 8 + bit + laterDays)) return true;
      }
    }
    return false;
  }

  /** Writes bits or a list, whichever is shorter. */
  write(pool: BytePool): void {
    const asBits = this.#bits.length < this.size;
    pool.add(asBits ? BITS : LISTED);
    pool.add(asBits ? this.#bits.length : this.size);
    let previous = 0;
    if (asBits) {
      pool.add(this.#first);
      for (const byte of this.#bits) pool.add(byte);
      return;
    }
    for (const day of this) {
      pool.add(day - previous);
      previous = day;
    }
  }

  static read(pool: PoolReader): DaySet {
    const form = pool.next();
    const count = pool.next();
    const days: number[] = [];
    let previous = form === BITS ? pool.next() : 0;
    for (let index = 0; index < count; index++) {
      const next = pool.next();
      if (form === LISTED) {
        previous += next;
        days.push(previous);
        continue;
      }
      for (let bit = 0; bit < 8; bit++) if (next & (1 << bit)) days.push(previous + index * 8 + bit);
    }
    return new DaySet(days);
  }
}
