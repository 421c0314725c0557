/** The activities as workflow code calls them. Callers: the workflow of this folder. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { SHORT_LOCAL, short } from '../shared/activity-options.ts';
import type { AttemptActivities, PaymentPageRecords } from './activities.ts';
import { PAYMENT_PAGES_QUEUE } from './messages.ts';

/** Opening a terminal asks the provider, which may take its time. */
const OPENING_LOCAL = { ...SHORT_LOCAL, startToCloseTimeout: '30s' } as const;

export const pages = proxyLocalActivities<PaymentPageRecords>(SHORT_LOCAL);
export const terminals = proxyLocalActivities<Pick<PaymentPageRecords, 'beginAttempt'>>(OPENING_LOCAL);
export const attempts = proxyActivities<AttemptActivities>(short(PAYMENT_PAGES_QUEUE));
