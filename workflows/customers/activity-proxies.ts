/** The activities as workflow code calls them: queue, time limits, retries. Callers: the workflows of this folder. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ErasureActivities, ErasureRecords, TemporaryProfileRecords } from './activities.ts';
import { SALES_CUSTOMERS_QUEUE } from './messages.ts';

/** Without end: a profile that is to go goes, however long a server is away. */
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' } as const;

const short = { startToCloseTimeout: '10s', localRetryThreshold: '10s', retry } as const;

export const profiles = proxyLocalActivities<TemporaryProfileRecords>(short);
export const records = proxyLocalActivities<ErasureRecords>(short);

// Heartbeats, not the long time limit, tell that a worker died: another goes on 5 s later.
export const areas = proxyActivities<ErasureActivities>({
  taskQueue: SALES_CUSTOMERS_QUEUE,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '5s',
  retry,
});
