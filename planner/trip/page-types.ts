/** Question, tools and result of a page of journeys. Callers: `find-page.ts` and its parts. */
import type { FoundJourney, SearchAnswer } from '../search/search-types.ts';
import type { PageCursor, TimeWindow } from './page-cursor.ts';
import type { WindowlessRequest } from './search-request.ts';

export interface PageQuestion {
  readonly request: WindowlessRequest;
  readonly time: number;
  readonly windowSeconds: number | undefined;
  readonly count: number;
  readonly cursor: PageCursor | undefined;
  /** Cursors store the snapshot and the hash of their request. */
  readonly snapshotId: string;
  readonly questionHash: string;
  /** The time between the first and the last run of any trip. */
  readonly period: TimeWindow;
}

export interface PageTools {
  /**
   * Returns all journeys of a window. With `enough` it returns at least this number of them, the first in their order.
   * If `isCut`, some may be missing.
   */
  search(window: TimeWindow, enough?: number): SearchAnswer;
  /** False for a journey that must not be shown. The result must depend on the journey alone. */
  isShown(journey: FoundJourney): boolean;
  /** False if no search finds a journey at any time. */
  mayConnect(): boolean;
}

export interface Page {
  readonly window: TimeWindow;
  readonly journeys: readonly FoundJourney[];
  /** Number of journeys found in the window, shown on this page or not. */
  readonly foundCount: number;
  readonly next: PageCursor;
  readonly previous: PageCursor;
}
