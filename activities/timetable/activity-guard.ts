/**
 * Separates failures that a retry may cure from those that it cannot, for all activities.
 *
 * Callers: the factories of activities. Temporal retries without end while a server is unavailable. A defect of the
 * service, or missing data, fails the same each time. After a few tries the activity gives up, so that no import hangs.
 */
import { AssertionError } from 'node:assert';
import { ApplicationFailure, activityInfo, log, sleep } from '@temporalio/activity';
import { ObjectMissingError } from '../../platform/object-store/object-store.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { GAVE_UP } from '../../workflows/timetable/activities.ts';

/** Consecutive tries: an apparent defect may come from a server that was just shutting down. */
const TRIES = 3;
const PAUSE_MS = 1_000;

/** After this many attempts, half an hour of them, an error of unknown origin counts as a defect. */
const PLAIN_ATTEMPTS = 35;

const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError, AssertionError, ObjectMissingError];

type Activity = (...args: never[]) => Promise<unknown>;

export function giveUp(message: string, cause?: Error): ApplicationFailure {
  return ApplicationFailure.create({ type: GAVE_UP, message, nonRetryable: true, ...(cause && { cause }) });
}

/** The same activities; each gives up on what no retry cures. */
export function guardActivities<T extends object>(activities: T): T {
  const guarded = Object.entries(activities).map(([name, activity]) => [name, guard(activity as Activity)]);
  return Object.fromEntries(guarded) as T;
}

function guard(activity: Activity): Activity {
  return async (...args) => {
    for (let tries = 1; ; tries++) {
      try {
        return await activity(...args);
      } catch (error) {
        if (!isIncurable(error)) throw error;
        log.error('An activity failed through no server', { error, tries });
        if (tries === TRIES) throw giveUp(error.message, error);
      }
      // Counted here, not by Temporal: its attempts include those that servers failed.
      await sleep(PAUSE_MS);
    }
  };
}

function isIncurable(error: unknown): error is Error {
  if (error instanceof ServiceError) return error.status < 500 || error.code === 'INTERNAL';
  if (DEFECTS.some((defect) => error instanceof defect)) return true;
  return isPlain(error) && activityInfo().attempt >= PLAIN_ATTEMPTS;
}

/** Drivers and sockets throw classes of their own, or set a code. */
function isPlain(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error && !('code' in error);
}
