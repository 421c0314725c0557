/** Inputs, results, messages and types of the workflows of customers. Numbers and ids only: nothing here identifies a person. */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CustomerNumber, OrganisationId } from '../shared/ids.ts';
import { defineWorkflow } from '../shared/workflow-definition.ts';

export const SALES_CUSTOMERS_QUEUE = 'sales-customers';

/** Input of both workflows. */
export interface CustomerInput {
  readonly organisationId: OrganisationId;
  readonly customerNumber: CustomerNumber;
}

/** Names what was prepared, sealed, in the database; the update carries nothing of it. */
export interface ConversionRequest {
  readonly conversionId: string;
}

/**
 * Answer of `convert`. `PERMANENT`: an earlier conversion came first. `EXPIRED`: expiry, or a deletion, did. The duplicates:
 * nothing was changed, and the profile stays a temporary one.
 */
export type ConversionOutcome = 'CONVERTED' | 'PERMANENT' | 'EXPIRED' | 'DUPLICATE_EMAIL' | 'DUPLICATE_CUSTOMER_REF';

/** How `temporaryProfile` ended: with a permanent profile, or with its erasure begun. */
export interface TemporaryProfileResult {
  readonly ended: 'CONVERTED' | 'EXPIRED';
}

/** The input of a run of `profileErasure`. */
export interface ProfileErasureStart extends CustomerInput {
  /** Since when it should be erased; from the start of the workflow when absent. */
  readonly dueAtMs?: number;
  /** Round of the run before this one. */
  readonly round?: number;
}

/** In this order; `AREAS` are the steps that other areas have registered, side by side. */
export type ErasureStepName = 'BLOCK' | 'DESTROY_KEY' | 'REMOVE_CONTENT' | 'AREAS' | 'VERIFY' | 'ERASED';

/** Answer of the query `progress` of `profileErasure`, and its result. */
export interface ErasureProgress {
  readonly step: ErasureStepName;
  /** From 1. Another round begins when something was found left. */
  readonly round: number;
  /** The remains that the last look found: names of steps, never content. */
  readonly left: readonly string[];
}

export const temporaryProfileWorkflow = defineWorkflow<(input: CustomerInput) => Promise<TemporaryProfileResult>>(
  'temporaryProfile',
  SALES_CUSTOMERS_QUEUE,
);
/** To `temporaryProfile`: the date was moved, in the database. */
export const expirationChangedSignal = defineSignal('expirationChanged');
/** To `temporaryProfile`: the profile was deleted, in the database. */
export const eraseNowSignal = defineSignal('eraseNow');
/** Of `temporaryProfile`. */
export const convertUpdate = defineUpdate<ConversionOutcome, [ConversionRequest]>('convert');

export const profileErasureWorkflow = defineWorkflow<(start: ProfileErasureStart) => Promise<ErasureProgress>>(
  'profileErasure',
  SALES_CUSTOMERS_QUEUE,
);
export const erasureProgressQuery = defineQuery<ErasureProgress>('progress');

const TEMPORARY_PREFIX = 'temporary-profile/';
const ERASURE_PREFIX = 'erase/';

export function temporaryProfileWorkflowId(customerNumber: CustomerNumber): string {
  return `${TEMPORARY_PREFIX}${customerNumber}`;
}

/** Inverse of {@link temporaryProfileWorkflowId}; undefined for any other id. */
export function parseTemporaryProfileWorkflowId(workflowId: string): CustomerNumber | undefined {
  return numberBehind(TEMPORARY_PREFIX, workflowId);
}

export function profileErasureWorkflowId(customerNumber: CustomerNumber): string {
  return `${ERASURE_PREFIX}${customerNumber}`;
}

/** Inverse of {@link profileErasureWorkflowId}; undefined for any other id. */
export function parseProfileErasureWorkflowId(workflowId: string): CustomerNumber | undefined {
  return numberBehind(ERASURE_PREFIX, workflowId);
}

function numberBehind(prefix: string, workflowId: string): CustomerNumber | undefined {
  if (!workflowId.startsWith(prefix)) return undefined;
  const number = workflowId.slice(prefix.length);
  return /^\d{7,12}$/.test(number) ? (number as CustomerNumber) : undefined;
}
