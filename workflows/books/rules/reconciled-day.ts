/** The day that a reconciliation is of, and what it has found so far. Pure. */

import { DAY_MS, HOUR_MS } from '../../shared/spans.ts';
import type { Difference } from './difference.ts';

export const HOURS = 24;
/** More are counted, and not told one by one: they have one cause. */
export const MAX_TOLD = 300;

/** `YYYY-MM-DD` in UTC: the day before. Every outcome of it has been noted by now, or is late. */
export function dayBefore(now: Date): string {
  return new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
}

export interface Span {
  readonly from: Date;
  readonly until: Date;
}

export function spanOfDay(day: string): Span {
  const from = new Date(`${day}T00:00:00.000Z`);
  return { from, until: new Date(from.getTime() + DAY_MS) };
}

/** `hour` from 0. */
export function spanOfHour(day: string, hour: number): Span {
  const from = new Date(spanOfDay(day).from.getTime() + hour * HOUR_MS);
  return { from, until: new Date(from.getTime() + HOUR_MS) };
}

export interface Findings {
  /** Movements of providers, and events with money, that were compared. */
  readonly movements: number;
  readonly events: number;
  readonly differences: number;
  /** Of them. */
  readonly mended: number;
  readonly told: readonly Difference[];
}

export const NOTHING_FOUND: Findings = { movements: 0, events: 0, differences: 0, mended: 0, told: [] };

/** Several events of a day lead to one order: its balance counts once. */
export function addFindings(one: Findings, other: Findings): Findings {
  const isTold = ({ kind, orderId }: Difference) =>
    kind === 'ORDER_BALANCE' && one.told.some((each) => each.kind === kind && each.orderId === orderId);
  const told = other.told.filter((each) => !isTold(each));
  return {
    movements: one.movements + other.movements,
    events: one.events + other.events,
    differences: one.differences + other.differences - (other.told.length - told.length),
    mended: one.mended + other.mended,
    told: [...one.told, ...told].slice(0, MAX_TOLD),
  };
}

export function findingsOf(
  counted: { readonly movements?: number; readonly events?: number },
  differences: readonly Difference[],
): Findings {
  const { movements = 0, events = 0 } = counted;
  const mended = differences.filter((each) => each.mended !== undefined).length;
  return { movements, events, differences: differences.length, mended, told: differences.slice(0, MAX_TOLD) };
}
