/**
 * The service days of journeys from their day types, cut to the imported period. Callers: the import of a file.
 * Journeys of the same day types get the same array.
 */
import type { ValidDays } from '../../../netex/entities/entity-types.ts';
import { isValid } from '../../../netex/entities/validity.ts';
import type { Calendar } from '../../../netex/model/calendar.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';

export interface DayBounds {
  readonly fromDay: number;
  readonly toDay: number;
}

/** At most thirty megabytes. */
const DAYS_KEPT = 4_000_000;

function areSame(one: ValidDays | undefined, other: ValidDays): boolean {
  if (one === other || one === undefined) return one === other;
  return (
    one.length === other.length &&
    one.every(({ first, last }, at) => first === other[at]?.first && last === other[at]?.last)
  );
}

export class JourneyDays {
  readonly #calendar: Calendar;
  readonly #bounds: DayBounds;
  readonly #known = new Map<string, readonly ServiceDay[]>();
  #daysKept = 0;
  /** The last cut of each array. */
  readonly #cuts = new WeakMap<readonly ServiceDay[], { validity: ValidDays; days: readonly ServiceDay[] }>();

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

  /** The day of an OperatingDay. */
  findDay(operatingDayRef: string): ServiceDay | undefined {
    return this.#calendar.findDay(operatingDayRef) as ServiceDay | undefined;
  }

  /** The same array when all days are valid; a repeated cut answers the same array as before. */
  within(days: readonly ServiceDay[], validity: ValidDays | undefined): readonly ServiceDay[] {
    const [first, last] = [days[0], days.at(-1)];
    if (validity === undefined || first === undefined || last === undefined) return days;
    if (validity.some((period) => first >= period.first && last <= period.last)) return days;
    const known = this.#cuts.get(days);
    if (known && areSame(known.validity, validity)) return known.days;
    const cut = days.filter((day) => isValid(validity, day));
    this.#cuts.set(days, { validity, days: cut });
    return cut;
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
