/**
 * The schedule `signing-key-rotation`, and how an operator starts a rotation between two scheduled ones. Callers: the worker
 * `operations`, `npm run rotate-keys`.
 */
import { ensureSchedule, triggerSchedule } from '../../platform/temporal/schedules.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { startWorkflow } from '../../platform/temporal/workflow-calls.ts';
import { signingKeyRotationWorkflow } from '../../workflows/auth/messages.ts';

export { rotationShape } from './rotation-config.ts';

export const ROTATION_SCHEDULE_ID = 'signing-key-rotation';
const WITHDRAWAL_ID = 'signing-key-withdrawal';

export interface RotationTimes {
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
}

const CATCH_UP = '7d';

export async function ensureRotationSchedule(
  temporal: TemporalClient,
  { cron, timeZone }: RotationTimes,
): Promise<void> {
  const comment = `${cron} in ${timeZone}`;
  await ensureSchedule(temporal, {
    id: ROTATION_SCHEDULE_ID,
    workflow: signingKeyRotationWorkflow,
    spec: { cronExpressions: [`${cron} # ${comment}`], timezone: timeZone },
    comment,
    catchupWindow: CATCH_UP,
  });
}

/** Starts a rotation now, unless one is running. No token becomes invalid. */
export async function triggerRotation(temporal: TemporalClient): Promise<void> {
  await triggerSchedule(temporal, ROTATION_SCHEDULE_ID);
}

/**
 * For keys that can no longer be trusted: every token issued so far is refused soon after. May run during a rotation.
 */
export async function startWithdrawal(temporal: TemporalClient): Promise<void> {
  await startWorkflow(temporal, signingKeyRotationWorkflow, { workflowId: WITHDRAWAL_ID, args: [{ withdraw: true }] });
}
