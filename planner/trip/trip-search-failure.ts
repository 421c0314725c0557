/**
 * Why a trip search gave no answer. Errors in the request itself are in `TripAnswer.errors` instead. planTrip throws
 * `invalidCursor`, `tooLarge` and `cancelled`; the planner over threads throws all of them.
 */
export type TripSearchFailureCode =
  /** No search returned this cursor, or another request did. */
  | 'invalidCursor'
  /** The first window alone needs more memory than a search may have. */
  | 'tooLarge'
  /** The caller aborted the signal. */
  | 'cancelled'
  /** The search did not answer within the time limit, queueing included. */
  | 'timeout'
  /** The queue of requests is full. */
  | 'overloaded'
  /** There is no snapshot yet, the planner is closed, or the searching thread died. */
  | 'unavailable'
  /** The planner has a defect. The message is for logs. */
  | 'failed';

export class TripSearchFailure extends Error {
  readonly code: TripSearchFailureCode;

  constructor(code: TripSearchFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TripSearchFailure';
    this.code = code;
  }
}
