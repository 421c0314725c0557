/** The activities as workflow code calls them. Callers: the workflows of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import { short } from '../shared/activity-options.ts';
import type { CaptureActivities, CreditActivities } from './activities.ts';
import { SALES_PAYMENTS_QUEUE } from './messages.ts';

/** A step that takes longer is repeated: its calls have keys, and what is known is written down. */
const PROVIDER_STEP = short(SALES_PAYMENTS_QUEUE);

export const captures = proxyActivities<CaptureActivities>(PROVIDER_STEP);
export const credits = proxyActivities<CreditActivities>(PROVIDER_STEP);
