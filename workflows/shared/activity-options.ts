/**
 * The one set of time limits and retries of activities. Callers: `activity-proxies.ts` of every area.
 *
 * Failures of servers are retried without end, so that what has begun ends. An activity declares final what retrying cannot cure.
 */
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

const RETRY_WITHOUT_END = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' } as const;

/** One read or conditional write in the database, run in the worker that runs the workflow. */
export const SHORT_LOCAL: LocalActivityOptions = {
  startToCloseTimeout: '10s',
  localRetryThreshold: '10s',
  retry: RETRY_WITHOUT_END,
};

/** Like {@link SHORT_LOCAL}, for steps that may be retried for days: retried locally they would fill the history with markers. */
export function short(taskQueue: string): ActivityOptions {
  return { taskQueue, startToCloseTimeout: '30s', retry: RETRY_WITHOUT_END };
}

/**
 * Work with heartbeats. A missing heartbeat, not the time limit, tells that the worker has died: another one takes over
 * 5 s later. So `startToCloseTimeout` may be longer than the largest input takes.
 */
export function long(taskQueue: string, startToCloseTimeout: '30m' | '2h'): ActivityOptions {
  return { taskQueue, startToCloseTimeout, heartbeatTimeout: '5s', retry: RETRY_WITHOUT_END };
}
