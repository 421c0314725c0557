/** The activities as workflow code calls them. Callers: the workflows of this folder. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { SHORT_LOCAL, short } from '../shared/activity-options.ts';
import type { OrderExpiryActivities, OrderExpiryRecords } from './activities.ts';
import { SALES_ORDERS_QUEUE } from './messages.ts';

export const drafts = proxyLocalActivities<OrderExpiryRecords>(SHORT_LOCAL);
export const payments = proxyActivities<OrderExpiryActivities>(short(SALES_ORDERS_QUEUE));
