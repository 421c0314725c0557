/**
 * Whether the planner's snapshot in use is of what is published. Callers: whoever decides about a build, the plan of one and the
 * sweep. Reads alone.
 */
import type { PlannerBuildStore } from './planner-build-store.ts';
import type { PlannerInput, PlannerInputStore } from './planner-input.ts';

export async function isSnapshotCurrent(
  inputs: Pick<PlannerInputStore, 'areVisible'>,
  builds: PlannerBuildStore,
  input: PlannerInput,
): Promise<boolean> {
  if (!(await builds.isInUse(input))) return false;
  // Older versions stand in no input; withdrawn ones must go all the same.
  return await inputs.areVisible(await builds.listTakenInstead());
}
