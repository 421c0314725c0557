/**
 * Finds one page of journeys: searches a window, widens it until there are enough, and cuts the page. The windows of a
 * request adjoin, and pages use each one up before the next begins. So no page repeats or skips a journey.
 */

import type { FoundJourney } from '../search/search-types.ts';
import { cutPage } from './cut-page.ts';
import type { PageCursor, TimeWindow } from './page-cursor.ts';
import type { Page, PageQuestion, PageTools } from './page-types.ts';
import { firstWindow, goesForward, isIn, isTowardsEnd, windowOf } from './page-window.ts';
import { ENOUGH_PATTERNS, MAXIMUM_WINDOW_SECONDS, WIDENING_MS } from './trip-limits.ts';
import { hasUncertain, inOrder, searchIfSmall, widen } from './widen-window.ts';
import { reachesBeyond, withoutBeaten } from './without-beaten.ts';

/** Number of journeys requested from the engine, as a multiple of the page, when some of the first are not shown. */
const RETRY_FACTOR = 3;

/** Windows that a page is put together of. Journeys may be found and not shown again and again. */
const MOST_PARTS = 6;

export function findPage(question: PageQuestion, tools: PageTools): Page {
  const { cursor, count, windowSeconds } = question;
  const begunAt = performance.now();
  const direction = goesForward(question) ? 'next' : 'previous';
  let page = cursor?.key === undefined ? findNewWindow(question, tools) : findRest(question, cursor, tools);
  // A window in progress is used up. A new one holds enough unless it could not be widened.
  let mayHaveMore = cursor?.key !== undefined || page.foundCount >= count;
  for (let parts = 1; mayHaveMore && page.journeys.length < count && parts < MOST_PARTS; parts += 1) {
    if (windowSeconds !== undefined && (cursor?.key === undefined || page.journeys.length > 0)) break;
    if (page.window.end - page.window.start >= MAXIMUM_WINDOW_SECONDS) break;
    if (2 * (performance.now() - begunAt) > WIDENING_MS) break;
    const missing = count - page.journeys.length;
    const more = findNewWindow({ ...question, count: missing, cursor: page[direction] }, tools);
    page =
      page.journeys.length === 0 && parts === 1 && cursor?.key !== undefined ? more : joinPages(page, more, question);
    mayHaveMore = more.foundCount >= missing;
  }
  return page;
}

function findRest(question: PageQuestion, cursor: PageCursor, tools: PageTools): Page {
  return showPage(question, cursor.window, tools.search(cursor.window).journeys, tools);
}

/** A page, and one of the window after it in the direction of paging. */
function joinPages(page: Page, more: Page, question: PageQuestion): Page {
  const [before, after] = isTowardsEnd(question, question.cursor) ? [page, more] : [more, page];
  const [earlier, later] = goesForward(question) ? [page, more] : [more, page];
  return {
    window: { start: earlier.window.start, end: later.window.end },
    journeys: [...before.journeys, ...after.journeys],
    foundCount: page.foundCount + more.foundCount,
    next: later.next,
    previous: earlier.previous,
  };
}

function findNewWindow(question: PageQuestion, tools: PageTools): Page {
  const { cursor } = question;
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
    if (answer === undefined || answer.journeys.some((journey) => reachesBeyond(journey, day, request.arriveBy)))
      return undefined;
    const { journeys, isCut } = answer;
    const window = windowOf(question, inOrder(journeys, request.arriveBy).slice(0, count), tools);
    const found = journeys.filter((journey) => isIn(window, journey, request.arriveBy));
    const page = cutPage({ ...question, cursor: undefined }, window, found, tools, cursor, isCut);
    if (!isCut || page.journeys.length === count) return page;
  }
  return undefined;
}

/**
 * Makes a page of the first journeys of a window, without a search for later ones of the window. Undefined if some are
 * not shown.
 */
function showFirst(
  question: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  tools: PageTools,
  pageCursor: PageCursor | undefined,
): Page | undefined {
  if (hasUncertain(question, window, found)) return undefined;
  const kept = withoutBeaten(question, window, found, tools);
  const page = cutPage(question, window, kept, tools, pageCursor, true);
  return page.journeys.length < question.count ? undefined : page;
}

/** A whole day or a given window shows its journeys although others beyond it beat them all. */
function showPage(
  question: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  tools: PageTools,
  pageCursor = question.cursor,
): Page {
  const kept = withoutBeaten(question, window, found, tools);
  const isWhole = question.windowSeconds !== undefined || window.end - window.start >= MAXIMUM_WINDOW_SECONDS;
  const shown = kept.length === 0 && isWhole ? found : kept;
  return { ...cutPage(question, window, shown, tools, pageCursor), foundCount: found.length };
}
