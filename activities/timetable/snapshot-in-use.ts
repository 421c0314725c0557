/**
 * Whether the planner's snapshot in use was built from the datasets that are published now. Callers: the plan of a build, the
 * sweep. Only reads.
 */
import type { PlannerBuildStore } from './planner-build-store.ts';
import type { PlannerInput, PlannerInputStore } from './planner-input.ts';

export async function isSnapshotCurrent(
  inputs: Pick<PlannerInputStore, 'areVisible'>,
  builds: PlannerBuildStore,
  input: PlannerInput,
): Promise<boolean> {
  if (!(await builds.isInUse(input))) return false;
  // The input lists latest versions only. An older version that replaced an unreadable one must be visible, too.
  return await inputs.areVisible(await builds.listTakenInstead());
}
