/**
 * Computes the days on which day types are in force, from the facts of the file and of the common files together.
 *
 * Callers: the model and the rules over it. Days are computed on demand and kept while the file is validated.
 */
import { EVERY_WEEKDAY, FIRST_DAY, LAST_DAY, weekdayOf } from './calendar-day.ts';
import type { TimetableFacts } from './facts.ts';
import { UNKNOWN } from './packed-facts.ts';

/** A DayTypeAssignment; a single day is a period of that day. */
interface DayTypeAssignment {
  readonly fromDay: number;
  readonly toDay: number;
  /** Bit 0 is Monday; all bits for a single day. */
  readonly weekdays: number;
  /** One character for each day from the first on, `0` for days that do not run; for UIC periods. */
  readonly dayBits: string | undefined;
  readonly isAvailable: boolean;
}

/** Limit of the cache; sixteen megabytes. */
const DAYS_KEPT = 4_000_000;
const NO_DAYS = new Int32Array(0);

export class Calendar {
  readonly #facts: readonly TimetableFacts[];
  readonly #days = new Map<string, Int32Array>();
  #daysKept = 0;

  /** When several facts define the same element, the first wins. */
  constructor(facts: readonly TimetableFacts[]) {
    this.#facts = facts;
  }

  /**
   * The days on which a day type is in force, ascending, without repetition. Empty when nothing assigns days to it.
   */
  daysOf(dayTypeRef: string): Int32Array {
    let days = this.#days.get(dayTypeRef);
    if (days === undefined) {
      days = daysOfAssignments(this.#assignmentsOf(dayTypeRef));
      this.#daysKept += days.length;
      if (this.#daysKept > DAYS_KEPT) {
        this.#days.clear();
        this.#daysKept = days.length;
      }
      this.#days.set(dayTypeRef, days);
    }
    return days;
  }

  /** Date of an OperatingDay, counted from 1970-01-01. */
  findDay(operatingDayRef: string): number | undefined {
    for (const { packed } of this.#facts) {
      const row = packed.findRow('operatingDays', operatingDayRef);
      if (row >= 0) return packed.rows('operatingDays').words[row * 2 + 1];
    }
    return undefined;
  }

  /** Assignments with a day or a complete period that can be resolved. */
  #assignmentsOf(dayTypeRef: string): DayTypeAssignment[] {
    const found: DayTypeAssignment[] = [];
    const weekdays = this.#weekdaysOf(dayTypeRef);
    // Repeated assignments to one period count once, however many there are.
    const periods = new Set<string>();
    for (const { packed } of this.#facts) {
      const { words, width, size } = packed.rows('dayAssignments');
      const first = packed.findRow('dayAssignments', dayTypeRef);
      for (let at = first * width; at >= 0 && at < size * width && words[at] === words[first * width]; at += width) {
        const isAvailable = words[at + 4] === 1;
        const date = known(words[at + 1]) ?? this.#dayOfName(packed.text(words[at + 2] as number));
        const periodRef = packed.text(words[at + 3] as number);
        if (date !== undefined) {
          found.push({ fromDay: date, toDay: date, weekdays: EVERY_WEEKDAY, dayBits: undefined, isAvailable });
        } else if (periodRef !== undefined && !periods.has(`${isAvailable} ${periodRef}`)) {
          periods.add(`${isAvailable} ${periodRef}`);
          const period = this.#findPeriod(periodRef);
          if (period) found.push({ ...period, weekdays, isAvailable });
        }
      }
    }
    return found;
  }

  #weekdaysOf(dayTypeRef: string): number {
    for (const { packed } of this.#facts) {
      const row = packed.findRow('dayTypes', dayTypeRef);
      if (row >= 0) return packed.rows('dayTypes').words[row * 2 + 1] ?? EVERY_WEEKDAY;
    }
    return EVERY_WEEKDAY;
  }

  #dayOfName(operatingDayRef: string | undefined): number | undefined {
    return operatingDayRef === undefined ? undefined : this.findDay(operatingDayRef);
  }

  #findPeriod(ref: string): Pick<DayTypeAssignment, 'fromDay' | 'toDay' | 'dayBits'> | undefined {
    for (const { packed } of this.#facts) {
      const row = packed.findRow('periods', ref);
      if (row < 0) continue;
      const { words, width } = packed.rows('periods');
      const word = (column: number): number => words[row * width + column] as number;
      const fromDay = known(word(1)) ?? this.#dayOfName(packed.text(word(3)));
      const toDay = known(word(2)) ?? this.#dayOfName(packed.text(word(4)));
      if (fromDay === undefined || toDay === undefined) return undefined;
      return { fromDay, toDay, dayBits: packed.text(word(5)) };
    }
    return undefined;
  }
}

function known(value: number | undefined): number | undefined {
  return value === UNKNOWN ? undefined : value;
}

/** An excluding assignment wins over all others. */
function daysOfAssignments(assignments: readonly DayTypeAssignment[]): Int32Array {
  const included = assignments.filter(({ isAvailable }) => isAvailable);
  let first = LAST_DAY + 1;
  let last = FIRST_DAY - 1;
  for (const { fromDay, toDay } of included) {
    if (fromDay > toDay) continue;
    first = Math.min(first, Math.max(fromDay, FIRST_DAY));
    last = Math.max(last, Math.min(toDay, LAST_DAY));
  }
  if (first > last) return NO_DAYS;
  const runs = new Uint8Array(last - first + 1);
  for (const assignment of included) mark(runs, first, assignment, 1);
  for (const assignment of assignments) if (!assignment.isAvailable) mark(runs, first, assignment, 0);
  const days = new Int32Array(runs.reduce((sum, run) => sum + run, 0));
  let count = 0;
  for (let day = 0; day < runs.length; day++) if (runs[day] === 1) days[count++] = first + day;
  return days;
}

function mark(runs: Uint8Array, first: number, assignment: DayTypeAssignment, value: 0 | 1): void {
  const { fromDay, toDay, weekdays, dayBits } = assignment;
  // A day without a bit does not belong to the period.
  const lastDay = dayBits === undefined ? toDay : Math.min(toDay, fromDay + dayBits.length - 1);
  const last = Math.min(lastDay, first + runs.length - 1);
  if (weekdays === EVERY_WEEKDAY && dayBits === undefined) {
    runs.fill(value, Math.max(fromDay, first) - first, Math.max(last + 1 - first, 0));
    return;
  }
  for (let day = Math.max(fromDay, first); day <= last; day++) {
    const onWeekday = weekdays === EVERY_WEEKDAY || ((weekdays >> weekdayOf(day)) & 1) === 1;
    if (onWeekday && dayBits?.[day - fromDay] !== '0') runs[day - first] = value;
  }
}
