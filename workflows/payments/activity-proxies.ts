/** The activities as workflow code calls them. Callers: the workflows of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import { short } from '../shared/activity-options.ts';
import type { CaptureActivities, CreditActivities } from './activities.ts';
import { SALES_PAYMENTS_QUEUE } from './messages.ts';

/** Longer than a provider may take to answer, for each of the calls of one step. */
const PROVIDER_STEP = { ...short(SALES_PAYMENTS_QUEUE), startToCloseTimeout: '90s' } as const;

export const captures = proxyActivities<CaptureActivities>(PROVIDER_STEP);
export const credits = proxyActivities<CreditActivities>(PROVIDER_STEP);
