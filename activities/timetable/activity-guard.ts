/**
 * Tells failures that end by waiting from those that do not, for every activity alike.
 *
 * Callers: the factories of activities. A server that is away is retried by Temporal without end. A defect of ours, or
 * data that is gone, fails the same way each time: after a few attempts the activity gives up, so that no import hangs.
 */
import { AssertionError } from 'node:assert';
import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { GAVE_UP } from '../../workflows/timetable/activities.ts';
import { ObjectMissingError } from '../shared/object-store.ts';

/** More than one: what looks like a defect may come of a server that was just dying. */
const ATTEMPTS = 3;

const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError, AssertionError, ObjectMissingError];

type Activity = (...args: never[]) => Promise<unknown>;

export function giveUp(message: string, cause?: Error): ApplicationFailure {
  return ApplicationFailure.create({ type: GAVE_UP, message, nonRetryable: true, ...(cause && { cause }) });
}

/** The same activities; each gives up on what no repetition cures. */
export function guardActivities<T extends object>(activities: T): T {
  const guarded = Object.entries(activities).map(([name, activity]) => [name, guard(activity as Activity)]);
  return Object.fromEntries(guarded) as T;
}

function guard(activity: Activity): Activity {
  return async (...args) => {
    try {
      return await activity(...args);
    } catch (error) {
      if (isIncurable(error) && activityInfo().attempt >= ATTEMPTS) throw giveUp(error.message, error);
      throw error;
    }
  };
}

function isIncurable(error: unknown): error is Error {
  if (error instanceof ServiceError) return error.status < 500 || error.code === 'INTERNAL';
  return DEFECTS.some((defect) => error instanceof defect);
}
