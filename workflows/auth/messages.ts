/** Input, result, query and type of the workflow that rotates signing keys. Key ids and instants only, never a key. */
import { defineQuery } from '@temporalio/workflow';
import { defineWorkflow } from '../shared/workflow-definition.ts';

/** Keys and schedules. */
export const OPERATIONS_QUEUE = 'operations';

export interface SigningKeyRotationInput {
  /**
   * The present keys are no longer trusted. A new one signs at once, and those are withdrawn seconds later, with every
   * token that they have signed. Without it no token is lost.
   */
  readonly withdraw?: boolean;
}

/**
 * `PUBLISHED`: waits until everybody knows the next key. `SIGNING`: it signs; those before are published until their tokens
 * have ended. `OVERTAKEN`: its key was withdrawn by another rotation, which does the rest.
 */
export type RotationStep = 'BEGUN' | 'PUBLISHED' | 'SIGNING' | 'DONE' | 'OVERTAKEN';

/** Answer of the query `progress` of `signingKeyRotation`, and its result. */
export interface RotationProgress {
  readonly step: RotationStep;
  /** Id of the key that is to sign, or signs. */
  readonly kid?: string;
  /** ISO 8601: when the next step is due. */
  readonly until?: string;
}

export const signingKeyRotationWorkflow = defineWorkflow<
  (input?: SigningKeyRotationInput) => Promise<RotationProgress>
>('signingKeyRotation', OPERATIONS_QUEUE);

export const rotationProgressQuery = defineQuery<RotationProgress>('progress');
