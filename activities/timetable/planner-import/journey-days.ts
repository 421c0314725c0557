/**
 * The service days of journeys: of their day types, cut to the period that is imported. Callers: the import of a file.
 * Journeys of the same day types get the same array.
 */
import type { Calendar } from '../../../netex/model/calendar.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';

export interface DayBounds {
  readonly fromDay: number;
  readonly toDay: number;
}

/** Thirty megabytes at most. */
const DAYS_KEPT = 4_000_000;

export class JourneyDays {
  readonly #calendar: Calendar;
  readonly #bounds: DayBounds;
  readonly #known = new Map<string, readonly ServiceDay[]>();
  #daysKept = 0;

  constructor(calendar: Calendar, bounds: DayBounds) {
    this.#calendar = calendar;
    this.#bounds = bounds;
  }

  /** Ascending, each once. */
  daysOf(dayTypeRefs: readonly string[]): readonly ServiceDay[] {
    const key = dayTypeRefs.length === 1 ? (dayTypeRefs[0] as string) : [...dayTypeRefs].sort().join('\n');
    let days = this.#known.get(key);
    if (days === undefined) {
      days = this.#join(dayTypeRefs);
      this.#daysKept += days.length;
      if (this.#daysKept > DAYS_KEPT) {
        this.#known.clear();
        this.#daysKept = days.length;
      }
      this.#known.set(key, days);
    }
    return days;
  }

  /** Of an OperatingDay. */
  findDay(operatingDayRef: string): ServiceDay | undefined {
    return this.#calendar.findDay(operatingDayRef) as ServiceDay | undefined;
  }

  isInside(day: number): boolean {
    return day >= this.#bounds.fromDay && day <= this.#bounds.toDay;
  }

  #join(dayTypeRefs: readonly string[]): readonly ServiceDay[] {
    const lists = dayTypeRefs.map((ref) => this.#calendar.daysOf(ref));
    const all =
      lists.length === 1 ? Array.from(lists[0] as Int32Array) : [...new Set(lists.flatMap((list) => [...list]))];
    const inside = all.filter((day) => this.isInside(day));
    return (lists.length === 1 ? inside : inside.sort((a, b) => a - b)) as number[] as ServiceDay[];
  }
}
