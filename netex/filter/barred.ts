/**
 * What may not stay, whoever refers to it: in the public dataset what is restricted or a vehicle schedule, in both what is
 * of an unknown kind. Caller: the decision.
 */
import { type DatasetFacts, RESTRICTED, UNKNOWN } from './dataset-facts.ts';
import type { DropReason, FilterMode } from './filter-types.ts';
import { ANCHOR, ASSIGNED_DAY_TYPE, takesAlong } from './reference-roles.ts';
import type { References } from './references.ts';

const REASONS: readonly DropReason[] = ['restricted', 'vehicle-schedule', 'unknown-kind'];
const RESTRICTED_BAR = 1;
const SCHEDULE_BAR = 2;
const UNKNOWN_BAR = 3;

/** Of a value that `findBarred` gives; undefined for 0. */
export function barReason(bar: number): DropReason | undefined {
  return REASONS[bar - 1];
}

/** By entity; 0 is what may stay. What needs a restricted entity is restricted; a reference to what is unknown is cut instead. */
export function findBarred(facts: DatasetFacts, references: References, mode: FilterMode): Uint8Array {
  const barred = new Uint8Array(facts.size);
  for (let entity = 0; entity < facts.size; entity++) {
    const role = facts.roleOf(entity);
    if (facts.flags.at(entity) & RESTRICTED) barred[entity] = RESTRICTED_BAR;
    else if (facts.flags.at(entity) & UNKNOWN) barred[entity] = UNKNOWN_BAR;
    else if (mode === 'public' && (role === 'dead-run' || role === 'block')) barred[entity] = SCHEDULE_BAR;
  }
  if (mode === 'private') return barred;
  for (let changed = true; changed; ) {
    changed = barAssigned(facts, references, barred);
    for (let entity = 0; entity < facts.size; entity++) {
      if (barred[entity] !== 0) continue;
      const bar = barOfOthers(entity, facts, references, barred);
      if (bar === 0) continue;
      barred[entity] = bar;
      changed = true;
    }
  }
  return barred;
}

function barOfOthers(entity: number, facts: DatasetFacts, references: References, barred: Uint8Array): number {
  if (barred[facts.outer.at(entity)] === RESTRICTED_BAR) return RESTRICTED_BAR;
  let bar = 0;
  references.some(entity, (target, role) => {
    const other = barred[target] as number;
    if (takesAlong(role) && (other === RESTRICTED_BAR || other === SCHEDULE_BAR)) bar = other;
    return bar !== 0;
  });
  return bar;
}

/** A stop or day type without one of its assignments would be another: it is as restricted as they are. */
function barAssigned(facts: DatasetFacts, references: References, barred: Uint8Array): boolean {
  let changed = false;
  for (let entity = 0; entity < facts.size; entity++) {
    if (barred[entity] !== RESTRICTED_BAR || !isAssignment(facts, entity)) continue;
    references.forEach(entity, (target, role) => {
      if ((role !== ANCHOR && role !== ASSIGNED_DAY_TYPE) || barred[target] !== 0) return;
      barred[target] = RESTRICTED_BAR;
      changed = true;
    });
  }
  return changed;
}

function isAssignment(facts: DatasetFacts, entity: number): boolean {
  const role = facts.roleOf(entity);
  return role === 'assignment' || (role === 'satellite' && facts.kindOf(entity).endsWith('StopAssignment'));
}
