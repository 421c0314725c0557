/**
 * What may not stay, whoever refers to it: in the public dataset what is restricted or a vehicle schedule, in both what is
 * of an unknown kind. Caller: the decision.
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

/** Of a value that `findBarred` gives; undefined for 0. */
export function barReason(bar: number): DropReason | undefined {
  return REASONS[bar - 1];
}

/** By entity; 0 is what may stay. What needs a restricted entity is restricted; a reference to what is unknown is cut instead. */
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
  // What needs both is restricted, in whatever order they stand.
  propagate(RESTRICTED_BAR, barred, (entity, bar) => {
    dependents.of(entity).forEach(bar);
    // A stop or day type without one of its assignments would be another: it is as restricted as they are.
    if (!isAssignment(facts, entity)) return;
    references.forEach(entity, (target, role) => {
      if (role === ANCHOR || role === ASSIGNED_DAY_TYPE) bar(target);
    });
  });
  propagate(SCHEDULE_BAR, barred, (entity, bar) => dependents.of(entity).forEach(bar));
  return barred;
}

/** By entity: what needs it, and what lies in it. */
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

/** From all that have the bar to all that `reach` finds from these, each once. */
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
