/**
 * Computes the days of each day type within the window, as bits. Caller: the decision.
 *
 * An excluding assignment wins over all others. An assignment in one line file does not exclude days of a day type
 * elsewhere, but may add days. Keeping one journey too many is better than losing one.
 */
import { EVERY_WEEKDAY, weekdayOf } from '../model/calendar-day.ts';
import { COMMON_FILE, type DatasetFacts, UNAVAILABLE, UNKNOWN } from './dataset-facts.ts';
import { type FilterWindow, NO_DAY } from './filter-window.ts';
import { ASSIGNED_DAY_TYPE, ASSIGNED_PERIOD, BEGINS_ON, ENDS_ON, ON_DAY } from './reference-roles.ts';
import type { References } from './references.ts';

/** How long before the window a journey that ends in it may begin. */
const LOOK_BACK_DAYS = 30;

/** First and last day. */
export type Span = readonly [first: number, last: number];

export class ServiceCalendar {
  readonly #facts: DatasetFacts;
  readonly #references: References;
  readonly #first: number;
  readonly #last: number;
  readonly #words: number;
  readonly #slotOf = new Map<number, number>();
  readonly #bits: Uint32Array;
  /** By period: their bits may be long and have many assignments. */
  readonly #spans = new Map<number, Span>();

  constructor(facts: DatasetFacts, references: References, window: FilterWindow) {
    this.#facts = facts;
    this.#references = references;
    this.#first = window.from - LOOK_BACK_DAYS;
    this.#last = window.to;
    this.#words = Math.ceil((this.#last - this.#first + 1) / 32);
    const assignments: number[] = [];
    for (let entity = 0; entity < facts.size; entity++) {
      const role = facts.roleOf(entity);
      if (role === 'day-type') this.#slotOf.set(entity, this.#slotOf.size);
      else if (role === 'assignment') assignments.push(entity);
    }
    this.#bits = new Uint32Array(this.#words * this.#slotOf.size);
    const isExclusion = (entity: number): boolean => (facts.flags.get(entity) & UNAVAILABLE) !== 0;
    for (const entity of assignments) if (!isExclusion(entity)) this.#apply(entity, true);
    for (const entity of assignments) if (isExclusion(entity)) this.#apply(entity, false);
  }

  /** Whether the day type has a day between `from` and the end of the window. */
  hasDay(dayType: number, from: number): boolean {
    const slot = this.#slotOf.get(dayType);
    if (slot === undefined) return false;
    for (let day = Math.max(from, this.#first); day <= this.#last; day++) {
      const at = day - this.#first;
      const word = this.#bits[slot * this.#words + (at >>> 5)] as number;
      if (word === 0) day += 31 - (at & 31);
      else if ((word >>> (at & 31)) & 1) return true;
    }
    return false;
  }

  /** First and last day of an assignment, if known: from its date, its operating day or its period. */
  spanOf(assignment: number): Span {
    const { day } = this.#facts;
    if (day.get(assignment) !== NO_DAY) return [day.get(assignment), day.get(assignment)];
    const on = this.#references.find(assignment, ON_DAY);
    if (on >= 0) return [day.get(on), day.get(on)];
    const period = this.#references.find(assignment, ASSIGNED_PERIOD);
    return period < 0 ? [NO_DAY, NO_DAY] : this.spanOfPeriod(period);
  }

  /** A missing end is open. */
  spanOfPeriod(period: number): Span {
    let span = this.#spans.get(period);
    if (span === undefined) {
      span = this.#readSpan(period);
      this.#spans.set(period, span);
    }
    return span;
  }

  /** From the first to the last day that runs, by the bits of a UIC period; ignores bits without a start date. */
  #readSpan(period: number): Span {
    const from = this.#startOf(period);
    const to = this.#dayOf(this.#facts.lastDay.get(period), period, ENDS_ON) ?? Number.POSITIVE_INFINITY;
    const bits = this.#facts.dayBits.get(period);
    if (from === undefined || bits === undefined) return [from ?? Number.NEGATIVE_INFINITY, to];
    const runs = bits.lastIndexOf('1');
    return [from + Math.max(0, bits.indexOf('1')), runs < 0 ? NO_DAY : Math.min(to, from + runs)];
  }

  /** The day of the first bit. */
  #startOf(period: number): number | undefined {
    return this.#dayOf(this.#facts.day.get(period), period, BEGINS_ON);
  }

  /** The written date, else that of the operating day that the period refers to. */
  #dayOf(written: number, period: number, role: number): number | undefined {
    if (written !== NO_DAY) return written;
    const operatingDay = this.#references.find(period, role);
    const day = operatingDay < 0 ? NO_DAY : this.#facts.day.get(operatingDay);
    return day === NO_DAY ? undefined : day;
  }

  #apply(assignment: number, isAvailable: boolean): void {
    const dayType = this.#references.find(assignment, ASSIGNED_DAY_TYPE);
    const slot = this.#slotOf.get(dayType);
    if (slot === undefined || (!isAvailable && !this.#isNear(assignment, dayType))) return;
    const { facts, period } = { facts: this.#facts, period: this.#references.find(assignment, ASSIGNED_PERIOD) };
    if (period >= 0 && (facts.flags.get(period) & UNKNOWN) !== 0) return;
    const [from, to] = this.spanOf(assignment);
    const start = period < 0 ? undefined : this.#startOf(period);
    const weekdays = period < 0 ? EVERY_WEEKDAY : facts.day.get(dayType) || EVERY_WEEKDAY;
    const dayBits = start === undefined ? undefined : facts.dayBits.get(period);
    for (let day = Math.max(from, this.#first); day <= Math.min(to, this.#last); day++) {
      if (((weekdays >> weekdayOf(day)) & 1) === 0 || dayBits?.charAt(day - (start ?? 0)) === '0') continue;
      const at = slot * this.#words + ((day - this.#first) >>> 5);
      const bit = 1 << ((day - this.#first) & 31);
      this.#bits[at] = isAvailable ? (this.#bits[at] as number) | bit : (this.#bits[at] as number) & ~bit;
    }
  }

  #isNear(assignment: number, dayType: number): boolean {
    const { flags, file } = this.#facts;
    const bothCommon = (flags.get(assignment) & flags.get(dayType) & COMMON_FILE) !== 0;
    return bothCommon || file.get(assignment) === file.get(dayType);
  }
}
