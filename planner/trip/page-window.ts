/** Windows of time for pages. The functions are pure. */
import type { FoundJourney } from '../search/search-types.ts';
import type { PageCursor, TimeWindow } from './page-cursor.ts';
import type { PageQuestion, PageTools } from './page-types.ts';
import { EARLIEST_TIME, FIRST_WINDOW_SECONDS, LATEST_TIME, MAXIMUM_WINDOW_SECONDS } from './trip-limits.ts';

export function firstWindow(question: PageQuestion): TimeWindow {
  const { cursor, time } = question;
  const seconds = Math.min(question.windowSeconds ?? FIRST_WINDOW_SECONDS, MAXIMUM_WINDOW_SECONDS);
  const forward = goesForward(question);
  const edge = cursor === undefined ? time : forward ? cursor.window.end : cursor.window.start;
  const at = Math.min(Math.max(edge, EARLIEST_TIME), LATEST_TIME);
  return forward ? { start: at, end: at + seconds } : { start: at - seconds, end: at };
}

/**
 * Returns the first window, doubled until it holds these journeys. If they are too few, it returns the maximum window.
 */
export function windowOf(
  question: PageQuestion,
  journeys: readonly FoundJourney[],
  { mayConnect }: PageTools,
): TimeWindow {
  const { period, request, count } = question;
  const isEnough = journeys.length >= count || (journeys.length === 0 && !mayConnect());
  for (let seconds = FIRST_WINDOW_SECONDS; ; seconds = Math.min(2 * seconds, MAXIMUM_WINDOW_SECONDS)) {
    const window = firstWindow({ ...question, windowSeconds: seconds });
    const isOver = goesForward(question) ? window.end > period.end : window.start < period.start;
    if (isOver || seconds === MAXIMUM_WINDOW_SECONDS) return window;
    if (isEnough && journeys.every((journey) => isIn(window, journey, request.arriveBy))) return window;
  }
}

export function isIn({ start, end }: TimeWindow, { departure, arrival }: FoundJourney, arriveBy: boolean): boolean {
  return arriveBy ? arrival > start && arrival <= end : departure >= start && departure < end;
}

/** Direction in which the windows of pages follow one another. */
export function goesForward({ cursor, request }: PageQuestion): boolean {
  return cursor === undefined ? !request.arriveBy : cursor.direction === 'next';
}

/** Whether paging goes towards the end of the list: later for depart after, earlier for arrive by. */
export function isTowardsEnd({ request }: PageQuestion, pageCursor: PageCursor | undefined): boolean {
  return pageCursor === undefined || (pageCursor.direction === 'next') !== request.arriveBy;
}
