/** The activities as workflow code calls them. Callers: the workflows of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import { short } from '../shared/activity-options.ts';
import { SALES_DOCUMENTS_QUEUE } from '../shared/documents-queue.ts';
import type { DocumentActivities, MailActivities } from './activities.ts';

/**
 * With heartbeats, so that another worker takes over within seconds. PDFs are drawn, and mail servers take up to a minute. What is
 * done when a step is repeated is found, not made again.
 */
const STEP = { ...short(SALES_DOCUMENTS_QUEUE), startToCloseTimeout: '3m', heartbeatTimeout: '5s' } as const;

export const documents = proxyActivities<DocumentActivities>(STEP);
export const mails = proxyActivities<MailActivities>(STEP);
