/** Resolves TimeAndDayOffset: a clock time of the service day, and the number of days after it. */
import type { Fields, TypeResolvers } from './fields.ts';
import { formatClock } from './zone-time.ts';

export interface TimeAndDayOffset {
  readonly time: string;
  readonly dayOffset: number;
}

/** Converts seconds since the start of the service day. */
export function dayOffsetOf(seconds: number): TimeAndDayOffset {
  const dayOffset = Math.floor(seconds / 86_400);
  return { time: formatClock(seconds - dayOffset * 86_400), dayOffset };
}

const fields: Fields<TimeAndDayOffset> = {
  time: ({ time }) => time,
  dayOffset: ({ dayOffset }) => dayOffset,
};

export const timeAndDayOffset: TypeResolvers = { fields };
