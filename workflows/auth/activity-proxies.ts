/** The activities as workflow code calls them: queue, time limits, retries. Callers: the workflows of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import type { SigningKeyRecords } from './activities.ts';
import { OPERATIONS_QUEUE } from './messages.ts';

// Not local ones: tried for days while the database is away, those would fill the history; and nobody waits for these.
export const keys = proxyActivities<SigningKeyRecords>({
  taskQueue: OPERATIONS_QUEUE,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});
