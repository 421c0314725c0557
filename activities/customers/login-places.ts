/**
 * The places of log-ins in the document of a subject: failures of the last 15 minutes and tries in progress, each with
 * its source. Made for login-failures.ts. Pure: builds the write, and says why a try has found no place.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';

export const FAILURE_WINDOW_MS = 15 * 60_000;
/** Longer than a password may wait and be checked; a process that takes longer has died. */
const TRY_LIFETIME_MS = 30_000;
/** With all places taken a subject with sources still has one try in this time, so that its owner can get in. */
export const SLOW_STEP_MS = 10_000;
const SLOW_TRIES = FAILURE_WINDOW_MS / SLOW_STEP_MS;

export interface FailureLimit {
  readonly subject: string;
  /** After this number of failures within the window no further try is allowed; with a source, one every 10 seconds. */
  readonly most: number;
  /** Tries at once in one process; others wait for their turn. */
  readonly atOnce: number;
  /** Where the try comes from. It has a limit of its own, so that failures from elsewhere do not keep it out. */
  readonly source?: { readonly key: string; readonly most: number };
}

export interface SubjectDocument {
  _id: string;
  /** Earliest first. */
  failures: { at: Date; from?: string }[];
  tries: { id: string; at: Date; until: Date; from?: string }[];
  expiresAt: Date;
}

/** One conditional write: the try is in the document after it, or there is no place. */
export function takePlace({ most, source }: FailureLimit, id: string, now: Date): object[] {
  const live = (list: string, condition: object) => ({
    $filter: { input: { $ifNull: [list, []] }, as: 'each', cond: condition },
  });
  const place = { id, at: now, until: later(now, TRY_LIFETIME_MS), ...(source && { from: source.key }) };
  const taken = { $concatArrays: ['$failures', '$tries'] };
  const isFree = { $lt: [{ $size: taken }, most] };
  return [
    {
      $set: {
        failures: live('$failures', { $gt: ['$$each.at', later(now, -FAILURE_WINDOW_MS)] }),
        tries: live('$tries', { $gt: ['$$each.until', now] }),
        expiresAt: later(now, FAILURE_WINDOW_MS),
      },
    },
    {
      $set: {
        tries: {
          $cond: [
            source ? { $and: [hasRoom(source, taken), { $or: [isFree, isSlowEnough(now)] }] } : isFree,
            { $concatArrays: ['$tries', [{ $literal: place }]] },
            '$tries',
          ],
        },
      },
    },
  ];
}

function hasRoom({ key, most }: NonNullable<FailureLimit['source']>, taken: object): object {
  const own = { $filter: { input: taken, as: 'each', cond: { $eq: ['$$each.from', { $literal: key }] } } };
  return { $lt: [{ $size: own }, most] };
}

/** The last failure, and the beginning of the last try in progress, are long enough ago. */
function isSlowEnough(now: Date): object {
  return { $lte: [{ $max: { $concatArrays: ['$failures.at', '$tries.at'] } }, later(now, -SLOW_STEP_MS)] };
}

/** The try has failed. The list stays bounded: no more can fail within the window. */
export function countFailure({ most, source }: FailureLimit, id: string, now: Date) {
  const failure = { at: now, ...(source && { from: source.key }) };
  return {
    $pull: { tries: { id } },
    $push: { failures: { $each: [failure], $sort: { at: 1 as const }, $slice: -(source ? most + SLOW_TRIES : most) } },
    $max: { expiresAt: later(now, FAILURE_WINDOW_MS) },
  };
}

/** Why a try found no place: RATE_LIMITED for failures, UNAVAILABLE when tries in progress hold the last places. */
export function refusalOf(
  { failures, tries }: SubjectDocument,
  { most, source }: FailureLimit,
  now: Date,
): ServiceError {
  const own = source ? failures.filter(({ from }) => from === source.key) : failures;
  const [first] = own.slice(-(source?.most ?? most));
  if (first && own.length >= (source?.most ?? most)) return tooMany(later(first.at, FAILURE_WINDOW_MS), now);
  if (source && failures.length >= most) {
    const last = Math.max(...[...failures, ...tries].map(({ at }) => at.getTime()));
    return tooMany(new Date(last + SLOW_STEP_MS), now);
  }
  return new ServiceError('UNAVAILABLE', 'Too many are logging in at once; try again', {
    headers: { 'retry-after': '1' },
  });
}

function tooMany(until: Date, now: Date): ServiceError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new ServiceError('RATE_LIMITED', 'Too many attempts have failed. Try again later.', {
    headers: { 'retry-after': String(seconds) },
  });
}

function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
