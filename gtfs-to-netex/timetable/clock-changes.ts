/**
 * Journeys on days on which the clock changes. GTFS counts times from noon less twelve hours, NeTEx has clock times. So
 * on the other side of a change than noon, a trip leaves an hour earlier or later by the clock than on other days: those
 * days become a journey of their own. Callers: the timetable plans it, the XML of journeys and the calendar write it.
 */
import type { ChangeLog } from '../feed/change-log.ts';
import { clockOf, type ZoneClock } from '../feed/instant.ts';
import type { IdNames } from './id-names.ts';
import type { ServiceDays } from './service-days.ts';
import type { CalendarEntry, JourneyVersion } from './timetable.ts';

const DAY_SECONDS = 86_400;
/** Trips begin at most this many days after their service day. */
const MOST_DAYS = 3;

/** Days with the same shift, in the order of the calendar. */
interface ShiftedDays {
  readonly seconds: number;
  readonly days: number[];
}

export class ClockChanges {
  /** Day types of parts of services, by service and days. */
  readonly #entries = new Map<string, CalendarEntry>();
  /** Numbers of parts, by service. */
  readonly #parts = new Map<string, number>();
  readonly #clocks = new Map<string, ZoneClock>();
  /** Days near a change, by time zone and service. */
  readonly #nights = new Map<string, readonly number[]>();
  readonly #names: IdNames;
  readonly #changes: ChangeLog;

  /** @param names of day types, which has those of all services */
  constructor(names: IdNames, changes: ChangeLog) {
    this.#names = names;
    this.#changes = changes;
  }

  get entries(): readonly CalendarEntry[] {
    return [...this.#entries.values()];
  }

  /** @param firstDeparture seconds of the service day */
  versionsOf(entry: CalendarEntry, timeZone: string, firstDeparture: number): readonly JourneyVersion[] {
    const usual = { dayType: entry.key, suffix: '', shift: 0 };
    const nights = this.#nightsOf(entry, timeZone);
    if (nights.length === 0) return [usual];
    const shifted = this.#shiftedDays(nights, timeZone, firstDeparture);
    if (shifted.length === 0) return [usual];
    const away = new Set(shifted.flatMap(({ days }) => days));
    const left = entry.days.days.some((day) => !away.has(day));
    const first = left ? [{ ...usual, dayType: this.#without(entry, away) }] : [];
    const others = shifted.map(({ seconds, days }, index) => ({
      dayType: this.#only(entry, days, seconds),
      suffix: left || index > 0 ? suffixOf(seconds) : '',
      shift: seconds,
    }));
    return [...first, ...others];
  }

  #shiftedDays(nights: readonly number[], timeZone: string, firstDeparture: number): readonly ShiftedDays[] {
    const clock = this.#clockOf(timeZone);
    const bySeconds = new Map<number, ShiftedDays>();
    for (const day of nights) {
      const ahead =
        clock.aheadAt(clock.dayStart(day) + firstDeparture) - clock.aheadAt(clock.dayStart(day) + DAY_SECONDS / 2);
      const shown = firstDeparture + ahead;
      if (clock.runStart(day, shown) + shown !== clock.dayStart(day) + firstDeparture)
        this.#changes.note('journeys that begin when the clock shows an hour again: begin when it shows it first');
      if (ahead === 0) continue;
      // A time before midnight belongs to the service day before, since day offsets are never negative.
      const seconds = shown < 0 ? ahead + DAY_SECONDS : ahead;
      const known = bySeconds.get(seconds) ?? { seconds, days: [] };
      bySeconds.set(seconds, known);
      known.days.push(day);
    }
    return [...bySeconds.values()];
  }

  #nightsOf({ key, days }: CalendarEntry, timeZone: string): readonly number[] {
    const name = `${timeZone} ${key}`;
    const known = this.#nights.get(name);
    if (known !== undefined) return known;
    const clock = this.#clockOf(timeZone);
    const nights = [...days.days].filter((day) => {
      const noons = Array.from(
        { length: MOST_DAYS + 2 },
        (_, after) => clock.dayStart(day + after - 1) - after * DAY_SECONDS,
      );
      return noons.some((noon) => noon !== noons[0]);
    });
    this.#nights.set(name, nights);
    return nights;
  }

  #clockOf(timeZone: string): ZoneClock {
    const clock = this.#clocks.get(timeZone) ?? clockOf(timeZone);
    this.#clocks.set(timeZone, clock);
    return clock;
  }

  #without(entry: CalendarEntry, away: ReadonlySet<number>): string {
    const { days } = entry;
    const added = days.added.filter((day) => !away.has(day));
    const removed = [...days.removed, ...[...away].filter((day) => !days.added.includes(day))].sort((a, b) => a - b);
    const left = days.days.filter((day) => !away.has(day));
    return this.#keep(entry, `without-${[...away].sort((a, b) => a - b).join('-')}`, {
      ...days,
      days: left,
      added,
      removed,
    });
  }

  #only(entry: CalendarEntry, shiftedDays: readonly number[], seconds: number): string {
    const days = shiftedDays.map((day) => (seconds > DAY_SECONDS / 2 ? day - 1 : day));
    const part = { days: Int32Array.from(days), weekdays: 0, fromDay: 0, toDay: -1, added: days, removed: [] };
    return this.#keep(entry, `only-${days.join('-')}`, part);
  }

  #keep(entry: CalendarEntry, part: string, days: ServiceDays): string {
    const name = `${entry.key} ${part}`;
    const known = this.#entries.get(name);
    if (known !== undefined) return known.key;
    const number = (this.#parts.get(entry.key) ?? 0) + 1;
    this.#parts.set(entry.key, number);
    const key = this.#names.take(`${entry.key}-nights-${number}`);
    this.#entries.set(name, { key, serviceId: entry.serviceId, days });
    return key;
  }
}

function suffixOf(seconds: number): string {
  return seconds > 0 && seconds < DAY_SECONDS / 2 ? '-later' : '-earlier';
}
