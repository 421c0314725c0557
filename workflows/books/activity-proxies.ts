/** The activities as workflow code calls them. Caller: the workflow of this folder. */
import { proxyActivities } from '@temporalio/workflow';
import { long } from '../shared/activity-options.ts';
import type { Reconciling } from './activities.ts';
import { BOOKS_QUEUE } from './messages.ts';

/** An hour of movements, or a batch of events, takes seconds; a provider may be slow. */
export const books = proxyActivities<Reconciling>(long(BOOKS_QUEUE, '30m'));
