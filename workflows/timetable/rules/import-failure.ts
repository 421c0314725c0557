/** The failures that the workflow itself decides on. Pure. */
import type { ImportFailure, StepLeftUndone } from '../activities.ts';
import type { ImportAction } from '../messages.ts';

/** The dataset was read to its end and breaks rules; the report says which. */
export const INVALID_DATASET = {
  action: 'VALIDATION',
  errorCode: 'DATASET_INVALID',
  message: 'The dataset breaks rules of severity ERROR or CRITICAL; the validation report lists where.',
} as const satisfies ImportFailure;

export const SYSTEM_ERROR = 'SYSTEM_ERROR';
export const CODESPACE_WITHDRAWN = 'CODESPACE_WITHDRAWN';

/** The version, or its whole codespace, was withdrawn before its private dataset was made. */
export const WITHDRAWN_MEANWHILE = {
  action: 'PRIVATE_EXPORT',
  errorCode: 'WITHDRAWN',
  message: 'The version was withdrawn while its private dataset was being made.',
} as const satisfies StepLeftUndone;

export const EXPORT_CANCELLED = {
  action: 'PRIVATE_EXPORT',
  errorCode: 'CANCELLED',
  message: 'An operator cancelled the making of the private dataset; the nightly refresh makes it.',
} as const satisfies StepLeftUndone;

export const WITHDRAWN_BEFORE_PLANNED = {
  action: 'PLANNER_BUILD',
  errorCode: 'WITHDRAWN',
  message: 'The version was withdrawn before the journey planner had it.',
} as const satisfies StepLeftUndone;

export const PLANNER_FAILED = {
  action: 'PLANNER_BUILD',
  state: 'FAILED',
  errorCode: 'PLANNER_BUILD_FAILED',
  message:
    'The dataset is published, but the journey planner could not take it in and goes on with what it had. Tell the operator of this service the correlation id.',
} as const satisfies StepLeftUndone;

export const PLANNER_LATE = {
  action: 'PLANNER_BUILD',
  state: 'FAILED',
  errorCode: 'PLANNER_BUILD_LATE',
  message: 'The dataset is published, but the journey planner did not have it within an hour; it will follow.',
} as const satisfies StepLeftUndone;

export const PLANNER_CANCELLED = {
  action: 'PLANNER_BUILD',
  errorCode: 'CANCELLED',
  message: 'An operator cancelled the import before the journey planner had the dataset; it will follow.',
} as const satisfies StepLeftUndone;

/** A step gave up for a reason that is ours, not the sender's. Which one is in the log, not in the answer. */
export function systemFailure(action: ImportAction): ImportFailure {
  return {
    action,
    errorCode: SYSTEM_ERROR,
    message:
      'The import could not be finished because of an internal failure. Send the dataset again; if it fails again, tell the operator of this service the correlation id.',
  };
}
