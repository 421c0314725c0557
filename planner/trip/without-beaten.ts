/**
 * Leaves out the journeys of a window that one beyond it beats. Journeys are compared within their window, so one that
 * leaves at its end may wait for hours. Whether a journey is left out depends on the journey alone, so all pages of a
 * window, and the windows around it, agree. Caller: `find-page.ts`.
 */
import { mergeJourneys } from '../search/merge-journeys.ts';
import type { FoundJourney } from '../search/search-types.ts';
import type { TimeWindow } from './page-cursor.ts';
import type { PageQuestion, PageTools } from './page-types.ts';
import { FIRST_WINDOW_SECONDS, MAXIMUM_WINDOW_SECONDS } from './trip-limits.ts';
import { searchIfSmall } from './widen-window.ts';

/** Whether a journey outside the window may beat this one: one that leaves later and arrives no later. */
export function reachesBeyond({ departure, arrival }: FoundJourney, window: TimeWindow, arriveBy: boolean): boolean {
  return arriveBy ? departure < window.start : arrival > window.end;
}

/**
 * Searches beyond the window part by part, as far as a journey that is left reaches, at most a day. The first part leaves
 * out most of those that reach far.
 */
export function withoutBeaten(
  { request, period }: PageQuestion,
  window: TimeWindow,
  found: readonly FoundJourney[],
  { search }: PageTools,
): readonly FoundJourney[] {
  const { arriveBy } = request;
  let kept = found;
  let { start, end } = window;
  for (let left = MAXIMUM_WINDOW_SECONDS; left > 0; ) {
    const reaching = kept.filter((journey) => reachesBeyond(journey, { start, end }, arriveBy));
    if (reaching.length === 0 || (arriveBy ? start < period.start : end > period.end)) return kept;
    const reach = Math.max(...reaching.map(({ departure, arrival }) => (arriveBy ? start - departure : arrival - end)));
    const seconds = Math.min(
      60 * Math.ceil(reach / 60),
      Math.max(FIRST_WINDOW_SECONDS, window.end - window.start),
      left,
    );
    const beyond = arriveBy ? { start: start - seconds, end: start } : { start: end, end: end + seconds };
    const rest = searchIfSmall(search, beyond)?.journeys;
    if (rest === undefined) return kept;
    const best = new Set(mergeJourneys(kept, rest, request));
    kept = kept.filter((journey) => best.has(journey));
    start = Math.min(start, beyond.start);
    end = Math.max(end, beyond.end);
    left -= seconds;
  }
  return kept;
}
