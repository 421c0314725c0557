/**
 * The step PLANNER_BUILD of an import. It asks for a build and waits until a snapshot with this version, or a newer
 * one, is in use. Caller: `datasetImport`, after the publication. Never waits for ever and never takes the publication
 * back.
 */
import { condition, setHandler } from '@temporalio/workflow';
import type { StepLeftUndone } from './activities.ts';
import { plannerStep, records } from './activity-proxies.ts';
import { type DatasetImportInput, plannerBuiltSignal } from './messages.ts';
import { PLANNER_FAILED, PLANNER_LATE, WITHDRAWN_BEFORE_PLANNED } from './rules/import-failure.ts';
import { PLANNER_WAIT_MS, pauseBeforeNextLook } from './rules/planner-wait.ts';

/** Input of the step from the import around it. */
export interface PlannerStepRun {
  /** Enters the step; false when the import has ended. */
  readonly begin: () => Promise<boolean>;
  /** Calls a record of the step in its turn. */
  readonly record: <T>(call: () => Promise<T>) => Promise<T>;
}

/** Answers why the step is left undone; undefined when it is done, or there is no planner. */
export async function followPlannerBuild(
  input: DatasetImportInput,
  { begin, record }: PlannerStepRun,
): Promise<StepLeftUndone | undefined> {
  let woken = false;
  setHandler(plannerBuiltSignal, () => {
    woken = true;
  });
  if ((await record(() => plannerStep.requestPlannerBuild(input))) === 'OFF') return undefined;
  if (!(await begin())) return WITHDRAWN_BEFORE_PLANNED;
  const until = Date.now() + PLANNER_WAIT_MS;
  for (let looks = 0; ; looks++) {
    woken = false;
    const found = await record(() => plannerStep.checkPlannerBuild(input));
    if (found.state === 'BUILT') {
      const { build, snapshotId } = found;
      await record(() => records.finishStep(input, 'PLANNER_BUILD', { details: { build, snapshotId } }));
      return undefined;
    }
    if (found.state === 'FAILED') return PLANNER_FAILED;
    if (found.state === 'WITHDRAWN') return WITHDRAWN_BEFORE_PLANNED;
    if (Date.now() >= until) return PLANNER_LATE;
    await condition(() => woken, pauseBeforeNextLook(looks));
  }
}
