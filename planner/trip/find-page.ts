/**
 * Finds one page of journeys: searches a window, widens it until there are enough, and cuts the page. The windows of a
 * request adjoin, and pages use each one up before the next begins. So no page repeats or skips a journey.
 */

import { mergeJourneys } from '../search/merge-journeys.ts';
import type { FoundJourney } from '../search/search-types.ts';
import { cutPage } from './cut-page.ts';
import type { PageCursor, TimeWindow } from './page-cursor.ts';
import type { Page, PageQuestion, PageTools } from './page-types.ts';
import { firstWindow, isIn, isTowardsEnd, windowOf } from './page-window.ts';
import { ENOUGH_PATTERNS, MAXIMUM_WINDOW_SECONDS } from './trip-limits.ts';
import { hasUncertain, inOrder, isUncertain, searchIfSmall, widen } from './widen-window.ts';

/** Number of journeys requested from the engine, as a multiple of the page, when some of the first are not shown. */
const RETRY_FACTOR = 3;

export function findPage(question: PageQuestion, tools: PageTools): Page {
  const { cursor } = question;
  if (cursor?.key !== undefined) {
    const found = tools.search(cursor.window).journeys;
    const page = showPage(question, cursor.window, found, tools);
    // Empty if the previous page showed the last journey without knowing it, or if a newer snapshot lacks the rest.
    if (page.journeys.length > 0) return page;
  }
  const unkeyed = { ...question, cursor: undefined };
  const soon = isTowardsEnd(question, cursor) ? findInReverse(question, tools) : undefined;
  if (soon !== undefined) return soon;
  const first = firstWindow(question);
  const begunAt = performance.now();
  const begun = tools.search(first, isTowardsEnd(question, cursor) ? question.count : undefined);
  const quick = begun.isCut ? showFirst(unkeyed, first, begun.journeys, tools, cursor) : undefined;
  if (quick !== undefined) return quick;
  const firstFound = begun.isCut ? tools.search(first).journeys : begun.journeys;
  const { window, found } = widen(question, first, firstFound, begunAt, tools);
  return showPage(unkeyed, window, found, tools, cursor);
}

/**
 * Finds the first journeys of a whole day, for a page that asks for few results without a given window. They determine the
 * window, and no journey of the day beats them. Undefined if too few of them are shown, or if the search is too large.
 */
function findInReverse(question: PageQuestion, tools: PageTools): Page | undefined {
  const { count, windowSeconds, request, cursor } = question;
  if (windowSeconds !== undefined || count > ENOUGH_PATTERNS) return undefined;
  const day = firstWindow({ ...question, windowSeconds: MAXIMUM_WINDOW_SECONDS });
  for (const enough of [count, RETRY_FACTOR * count]) {
    const answer = searchIfSmall(tools.search, day, enough);
    if (answer === undefined || hasUncertain(question, day, answer.journeys)) return undefined;
    const { journeys, isCut } = answer;
    const window = windowOf(question, inOrder(journeys, request.arriveBy).slice(0, count), tools);
    const found = journeys.filter((journey) => isIn(window, journey, request.arriveBy));
    const page = cutPage({ ...question, cursor: undefined }, window, found, tools, cursor, isCut);
    if (!isCut || page.journeys.length === count) return page;
  }
  return undefined;
}

/**
 * Makes a page of the first journeys of a window, without a search for later ones. Undefined if some are not shown, or
 * if they must be compared beyond the window.
 */
function showFirst(
  question: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  tools: PageTools,
  pageCursor: PageCursor | undefined,
): Page | undefined {
  if (hasUncertain(question, window, found)) return undefined;
  const page = cutPage(question, window, found, tools, pageCursor, true);
  return page.journeys.length < question.count ? undefined : page;
}

/**
 * Journeys are compared within their window. One that leaves at its end may wait for hours, and no journey of the
 * window beats it. Where the page would show such a journey, its window is compared with as much time beyond it, and
 * beaten journeys are left out. That depends on the window alone, so every page of the window leaves out the same.
 */
function showPage(
  question: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  tools: PageTools,
  pageCursor = question.cursor,
): Page {
  const { request } = question;
  const page = cutPage(question, window, found, tools, pageCursor);
  if (!page.journeys.some((journey) => isUncertain(journey, window, found, request.arriveBy))) return page;
  const { start, end } = window;
  const beyond = request.arriveBy ? { start: 2 * start - end, end: start } : { start: end, end: 2 * end - start };
  const rest = searchIfSmall(tools.search, beyond)?.journeys;
  if (rest === undefined) return page;
  const best = new Set(mergeJourneys(found, rest, request));
  const kept = found.filter((journey) => best.has(journey));
  return kept.length === 0 ? page : cutPage(question, window, kept, tools, pageCursor);
}
