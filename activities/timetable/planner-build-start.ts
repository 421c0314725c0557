/**
 * Tells `plannerBuild` that what is published has changed. Callers: the step PLANNER_BUILD of imports, the handlers of
 * withdrawals; `startPlannerBuild`: the sweep of the planner worker, for what a crash kept anyone from telling.
 */
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { CHANGED_SIGNAL, PLANNER_BUILD_QUEUE, PLANNER_BUILD_WORKFLOW_ID } from '../../workflows/timetable/messages.ts';

const OPTIONS = {
  taskQueue: PLANNER_BUILD_QUEUE,
  workflowId: PLANNER_BUILD_WORKFLOW_ID,
  workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
  workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  args: [],
} as const;

/** Safe to repeat: a build that finds nothing changed builds nothing. */
export async function signalPlannerBuild(temporal: TemporalClient): Promise<void> {
  await temporal.withDeadline((client) =>
    client.workflow.signalWithStart('plannerBuild', { ...OPTIONS, signal: CHANGED_SIGNAL, signalArgs: [] }),
  );
}

/** One that runs is left alone: it looks by itself, and the next sweep looks again. */
export async function startPlannerBuild(temporal: TemporalClient): Promise<void> {
  await temporal.withDeadline((client) => client.workflow.start('plannerBuild', OPTIONS));
}
