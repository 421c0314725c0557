/** The activities as workflow code calls them. Caller: the workflow of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import { short } from '../shared/activity-options.ts';
import { SALES_DOCUMENTS_QUEUE } from '../shared/documents-queue.ts';
import type { ReceiptActivities } from './activities.ts';

/**
 * A mail server may take a minute. With heartbeats, so that another worker takes over within seconds. What is sent when a step is
 * repeated is not sent again.
 */
const STEP = { ...short(SALES_DOCUMENTS_QUEUE), startToCloseTimeout: '90s', heartbeatTimeout: '5s' } as const;

export const receipts = proxyActivities<ReceiptActivities>(STEP);
