/**
 * One page of journeys: searches a window, widens it until there are enough, and cuts what is shown. The pages of a question are cut
 * out of windows that lie side by side, so none repeats or skips a journey: a window is shown to its end, by the
 * order of journeys and the key of the last one shown, before the next window begins.
 */
import type { FoundJourney, SearchAnswer } from '../search/search-types.ts';
import { type JourneyOrder, journeyOrder, keyOf } from './journey-order.ts';
import { mergeJourneys } from './merge-journeys.ts';
import type { PageCursor, TimeWindow } from './page-cursor.ts';
import type { WindowlessRequest } from './search-request.ts';
import { ENOUGH_PATTERNS, FIRST_WINDOW_SECONDS, MAXIMUM_WINDOW_SECONDS, WIDENING_MS } from './trip-limits.ts';
import { TripSearchFailure } from './trip-search-failure.ts';

/** So many times as many are looked for where some of the first are not shown. */
const MORE_FACTOR = 3;

export interface PageQuestion {
  readonly request: WindowlessRequest;
  readonly time: number;
  readonly windowSeconds: number | undefined;
  readonly count: number;
  readonly cursor: PageCursor | undefined;
  /** What cursors say of where they belong. */
  readonly snapshotId: string;
  readonly questionHash: string;
  /** Outside of it nothing runs. */
  readonly period: TimeWindow;
}

export interface PageTools {
  /** All of a window, or with `enough` at least so many, the first in the order of journeys: then some may have been left out (`isCut`). */
  search(window: TimeWindow, enough?: number): SearchAnswer;
  /** What is not shown though it was found; must depend on the journey alone. */
  isShown(journey: FoundJourney): boolean;
  /** False: no search finds anything, at no time. */
  mayConnect(): boolean;
}

export interface Page {
  readonly window: TimeWindow;
  readonly journeys: readonly FoundJourney[];
  /** Found in the window, shown on this page or not. */
  readonly foundCount: number;
  readonly next: PageCursor;
  readonly previous: PageCursor;
}

export function findPage(question: PageQuestion, tools: PageTools): Page {
  const { cursor } = question;
  if (cursor?.key !== undefined) {
    const found = tools.search(cursor.window).journeys;
    const page = showPage(question, cursor.window, found, tools);
    // Empty when the page before showed the last journey but could not know, or on a newer snapshot: what was to come is gone.
    if (page.journeys.length > 0) return page;
  }
  const unkeyed = { ...question, cursor: undefined };
  const soon = isTowardsEnd(question, cursor) ? findSoon(question, tools) : undefined;
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
 * The first journeys of a whole day, where no more are asked for and no window: they tell how long the window is that holds them,
 * and no journey of the day beats them. Undefined where too few of them are shown, or the search is too large.
 */
function findSoon(question: PageQuestion, tools: PageTools): Page | undefined {
  const { count, windowSeconds, request, cursor } = question;
  if (windowSeconds !== undefined || count > ENOUGH_PATTERNS) return undefined;
  const day = firstWindow({ ...question, windowSeconds: MAXIMUM_WINDOW_SECONDS });
  for (const enough of [count, MORE_FACTOR * count]) {
    const answer = searchIfSmall(tools.search, day, enough);
    if (answer === undefined || hasDoubtful(question, day, answer.journeys)) return undefined;
    const { journeys, isCut } = answer;
    const window = windowOf(question, inOrder(journeys, request.arriveBy).slice(0, count), tools);
    const found = journeys.filter((journey) => isIn(window, journey, request.arriveBy));
    const page = cutPage({ ...question, cursor: undefined }, window, found, tools, cursor, isCut);
    if (!isCut || page.journeys.length === count) return page;
  }
  return undefined;
}

function inOrder(journeys: readonly FoundJourney[], arriveBy: boolean): readonly FoundJourney[] {
  const order = journeyOrder(arriveBy);
  return journeys.toSorted((a, b) => order(keyOf(a), keyOf(b)));
}

/** The first window, doubled until it holds all of these, and longer where they are too few. */
function windowOf(question: PageQuestion, journeys: readonly FoundJourney[], { mayConnect }: PageTools): TimeWindow {
  const { period, request, count } = question;
  const isEnough = journeys.length >= count || (journeys.length === 0 && !mayConnect());
  for (let seconds = FIRST_WINDOW_SECONDS; ; seconds = Math.min(2 * seconds, MAXIMUM_WINDOW_SECONDS)) {
    const window = firstWindow({ ...question, windowSeconds: seconds });
    const isOver = goesForward(question) ? window.end > period.end : window.start < period.start;
    if (isOver || seconds === MAXIMUM_WINDOW_SECONDS) return window;
    if (isEnough && journeys.every((journey) => isIn(window, journey, request.arriveBy))) return window;
  }
}

function isIn({ start, end }: TimeWindow, { departure, arrival }: FoundJourney, arriveBy: boolean): boolean {
  return arriveBy ? arrival > start && arrival <= end : departure >= start && departure < end;
}

/**
 * The page that the first journeys of a window make, without looking for those that come after them. Not where some are not shown, or
 * where they must be compared beyond the window.
 */
function showFirst(
  question: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  tools: PageTools,
  wayOfCursor: PageCursor | undefined,
): Page | undefined {
  if (hasDoubtful(question, window, found)) return undefined;
  const page = cutPage(question, window, found, tools, wayOfCursor, true);
  return page.journeys.length < question.count ? undefined : page;
}

/** Towards the end of the list is later for depart after, earlier for arrive by. */
function isTowardsEnd({ request }: PageQuestion, wayOfCursor: PageCursor | undefined): boolean {
  return wayOfCursor === undefined || (wayOfCursor.direction === 'next') !== request.arriveBy;
}

/** The direction in which a page's windows follow one another. */
function goesForward({ cursor, request }: PageQuestion): boolean {
  return cursor === undefined ? !request.arriveBy : cursor.direction === 'next';
}

function firstWindow(question: PageQuestion): TimeWindow {
  const { cursor, time } = question;
  const seconds = Math.min(question.windowSeconds ?? FIRST_WINDOW_SECONDS, MAXIMUM_WINDOW_SECONDS);
  const forward = goesForward(question);
  const at = cursor === undefined ? time : forward ? cursor.window.end : cursor.window.start;
  return forward ? { start: at, end: at + seconds } : { start: at - seconds, end: at };
}

/** A window that was asked for stays as it is. */
function widen(
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
  while (windowSeconds === undefined && (found.length < enough || hasDoubtful(question, window, found))) {
    const seconds = window.end - window.start;
    const more = Math.min(seconds, MAXIMUM_WINDOW_SECONDS - seconds);
    if (more <= 0 || (forward ? window.end > period.end : window.start < period.start)) break;
    // As much again as was searched so far takes as long again. The cursors tell which window it was in the end.
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

/** Undefined when it is too large: what was found before is answer enough. */
function searchIfSmall(search: PageTools['search'], window: TimeWindow, enough?: number): SearchAnswer | undefined {
  try {
    return search(window, enough);
  } catch (error) {
    if (error instanceof TripSearchFailure && error.code === 'tooLarge') return undefined;
    throw error;
  }
}

/**
 * Journeys are compared within their window; one that leaves at its very end may wait for hours and be beaten by nothing there.
 * Where such a one would be shown, the window is compared with as much time beyond it, and what is beaten from there is left out.
 * That depends on the window alone, so every page of it leaves out the same.
 */
function showPage(
  question: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  tools: PageTools,
  wayOfCursor = question.cursor,
): Page {
  const { request } = question;
  const page = cutPage(question, window, found, tools, wayOfCursor);
  if (!page.journeys.some((journey) => isDoubtful(journey, window, found, request.arriveBy))) return page;
  const { start, end } = window;
  const beyond = request.arriveBy ? { start: 2 * start - end, end: start } : { start: end, end: 2 * end - start };
  const rest = searchIfSmall(tools.search, beyond)?.journeys;
  if (rest === undefined) return page;
  const best = new Set(mergeJourneys(found, rest, request));
  const kept = found.filter((journey) => best.has(journey));
  return kept.length === 0 ? page : cutPage(question, window, kept, tools, wayOfCursor);
}

/** Among those that a first page would show. */
function hasDoubtful({ request, count }: PageQuestion, window: TimeWindow, found: readonly FoundJourney[]): boolean {
  if (found.length === 0) return false;
  const first = inOrder(found, request.arriveBy).slice(0, Math.min(count, ENOUGH_PATTERNS));
  return first.some((journey) => isDoubtful(journey, window, found, request.arriveBy));
}

/** One half as quick as the quickest of the window, begun where the window ends, would beat it. Looking further costs a search. */
function isDoubtful(
  { departure, arrival, rides }: FoundJourney,
  window: TimeWindow,
  found: readonly FoundJourney[],
  arriveBy: boolean,
): boolean {
  let quickest = arrival - departure;
  for (const other of found) {
    if (other.rides.length <= rides.length) quickest = Math.min(quickest, other.arrival - other.departure);
  }
  return arriveBy ? departure < window.start - 2 * quickest : arrival > window.end + 2 * quickest;
}

function cutPage(
  question: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  { isShown }: PageTools,
  wayOfCursor = question.cursor,
  hasMore = false,
): Page {
  const { request, count, cursor } = question;
  const order = journeyOrder(request.arriveBy);
  const all = found.filter(isShown).sort((a, b) => order(keyOf(a), keyOf(b)));
  const towardsEnd = isTowardsEnd(question, wayOfCursor);
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

/** The part of the list that the cursor has not yet passed. */
function bounds(
  all: readonly FoundJourney[],
  order: JourneyOrder,
  cursor: PageCursor | undefined,
  isTowardsEnd: boolean,
): [from: number, to: number] {
  const key = cursor?.key;
  if (key === undefined) return [0, all.length];
  if (isTowardsEnd) {
    const from = all.findIndex((journey) => order(keyOf(journey), key) > 0);
    return [from < 0 ? all.length : from, all.length];
  }
  const to = all.findIndex((journey) => order(keyOf(journey), key) >= 0);
  return [0, to < 0 ? all.length : to];
}
