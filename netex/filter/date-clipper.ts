/**
 * Shortens periods to the window: operating periods, the bits of UIC periods, calendars, validity conditions. A
 * period entirely outside the window stays: only its holder knows why it is kept. Caller: FileCopier, at each end
 * tag.
 */
import { dayText, parseDay } from '../model/calendar-day.ts';
import type { Decision } from './decision.ts';
import type { FilterWindow } from './filter-window.ts';
import { textOf } from './source-tokens.ts';
import type { Walker } from './walker.ts';

const PERIODS = new Set(['OperatingPeriod', 'UicOperatingPeriod']);
const HOLDERS = new Set([...PERIODS, 'ServiceCalendar', 'ValidBetween', 'AvailabilityCondition']);
const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+)?(Z|[+-]\d{2}:\d{2})?$/;

export class DateClipper {
  /** Index of a first date among the parts that may have to be reset; Infinity for none. */
  heldPart = Number.POSITIVE_INFINITY;
  readonly #window: FilterWindow;
  readonly #decision: Decision;
  #written = '';
  #clipped = '';
  /** First day as written, and its new value. */
  #firstWritten: number | undefined;
  #first = 0;

  constructor(window: FilterWindow, decision: Decision) {
    this.#window = window;
    this.#decision = decision;
  }

  /** Returns the element's new text. */
  edit(walker: Walker, text: string, parts: string[]): string {
    const { name } = walker;
    if (HOLDERS.has(name)) this.#forget();
    if (name !== 'FromDate' && name !== 'ToDate' && name !== 'ValidDayBits') return text;
    const holder = walker.parentName;
    if (!HOLDERS.has(holder)) return text;
    const isPeriod = PERIODS.has(holder);
    const lookBack = isPeriod ? this.#decision.lookBackOf(walker.owner) : this.#decision.longestLookBack;
    const earliest = this.#window.from - lookBack;
    if (name === 'FromDate') return this.#editFirst(text, earliest, parts.length);
    return name === 'ToDate' ? this.#editLast(text, earliest, parts) : this.#editBits(text);
  }

  /** `parts` parts have been written out. */
  shift(parts: number): void {
    this.heldPart -= parts;
  }

  #forget(): void {
    this.heldPart = Number.POSITIVE_INFINITY;
    this.#firstWritten = undefined;
  }

  #editFirst(text: string, earliest: number, place: number): string {
    this.#forget();
    const day = parseDay(textOf(text));
    if (day === undefined) return text;
    this.#firstWritten = day;
    this.#first = day;
    if (day >= earliest) return text;
    const clipped = withDay(text, earliest, 'T00:00:00');
    if (clipped === undefined) return text;
    this.#first = earliest;
    this.heldPart = place;
    this.#written = text;
    this.#clipped = clipped;
    return clipped;
  }

  #editLast(text: string, earliest: number, parts: string[]): string {
    const day = parseDay(textOf(text));
    if (day === undefined) return text;
    const { to } = this.#window;
    if (day < earliest) {
      this.#setBack(parts);
      return text;
    }
    if (day <= to || (this.#firstWritten !== undefined && this.#firstWritten > to)) return text;
    return withDay(text, to, 'T23:59:59') ?? text;
  }

  #setBack(parts: string[]): void {
    const part = parts[this.heldPart];
    if (part === undefined) return;
    parts[this.heldPart] = this.#written + part.slice(this.#clipped.length);
    this.#first = this.#firstWritten ?? 0;
    this.heldPart = Number.POSITIVE_INFINITY;
  }

  /** One character for each day from the first on. */
  #editBits(text: string): string {
    if (this.#firstWritten === undefined || this.#first > this.#window.to) return text;
    const bits = textOf(text).trim();
    const skipped = this.#first - this.#firstWritten;
    return bits.slice(skipped, skipped + this.#window.to - this.#first + 1) || '0';
  }
}

/**
 * Writes the day in the text's own date format; undefined when it has neither the form of a date nor of a date-time.
 */
function withDay(text: string, day: number, time: string): string | undefined {
  const match = DATE_AND_TIME.exec(textOf(text).trim());
  if (!match) return undefined;
  return dayText(day) + (match[2] === undefined ? '' : time) + (match[3] ?? '');
}
