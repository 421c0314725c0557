/**
 * Limits the selections of a request's filters. Each selection is compared with every journey or pattern, and variables
 * may bring thousands past the query guards. Callers: boards and trips.
 */
import { badInput } from './user-input.ts';

export const MAXIMUM_SELECTIONS = 200;

interface Filter {
  readonly select?: readonly unknown[] | null | undefined;
  readonly not?: readonly unknown[] | null | undefined;
}

export function checkFilters(filters: readonly (Filter | null)[] | null | undefined): void {
  let count = 0;
  for (const filter of filters ?? []) count += 1 + (filter?.select?.length ?? 0) + (filter?.not?.length ?? 0);
  if (count <= MAXIMUM_SELECTIONS) return;
  throw badInput(`filters may have at most ${MAXIMUM_SELECTIONS} members and selections together.`);
}
