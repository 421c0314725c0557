/**
 * Starts and signals `plannerBuild`. Callers: the step PLANNER_BUILD of imports and the handlers of withdrawals, after
 * the published versions have changed. The planner worker's sweep calls it for changes whose signal a crash has
 * prevented.
 */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { signalWithStart, startWorkflow, type WorkflowStart } from '../../platform/temporal/workflow-calls.ts';
import { changedSignal, PLANNER_BUILD_WORKFLOW_ID, plannerBuildWorkflow } from '../../workflows/timetable/messages.ts';

const START: WorkflowStart<() => Promise<unknown>> = { workflowId: PLANNER_BUILD_WORKFLOW_ID, args: [] };

/** Safe to repeat: without changes nothing is built. */
export async function signalPlannerBuild(temporal: TemporalClient): Promise<void> {
  await signalWithStart(temporal, plannerBuildWorkflow, START, changedSignal);
}

/** A running build continues: it checks for changes itself, and so does the next sweep. */
export async function startPlannerBuild(temporal: TemporalClient): Promise<void> {
  await startWorkflow(temporal, plannerBuildWorkflow, START);
}
