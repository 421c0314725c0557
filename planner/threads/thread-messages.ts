/** Messages between the process and a search thread. Plain data; snapshots and flags are shared, never copied. */
import type { TripSearchFailureCode } from '../trip/trip-search-failure.ts';
import type { TripAnswer, TripRequest } from '../trip/trip-types.ts';

/** A snapshot and its place in the order of those that were taken into use. */
export interface NumberedSnapshot {
  readonly number: number;
  readonly bytes: SharedArrayBuffer;
}

export interface ThreadStart {
  /** URL of the thread's module. */
  readonly entry: string;
  readonly snapshot: NumberedSnapshot;
  /** One Int32: the number of the request to cancel. */
  readonly cancelFlag: SharedArrayBuffer;
  /** Time for searches before the first request, so that it finds compiled code. */
  readonly warmUpMs: number;
}

/** To the thread, which does one after the other in their order. */
export type ThreadOrder =
  /** Sent one at a time, after the answer to the one before. Numbers begin at 1. */
  | { readonly type: 'trip'; readonly number: number; readonly request: TripRequest }
  /** Open it beside the one in use; answered by `prepared` or `refused`. */
  | { readonly type: 'prepare'; readonly snapshot: NumberedSnapshot }
  /** From now on search this one; the thread opens it if it has not prepared it. */
  | { readonly type: 'switch'; readonly snapshot: NumberedSnapshot }
  /** The prepared snapshot will not be used. */
  | { readonly type: 'forget' };

/** From the thread. */
export type ThreadMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'prepared' }
  | { readonly type: 'refused'; readonly message: string }
  | TripResult;

export type TripResult =
  | { readonly type: 'answer'; readonly number: number; readonly answer: TripAnswer }
  | {
      readonly type: 'failure';
      readonly number: number;
      readonly code: TripSearchFailureCode;
      readonly message: string;
    };
