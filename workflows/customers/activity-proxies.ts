/** The activities as workflow code calls them. Callers: the workflows of this folder. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { long, SHORT_LOCAL } from '../shared/activity-options.ts';
import type { ErasureActivities, ErasureRecords, TemporaryProfileRecords } from './activities.ts';
import { SALES_CUSTOMERS_QUEUE } from './messages.ts';

export const profiles = proxyLocalActivities<TemporaryProfileRecords>(SHORT_LOCAL);
export const records = proxyLocalActivities<ErasureRecords>(SHORT_LOCAL);
export const areas = proxyActivities<ErasureActivities>(long(SALES_CUSTOMERS_QUEUE, '30m'));
