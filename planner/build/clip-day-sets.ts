/**
 * Numbers the day sets of the journeys that the snapshot keeps, in order of their first use. Days outside the period
 * are dropped, and equal sets become one.
 */

import { GrowingInt32 } from '../model/growing-array.ts';
import type { ServiceDay } from '../model/indices.ts';
import type { Numbering } from './numbering.ts';
import type { PackedInput } from './packed-input.ts';
import { isWithin, type ServicePeriod } from './service-period.ts';

export interface ClippedDaySets {
  readonly journeyDays: Int32Array;
  readonly firstDay: ServiceDay;
  readonly dayCount: number;
  readonly daySetCount: number;
  readonly daySetDaysStart: Int32Array;
  readonly daySetDays: Int32Array;
}

export function clipDaySets(input: PackedInput, journey: Numbering, period: ServicePeriod): ClippedDaySets {
  const clipped = new Int32Array(input.daySets.count).fill(-1);
  const byKey = new Map<string, number>();
  const days = new GrowingInt32();
  const starts = [0];
  const journeyDays = journey.order.map((row) => {
    const set = input.journeyDays.at(row);
    if (clipped[set] === -1) clipped[set] = keep(input.daySets.days(set).filter((day) => isWithin(day, period)));
    return clipped[set] ?? 0;
  });

  function keep(kept: Int32Array): number {
    const key = kept.join();
    const known = byKey.get(key);
    if (known !== undefined) return known;
    days.pushAll([...kept]);
    starts.push(days.length);
    byKey.set(key, starts.length - 2);
    return starts.length - 2;
  }

  const daySetDays = days.view().slice();
  const first = daySetDays.reduce((least, day) => Math.min(least, day), Number.POSITIVE_INFINITY);
  const last = daySetDays.reduce((most, day) => Math.max(most, day), Number.NEGATIVE_INFINITY);
  return {
    journeyDays,
    firstDay: (daySetDays.length === 0 ? 0 : first) as ServiceDay,
    dayCount: daySetDays.length === 0 ? 0 : last - first + 1,
    daySetCount: starts.length - 1,
    daySetDaysStart: Int32Array.from(starts),
    daySetDays,
  };
}
