/**
 * A schedule that the code defines and the server keeps. Callers: workers, at start and every minute, so that a
 * Temporal that has lost its storage gets it back. Operators decide whether it is paused, and may trigger it from the
 * Temporal UI.
 */
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type ScheduleSpec,
  type Workflow,
} from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { TemporalClient } from './temporal.ts';
import type { NamedWorkflow } from './workflow-calls.ts';

export interface ScheduleDefinition {
  /** Also the id of the workflow that it starts. */
  readonly id: string;
  readonly workflow: NamedWorkflow<Workflow>;
  readonly spec: ScheduleSpec;
  /**
   * Also set as a comment in `spec`. The server rewrites the spec, so the comment is compared to see whether the
   * definition changed.
   */
  readonly comment: string;
  /** A start that was due while Temporal was down is repeated within this time. */
  readonly catchupWindow: Duration;
  /** Starts that are due while a run waits or goes on: SKIP drops them, BUFFER_ALL makes up for each. Default SKIP. */
  readonly overlap?: 'SKIP' | 'BUFFER_ALL';
}

/** Creates the schedule, or updates one whose comment differs. */
export async function ensureSchedule(temporal: TemporalClient, schedule: ScheduleDefinition): Promise<void> {
  await temporal.withDeadline(async (client) => {
    try {
      await client.schedule.create({ scheduleId: schedule.id, ...optionsOf(schedule) });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await updateIfChanged(client, schedule);
    }
  });
}

/** Starts the schedule's workflow now, unless it is running. */
export async function triggerSchedule(temporal: TemporalClient, id: string): Promise<void> {
  await temporal.withDeadline((client) => client.schedule.getHandle(id).trigger(ScheduleOverlapPolicy.SKIP));
}

async function updateIfChanged(client: Client, schedule: ScheduleDefinition): Promise<void> {
  const handle = client.schedule.getHandle(schedule.id);
  const { spec } = await handle.describe();
  if (spec.calendars?.some(({ comment }) => comment === schedule.comment)) return;
  await handle.update(({ state }) => ({ ...optionsOf(schedule), state }));
}

function optionsOf({ id, workflow, spec, catchupWindow, overlap = 'SKIP' }: ScheduleDefinition) {
  return {
    spec,
    policies: { overlap: ScheduleOverlapPolicy[overlap], catchupWindow },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflow.type,
      workflowId: id,
      taskQueue: workflow.taskQueue,
      args: [],
    },
  };
}
