/** The activities as workflow code calls them. Caller: the workflow of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import { short } from '../shared/activity-options.ts';
import type { RefundActivities } from './activities.ts';
import { SALES_ORDERS_QUEUE } from './messages.ts';

export const refunds = proxyActivities<RefundActivities>(short(SALES_ORDERS_QUEUE));
