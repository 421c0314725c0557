/**
 * Determines the days that a snapshot covers. They are the requested ones, but at most eleven years, since every set of
 * days costs a bit for each day. Only wrong data covers more, such as a period that ends in 9999. Then the days around
 * the middle of all service are kept.
 */
import type { ServiceDay } from '../model/indices.ts';
import type { SnapshotOptions } from './input.ts';
import type { PackedInput } from './packed-input.ts';

const MOST_DAYS = 4018;

export type ServicePeriod = Pick<SnapshotOptions, 'fromDay' | 'toDay'>;

export function servicePeriod(input: PackedInput, options: SnapshotOptions): ServicePeriod {
  const counts = journeysByDay(input, options);
  const days = [...counts.keys()].sort((one, other) => one - other);
  const [first = 0, last = first] = [days[0], days.at(-1)];
  if (last - first < MOST_DAYS) return options;
  const middle = middleOf(days, counts);
  const fromDay = Math.max(first, middle - (MOST_DAYS >> 1)) as ServiceDay;
  const toDay = (fromDay + MOST_DAYS - 1) as ServiceDay;
  for (const day of days)
    if (!isWithin(day, { fromDay, toDay })) input.rejections.add('serviceDay', 'years from all other', dateOf(day));
  return { fromDay, toDay };
}

export function isWithin(day: number, period: ServicePeriod): boolean {
  return day >= (period.fromDay ?? Number.NEGATIVE_INFINITY) && day <= (period.toDay ?? Number.POSITIVE_INFINITY);
}

function journeysByDay(input: PackedInput, options: SnapshotOptions): Map<number, number> {
  const journeys = new Float64Array(input.daySets.count);
  for (const set of input.journeyDays.view()) journeys[set] = (journeys[set] ?? 0) + 1;
  const counts = new Map<number, number>();
  for (let set = 0; set < journeys.length; set++) {
    for (const day of input.daySets.days(set)) {
      if (isWithin(day, options)) counts.set(day, (counts.get(day) ?? 0) + (journeys[set] ?? 0));
    }
  }
  return counts;
}

/** Returns the day by which half of all service has run. */
function middleOf(days: readonly number[], counts: ReadonlyMap<number, number>): number {
  const total = days.reduce((sum, day) => sum + (counts.get(day) ?? 0), 0);
  let sum = 0;
  for (const day of days) {
    sum += counts.get(day) ?? 0;
    if (sum * 2 >= total) return day;
  }
  return days.at(-1) ?? 0;
}

function dateOf(day: number): string {
  const date = new Date(day * 86_400_000);
  return Number.isNaN(date.getTime()) ? String(day) : date.toISOString().slice(0, 10);
}
