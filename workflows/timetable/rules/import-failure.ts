/** The failures that the workflow itself decides on. Pure. */
import type { ImportFailure } from '../activities.ts';
import type { ImportAction } from '../messages.ts';

/** The dataset was read to its end and breaks rules; the report says which. */
export const INVALID_DATASET = {
  action: 'VALIDATION',
  errorCode: 'DATASET_INVALID',
  message: 'The dataset breaks rules of severity ERROR or CRITICAL; the validation report lists where.',
} as const satisfies ImportFailure;

/** A step gave up for a reason that is ours, not the sender's. Which one is in the log, not in the answer. */
export function systemFailure(action: ImportAction): ImportFailure {
  return {
    action,
    errorCode: 'SYSTEM_ERROR',
    message:
      'The import could not be finished because of an internal failure. Send the dataset again; if it fails again, tell the operator of this service the correlation id.',
  };
}
