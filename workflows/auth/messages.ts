/** What enters and leaves the workflow of signing keys. Key ids and instants only; a key never does. */

/** Keys and schedules. */
export const OPERATIONS_QUEUE = 'operations';

export interface SigningKeyRotationInput {
  /**
   * The keys there are now are not to be trusted: a new one signs at once, and those are withdrawn seconds later, with every
   * token that they have signed. Without it no token is lost.
   */
  readonly withdraw?: boolean;
}

/** Name of the query that answers {@link RotationProgress}. */
export const PROGRESS_QUERY = 'progress';

/**
 * `PUBLISHED`: waits until everybody knows the next key. `SIGNING`: it signs; those before are published until their tokens
 * have ended. `OVERTAKEN`: its key was withdrawn by another rotation, which does the rest.
 */
export type RotationStep = 'BEGUN' | 'PUBLISHED' | 'SIGNING' | 'DONE' | 'OVERTAKEN';

/** Answer of the query `progress` of `signingKeyRotation`, and its result. */
export interface RotationProgress {
  readonly step: RotationStep;
  /** Of the key that is to sign, or signs. */
  readonly kid?: string;
  /** ISO 8601: when the next step is due. */
  readonly until?: string;
}
