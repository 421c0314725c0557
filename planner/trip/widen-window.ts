/** Widens a window until it holds enough journeys that no journey right after it beats. Caller: `find-page.ts`. */

import { journeyOrder, keyOf } from '../search/journey-order.ts';
import { mergeJourneys } from '../search/merge-journeys.ts';
import type { FoundJourney, SearchAnswer } from '../search/search-types.ts';
import type { TimeWindow } from './page-cursor.ts';
import type { PageQuestion, PageTools } from './page-types.ts';
import { goesForward } from './page-window.ts';
import { ENOUGH_PATTERNS, FIRST_WINDOW_SECONDS, MAXIMUM_WINDOW_SECONDS, WIDENING_MS } from './trip-limits.ts';
import { TripSearchFailure } from './trip-search-failure.ts';

/** Keeps a window that the request gives. */
export function widen(
  question: PageQuestion,
  first: TimeWindow,
  firstFound: readonly FoundJourney[],
  begunAt: number,
  { search, mayConnect }: PageTools,
): { window: TimeWindow; found: readonly FoundJourney[] } {
  const { request, period, windowSeconds, count } = question;
  const forward = goesForward(question);
  const enough = Math.min(count, ENOUGH_PATTERNS);
  let window = first;
  let found = firstFound;
  while (windowSeconds === undefined && (found.length < enough || hasUncertain(question, window, found))) {
    const seconds = window.end - window.start;
    const more = Math.min(seconds, MAXIMUM_WINDOW_SECONDS - seconds);
    if (more <= 0 || (forward ? window.end > period.end : window.start < period.start)) break;
    // Doubling the window takes as long again. The cursors hold the window reached.
    if (2 * (performance.now() - begunAt) > WIDENING_MS) break;
    if (found.length === 0 && seconds === FIRST_WINDOW_SECONDS && !mayConnect()) break;
    const { start, end } = window;
    const added = forward ? { start: end, end: end + more } : { start: start - more, end: start };
    const rest = searchIfSmall(search, added)?.journeys;
    if (rest === undefined) break;
    found = mergeJourneys(found, rest, request);
    window = { start: Math.min(start, added.start), end: Math.max(end, added.end) };
  }
  return { window, found };
}

/** Undefined if the search is too large. The journeys found before then make the answer. */
export function searchIfSmall(
  search: PageTools['search'],
  window: TimeWindow,
  enough?: number,
): SearchAnswer | undefined {
  try {
    return search(window, enough);
  } catch (error) {
    if (error instanceof TripSearchFailure && error.code === 'tooLarge') return undefined;
    throw error;
  }
}

/** Whether a journey that a first page would show is uncertain. */
export function hasUncertain(
  { request, count }: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
): boolean {
  if (found.length === 0) return false;
  const first = inOrder(found, request.arriveBy).slice(0, Math.min(count, ENOUGH_PATTERNS));
  return first.some((journey) => isUncertain(journey, window, found, request.arriveBy));
}

/** A journey is uncertain if one that starts at the window's end and takes twice as long as the quickest would beat it. */
function isUncertain(
  { departure, arrival, rideCount }: FoundJourney,
  window: TimeWindow,
  found: readonly FoundJourney[],
  arriveBy: boolean,
): boolean {
  let quickest = arrival - departure;
  for (const other of found) {
    if (other.rideCount <= rideCount) quickest = Math.min(quickest, other.arrival - other.departure);
  }
  return arriveBy ? departure < window.start - 2 * quickest : arrival > window.end + 2 * quickest;
}

export function inOrder(journeys: readonly FoundJourney[], arriveBy: boolean): readonly FoundJourney[] {
  const order = journeyOrder(arriveBy);
  return journeys.toSorted((a, b) => order(keyOf(a), keyOf(b)));
}
