/** The limit of every list of differences, and their order. Callers: the parts of the comparison. */
import type { Listed } from './differences.ts';

/** More than anyone reads, and some 100 kB. */
export const MOST_LISTED = 500;

export function listed<T>(all: readonly T[]): Listed<T> {
  return { total: all.length, items: all.slice(0, MOST_LISTED) };
}

/** Largest first, then by id. */
export function bySize<T extends { readonly lineId: string }>(sizeOf: (item: T) => number): (a: T, b: T) => number {
  return (a, b) => sizeOf(b) - sizeOf(a) || byText(a.lineId, b.lineId);
}

export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
