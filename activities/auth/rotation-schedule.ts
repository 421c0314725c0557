/**
 * The schedule `signing-key-rotation`, and how an operator starts a rotation between two of its turns.
 *
 * Callers: the worker `operations`, at its start and now and then; `npm run rotate-keys`. Creates the schedule or sets right
 * what differs from the configuration; whether it is paused is left to the operators.
 */
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import { z } from 'zod';
import { fields } from '../../platform/config.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { OPERATIONS_QUEUE, type SigningKeyRotationInput } from '../../workflows/auth/messages.ts';

export const ROTATION_SCHEDULE_ID = 'signing-key-rotation';
const WITHDRAWAL_ID = 'signing-key-withdrawal';
const WORKFLOW = 'signingKeyRotation';

/** Numbers, names of months and days, `*`, lists, ranges and steps. */
const CRON = /^[\d*,/\-a-z]+( [\d*,/\-a-z]+){4}$/i;

export const rotationShape = {
  TIME_ZONE: fields.timeZone.default('Europe/Oslo'),
  /** Minute, hour, day of the month, month, day of the week. */
  KEY_ROTATION_SCHEDULE: z.string().trim().regex(CRON, 'must be five fields of cron').default('0 4 1 * *'),
};

export interface RotationTimes {
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** A rotation that was due while Temporal was down is made up for. */
const CATCH_UP = '7d';

export async function ensureRotationSchedule(temporal: TemporalClient, times: RotationTimes): Promise<void> {
  await temporal.withDeadline(async (client) => {
    try {
      await client.schedule.create({ scheduleId: ROTATION_SCHEDULE_ID, ...definition(times) });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await setRight(client, times);
    }
  });
}

/** Now, unless one runs already. No token is lost. */
export async function triggerRotation(temporal: TemporalClient): Promise<void> {
  await temporal.withDeadline((client) =>
    client.schedule.getHandle(ROTATION_SCHEDULE_ID).trigger(ScheduleOverlapPolicy.SKIP),
  );
}

/** For keys that are not to be trusted any more: every token given so far is refused soon after. Beside a rotation that runs. */
export async function startWithdrawal(temporal: TemporalClient): Promise<void> {
  const input: SigningKeyRotationInput = { withdraw: true };
  await temporal.withDeadline((client) =>
    client.workflow.start(WORKFLOW, {
      taskQueue: OPERATIONS_QUEUE,
      workflowId: WITHDRAWAL_ID,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      args: [input],
    }),
  );
}

/** The server answers a spec of its own making, so a comment in it tells what it was made of. */
async function setRight(client: Client, times: RotationTimes): Promise<void> {
  const schedule = client.schedule.getHandle(ROTATION_SCHEDULE_ID);
  const { spec } = await schedule.describe();
  if (spec.calendars?.some(({ comment }) => comment === describe(times))) return;
  await schedule.update(({ state }) => ({ ...definition(times), state }));
}

function describe({ cron, timeZone }: RotationTimes): string {
  return `${cron} in ${timeZone}`;
}

function definition(times: RotationTimes) {
  return {
    spec: { cronExpressions: [`${times.cron} # ${describe(times)}`], timezone: times.timeZone },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP } as const,
    action: {
      type: 'startWorkflow' as const,
      workflowType: WORKFLOW,
      workflowId: ROTATION_SCHEDULE_ID,
      taskQueue: OPERATIONS_QUEUE,
      args: [],
    },
  };
}
