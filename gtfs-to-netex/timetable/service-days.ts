/** Computes the days on which services run within the requested period. Callers: the timetable, blocks. */
import type { Service } from '../feed/feed.ts';
import { weekdayBit } from '../feed/values.ts';

export interface Period {
  /** Both inclusive. */
  readonly fromDay: number;
  readonly toDay: number;
}

export interface ServiceDays {
  /** Ascending. */
  readonly days: Int32Array;
  /** The calendar's period, cut to the requested one; empty (to < from) without one. */
  readonly weekdays: number;
  readonly fromDay: number;
  readonly toDay: number;
  /** Days that the calendar lacks. */
  readonly added: readonly number[];
  /** Days that the calendar has. */
  readonly removed: readonly number[];
}

export function daysOfService(service: Service, period: Period): ServiceDays {
  const fromDay = Math.max(service.from, period.fromDay);
  const toDay = Math.min(service.to, period.toDay);
  const isWithin = (day: number): boolean => day >= period.fromDay && day <= period.toDay;
  const isRegular = (day: number): boolean =>
    day >= fromDay && day <= toDay && (service.weekdays & weekdayBit(day)) !== 0;
  const removed = [...service.removed].filter(isRegular).sort((a, b) => a - b);
  const added = [...service.added].filter((day) => isWithin(day) && !isRegular(day) && !service.removed.has(day));
  added.sort((a, b) => a - b);
  const days = [...added];
  for (let day = fromDay; day <= toDay; day++) if (isRegular(day) && !service.removed.has(day)) days.push(day);
  days.sort((a, b) => a - b);
  return { days: Int32Array.from(days), weekdays: service.weekdays, fromDay, toDay, added, removed };
}

/** Days that both lists have. */
export function commonDays(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const common: number[] = [];
  let at = 0;
  for (let index = 0; index < a.length; index++) {
    const day = a[index] as number;
    while (at < b.length && (b[at] as number) < day) at++;
    if (b[at] === day) common.push(day);
  }
  return common;
}
