/** Counts kept and dropped entities of each kind, by reason. Caller: filterDataset. */
import type { DatasetFacts } from './dataset-facts.ts';
import type { Decision } from './decision.ts';
import type { DropReason, FilterOutcome } from './filter-types.ts';

export interface EntityCounts extends Pick<FilterOutcome, 'kept' | 'dropped'> {
  /** Kept journeys, dated journeys and dead runs. */
  readonly runs: number;
}

const RUNNING: ReadonlySet<string | undefined> = new Set(['journey', 'dated', 'dead-run']);

export function countEntities(facts: DatasetFacts, decision: Decision): EntityCounts {
  const kept = new Map<string, number>();
  const dropped = new Map<string, Map<DropReason, number>>();
  let runs = 0;
  for (let entity = 0; entity < facts.size; entity++) {
    const kind = facts.kindOf(entity);
    if (kind === '') continue;
    if (decision.isKept(entity)) {
      addOne(kept, kind);
      if (RUNNING.has(facts.roleOf(entity))) runs++;
      continue;
    }
    const reasons = dropped.get(kind) ?? new Map<DropReason, number>();
    dropped.set(kind, reasons);
    addOne(reasons, decision.reasonFor(entity));
  }
  return {
    runs,
    kept: byName(kept),
    dropped: byName(new Map([...dropped].map(([kind, reasons]) => [kind, byName(reasons)]))),
  };
}

function addOne<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function byName<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
