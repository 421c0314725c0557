/**
 * Cuts the journeys of one page, and its cursors, from those of a window. The functions are pure. Caller:
 * `find-page.ts`.
 */

import { type JourneyOrder, journeyOrder, keyOf } from '../search/journey-order.ts';
import type { FoundJourney } from '../search/search-types.ts';
import type { PageCursor, TimeWindow } from './page-cursor.ts';
import type { Page, PageQuestion, PageTools } from './page-types.ts';
import { isTowardsEnd } from './page-window.ts';

export function cutPage(
  question: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  { isShown }: PageTools,
  pageCursor = question.cursor,
  hasMore = false,
): Page {
  const { request, count, cursor } = question;
  const order = journeyOrder(request.arriveBy);
  const all = found.filter(isShown).sort((a, b) => order(keyOf(a), keyOf(b)));
  const towardsEnd = isTowardsEnd(question, pageCursor);
  const [from, to] = bounds(all, order, cursor, towardsEnd);
  const [start, end] = towardsEnd ? [from, Math.min(to, from + count)] : [Math.max(from, to - count), to];
  const journeys = all.slice(start, end);
  const [before, after] = [start > 0, hasMore || end < all.length];
  const [later, earlier] = request.arriveBy ? [before, after] : [after, before];
  const [latest, earliest] = request.arriveBy ? [journeys[0], journeys.at(-1)] : [journeys.at(-1), journeys[0]];
  const cursorAt = (direction: 'next' | 'previous', edge: number, last: FoundJourney | undefined): PageCursor => {
    const rest = last === undefined ? { start: edge, end: edge } : window;
    const key = last && keyOf(last);
    const { snapshotId, questionHash } = question;
    return { direction, arriveBy: request.arriveBy, window: rest, key, question: questionHash, snapshotId };
  };
  return {
    window,
    journeys,
    foundCount: found.length,
    next: cursorAt('next', window.end, later ? latest : undefined),
    previous: cursorAt('previous', window.start, earlier ? earliest : undefined),
  };
}

/** Returns the part of the list that the cursor has not passed. */
function bounds(
  all: readonly FoundJourney[],
  order: JourneyOrder,
  cursor: PageCursor | undefined,
  towardsEnd: boolean,
): [from: number, to: number] {
  const key = cursor?.key;
  if (key === undefined) return [0, all.length];
  if (towardsEnd) {
    const from = all.findIndex((journey) => order(keyOf(journey), key) > 0);
    return [from < 0 ? all.length : from, all.length];
  }
  const to = all.findIndex((journey) => order(keyOf(journey), key) >= 0);
  return [0, to < 0 ? all.length : to];
}
