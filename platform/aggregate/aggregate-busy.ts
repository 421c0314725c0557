/** The kit's one error. Areas map it to an error of their own where callers see it: see `busy` of the kit's options. */

export type BusyReason =
  /** Other writers came first in every try. */
  | 'LOST_RACES'
  /** The document has been written as often within 73 hours as its work ids allow. */
  | 'TOO_MANY_WRITES';

export class AggregateBusy extends Error {
  readonly reason: BusyReason;
  /** When another try may succeed. */
  readonly retryAfterSeconds: number;

  constructor(reason: BusyReason, retryAfterSeconds: number) {
    super(
      reason === 'LOST_RACES'
        ? 'Other writers changed the document first in every try; try again'
        : `The document has been changed too often within 73 hours; try again in ${retryAfterSeconds} s`,
    );
    this.name = 'AggregateBusy';
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
