/**
 * Why a trip search gave no answer at all; what a search finds wrong with a question is in `TripAnswer.errors` instead.
 * Thrown by planTrip (`invalidCursor`, `tooLarge`, `cancelled`) and by the planner over threads (all of them).
 */
export type TripSearchFailureCode =
  /** The cursor is none that a search gave, or was given for another question. */
  | 'invalidCursor'
  /** The first window alone needs more memory than a search may have. */
  | 'tooLarge'
  /** The caller's signal was raised. */
  | 'cancelled'
  /** Not answered within the time limit, waiting included. */
  | 'timeout'
  /** The queue of requests is full. */
  | 'overloaded'
  /** No snapshot yet, the planner is closed, or the thread died that was searching. */
  | 'unavailable'
  /** A fault of the planner; the message is for logs. */
  | 'failed';

export class TripSearchFailure extends Error {
  readonly code: TripSearchFailureCode;

  constructor(code: TripSearchFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TripSearchFailure';
    this.code = code;
  }
}
