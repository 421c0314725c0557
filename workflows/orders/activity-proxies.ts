/** The activities as workflow code calls them. Callers: the workflows of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import { short } from '../shared/activity-options.ts';
import type { OrderExpiryActivities, OrderExpiryRecords } from './activities.ts';
import { SALES_ORDERS_QUEUE } from './messages.ts';

export const drafts = proxyActivities<OrderExpiryRecords>(short(SALES_ORDERS_QUEUE));
export const payments = proxyActivities<OrderExpiryActivities>(short(SALES_ORDERS_QUEUE));
