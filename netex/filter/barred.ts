/**
 * Finds entities that must be dropped whatever refers to them. Public mode drops restricted entities and vehicle
 * schedules; both modes drop unknown kinds. Caller: the decision.
 */
import { groupNumbers, ListTable } from '../packed/list-table.ts';
import { type DatasetFacts, RESTRICTED, UNKNOWN } from './dataset-facts.ts';
import type { DropReason, FilterMode } from './filter-types.ts';
import { ANCHOR, ASSIGNED_DAY_TYPE, takesAlong } from './reference-roles.ts';
import type { References } from './references.ts';

const REASONS: readonly DropReason[] = ['restricted', 'vehicle-schedule', 'unknown-kind'];
const RESTRICTED_BAR = 1;
const SCHEDULE_BAR = 2;
const UNKNOWN_BAR = 3;

/** Reason for a value of `findBarred`; undefined for 0. */
export function barReason(bar: number): DropReason | undefined {
  return REASONS[bar - 1];
}

/**
 * By entity; 0 may stay. Entities that need a restricted one are restricted; references to unknown kinds are cut
 * instead.
 */
export function findBarred(facts: DatasetFacts, references: References, mode: FilterMode): Uint8Array {
  const barred = new Uint8Array(facts.size);
  for (let entity = 0; entity < facts.size; entity++) {
    const role = facts.roleOf(entity);
    if (facts.flags.get(entity) & RESTRICTED) barred[entity] = RESTRICTED_BAR;
    else if (facts.flags.get(entity) & UNKNOWN) barred[entity] = UNKNOWN_BAR;
    else if (mode === 'public' && (role === 'dead-run' || role === 'block')) barred[entity] = SCHEDULE_BAR;
  }
  if (mode === 'private') return barred;
  const dependents = dependentsOf(facts);
  // Restricted entities first: an entity that needs both a restricted one and a vehicle schedule counts as
  // restricted.
  propagate(RESTRICTED_BAR, barred, (entity, bar) => {
    dependents.of(entity).forEach(bar);
    // Without one of its assignments, a stop or day type would have another meaning. So it is as restricted as they
    // are.
    if (!isAssignment(facts, entity)) return;
    references.forEach(entity, (target, role) => {
      if (role === ANCHOR || role === ASSIGNED_DAY_TYPE) bar(target);
    });
  });
  propagate(SCHEDULE_BAR, barred, (entity, bar) => dependents.of(entity).forEach(bar));
  return barred;
}

/** By entity: the entities that need it, and its content. */
function dependentsOf(facts: DatasetFacts): ListTable {
  const { source, target, role, outer, size } = facts;
  const [starts, values] = groupNumbers(size, (visit) => {
    for (let reference = 0; reference < source.length; reference++) {
      if (target.get(reference) >= 0 && takesAlong(role.get(reference)))
        visit(target.get(reference), source.get(reference));
    }
    for (let entity = 0; entity < size; entity++) visit(outer.get(entity), entity);
  });
  return new ListTable(starts, values);
}

/** Sets the bar on all entities that `reach` finds from those that have it, once each. */
function propagate(
  bar: number,
  barred: Uint8Array,
  reach: (entity: number, visit: (entity: number) => void) => void,
): void {
  const open: number[] = [];
  const visit = (entity: number): void => {
    if (barred[entity] !== 0) return;
    barred[entity] = bar;
    open.push(entity);
  };
  barred.forEach((value, entity) => {
    if (value === bar) open.push(entity);
  });
  for (let entity = open.pop(); entity !== undefined; entity = open.pop()) reach(entity, visit);
}

function isAssignment(facts: DatasetFacts, entity: number): boolean {
  const role = facts.roleOf(entity);
  return role === 'assignment' || (role === 'satellite' && facts.kindOf(entity).endsWith('StopAssignment'));
}
