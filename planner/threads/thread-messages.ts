/** What the process and a search thread say to each other. Plain data; the snapshot and the flags are shared, never copied. */
import type { TripSearchFailureCode } from '../trip/trip-search-failure.ts';
import type { TripAnswer, TripRequest } from '../trip/trip-types.ts';

export interface ThreadStart {
  /** URL of the thread's module. */
  readonly entry: string;
  readonly bytes: SharedArrayBuffer;
  /** One Int32: the number of the request that is to be given up. */
  readonly cancelFlag: SharedArrayBuffer;
  /** Time for searches before the first request, so that it finds compiled code. */
  readonly warmUpMs: number;
}

/** To the thread. One at a time: the next follows the answer. Numbers begin at 1. */
export interface TripMessage {
  readonly number: number;
  readonly request: TripRequest;
}

/** From the thread. */
export type ThreadMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly number: number; readonly answer: TripAnswer }
  | {
      readonly type: 'failure';
      readonly number: number;
      readonly code: TripSearchFailureCode;
      readonly message: string;
    };
