/** Input, result, query and type of the workflow that compares the books. Ids, counts and minor amounts only. */
import { defineQuery } from '@temporalio/workflow';
import { defineWorkflow } from '../shared/workflow-definition.ts';

/** Comparing provider, ledger, payments and orders. */
export const BOOKS_QUEUE = 'books';

export interface ReconciliationInput {
  /** `YYYY-MM-DD` in UTC; default: the day before the one that the start was due. */
  readonly day?: string;
}

/** Answer of the query `state`, and its result. */
export interface ReconciliationState {
  readonly day: string;
  readonly step: 'MOVEMENTS' | 'EVENTS' | 'ORDERS' | 'REPORT' | 'DONE';
  readonly movements: number;
  readonly events: number;
  readonly differences: number;
  readonly mended: number;
}

export const reconciliationWorkflow = defineWorkflow<(input?: ReconciliationInput) => Promise<ReconciliationState>>(
  'reconciliation',
  BOOKS_QUEUE,
);

export const reconciliationStateQuery = defineQuery<ReconciliationState>('state');
