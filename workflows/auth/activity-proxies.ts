/** The activities as workflow code calls them. Callers: the workflows of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import { short } from '../shared/activity-options.ts';
import type { SigningKeyRecords } from './activities.ts';
import { OPERATIONS_QUEUE } from './messages.ts';

export const keys = proxyActivities<SigningKeyRecords>(short(OPERATIONS_QUEUE));
