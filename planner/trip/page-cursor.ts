/**
 * The position between two pages: a window of time, the direction of paging, and the last journey shown. Clients keep
 * it as an opaque text. A cursor with another request is rejected. It holds times and no indexes, so it is valid for
 * every snapshot. It names its own snapshot for information only.
 */
import type { JourneyKey } from '../search/journey-order.ts';
import { MAXIMUM_WINDOW_SECONDS } from './trip-limits.ts';
import { TripSearchFailure } from './trip-search-failure.ts';

/** Departures from `start` and before `end`; for arrive by arrivals after `start` and up to `end`. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

export interface PageCursor {
  /** Direction in time: `next` is later, for arrive by too. */
  readonly direction: 'next' | 'previous';
  readonly arriveBy: boolean;
  /** A window in progress if `key` is given. Otherwise it is empty, and the next window begins at it. */
  readonly window: TimeWindow;
  readonly key: JourneyKey | undefined;
  /** Hash of the request (`questionHash`). */
  readonly question: string;
  readonly snapshotId: string;
}

const VERSION = 2;
const SNAPSHOT_CHARACTERS = 12;
const LONGEST_CURSOR = 500;
/** Bound of instants before and after 1970. JavaScript dates and the formats that show them end with the year 9999. */
const LATEST = 253_402_300_799;

export function encodeCursor({ direction, arriveBy, window, key, question, snapshotId }: PageCursor): string {
  const numbers = [VERSION, direction === 'next' ? 1 : 0, arriveBy ? 1 : 0, window.start, window.end];
  if (key !== undefined) numbers.push(key.departure, key.arrival, key.cost, key.rideCount);
  return Buffer.from([snapshotId.slice(0, SNAPSHOT_CHARACTERS), question, ...numbers].join(' ')).toString('base64url');
}

/** Throws `invalidCursor` for every text that encodeCursor did not write. */
export function decodeCursor(text: string): PageCursor {
  const bytes = text.length > LONGEST_CURSOR ? Buffer.alloc(0) : Buffer.from(text, 'base64url');
  // Decoding ignores characters outside base64url.
  const parts = bytes.toString('base64url') === text ? bytes.toString('latin1').split(' ') : [];
  const [snapshotId = '', question = '', ...rest] = parts;
  const numbers = rest.map((part) => (/^-?\d{1,15}$/.test(part) ? Number(part) : Number.NaN));
  const [version, forward = 0, arriveBy = 0, start = 0, end = 0, ...last] = numbers;
  const isWhole = numbers.every((number) => Number.isSafeInteger(number));
  const isRight =
    isWhole &&
    version === VERSION &&
    (last.length === 0 ? numbers.length === 5 && start === end : last.length === 4 && start < end) &&
    [forward, arriveBy].every((bit) => bit === 0 || bit === 1) &&
    [start, end, ...last.slice(0, 2)].every((instant) => instant >= -LATEST && instant <= LATEST) &&
    end - start <= MAXIMUM_WINDOW_SECONDS;
  if (!isRight) throw new TripSearchFailure('invalidCursor', 'The page cursor is not one that a trip search gave.');
  const [departure = 0, arrival = 0, cost = 0, rideCount = 0] = last;
  return {
    direction: forward === 1 ? 'next' : 'previous',
    arriveBy: arriveBy === 1,
    window: { start, end },
    key: last.length === 0 ? undefined : { departure, arrival, cost, rideCount },
    question,
    snapshotId,
  };
}
