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
  /** Stored in cursors, which hold for this question alone. */
  readonly snapshotId: string;
  readonly questionHash: string;
  /** The time in which anything runs. */
  readonly period: TimeWindow;
}

export interface PageTools {
  /** All journeys of a window; with `enough` at least so many, the first in their order. `isCut`: some may be missing. */
  search(window: TimeWindow, enough?: number): SearchAnswer;
  /** False for a journey that is found but not shown. It must depend on the journey alone. */
  isShown(journey: FoundJourney): boolean;
  /** False if no search finds anything, at any time. */
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
