/**
 * Messages between the process and a search thread. They are plain data; snapshots and flags are shared, never copied.
 */
import type { TripSearchFailureCode } from '../trip/trip-search-failure.ts';
import type { TripAnswer, TripRequest } from '../trip/trip-types.ts';

/** A snapshot with its number in the order of use. */
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

/** Messages to the thread, which handles them one after the other. */
export type ThreadOrder =
  /** Sent only after the answer to the previous request. Numbers begin at 1. */
  | { readonly type: 'trip'; readonly number: number; readonly request: TripRequest }
  /** Opens the snapshot in addition to the current one. The thread answers `prepared` or `refused`. */
  | { readonly type: 'prepare'; readonly snapshot: NumberedSnapshot }
  /** Makes this snapshot the current one. The thread opens it if it has not prepared it. */
  | { readonly type: 'switch'; readonly snapshot: NumberedSnapshot }
  /** The prepared snapshot will not be used. */
  | { readonly type: 'forget' };

/** Messages from the thread. */
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
