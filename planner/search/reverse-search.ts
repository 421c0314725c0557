/**
 * Searches with `enough` set: finds only the journeys that arrive first (arrive by: leave last). It searches in
 * reverse, backward from the earliest arrivals. Where the window ends too soon for that, it searches forward, up to a
 * bound on the arrival. Caller: the search engine.
 */
import { addArrivals } from './arrivals-of.ts';
import { fewestRides } from './open-routes.ts';
import type { Passes } from './passes.ts';
import { NEVER } from './query.ts';
import type { SearchAnswer, SearchRequest } from './search-types.ts';

/** Span of arrivals that a reverse search looks at, from the earliest arrival on, and its growth where the span holds too few. */
const FIRST_SPAN_SECONDS = 4_000;
const SPAN_STEP = 3;
/**
 * Bound of a forward search: the earliest arrival plus a margin, a share of that journey's duration and some seconds.
 * Where the bound leaves too few results, the margin grows by the share found, within the two limits below.
 */
const MARGIN_FACTOR = 0.2;
const MARGIN_SECONDS = 600;
const SHORTEST_STEP = 1.25;
const LONGEST_STEP = 3;
/** From this number of departures on, tightening the time bounds a second time costs less than it saves. */
const MANY_DEPARTURES = 100;

const NOTHING: SearchAnswer = { journeys: [], isCut: false };

export class ReverseSearch {
  readonly #passes: Passes;

  constructor(passes: Passes) {
    this.#passes = passes;
  }

  /**
   * Undefined where the whole window must be searched. Either it holds fewer journeys, or a journey beyond the bound
   * may need so few rides that a found one exceeds `maximumAdditionalRides`.
   */
  find(request: SearchRequest, enough: number, checkpoint: () => void): SearchAnswer | undefined {
    const { timeBounds, query } = this.#passes;
    const firstArrival = timeBounds.findFirstArrival(checkpoint);
    if (firstArrival >= NEVER) return NOTHING;
    const answer =
      firstArrival + FIRST_SPAN_SECONDS < request.windowSeconds
        ? this.#searchBackward(request, enough, firstArrival, checkpoint)
        : this.#searchForward(request, enough, firstArrival, checkpoint);
    return answer?.journeys.some(({ rideCount }) => rideCount > fewestRides(query) + request.maximumAdditionalRides)
      ? undefined
      : answer;
  }

  /**
   * Searches backward from the end, earliest arrivals first, and stops after the last journey wanted. The
   * earliest-arrival search of `findFirstArrival` bounds it by time at every stop. Arrivals at the end of the window or
   * later stay out, since a ride may take no time and would then depart outside the window.
   */
  #searchBackward(
    request: SearchRequest,
    enough: number,
    firstArrival: number,
    checkpoint: () => void,
  ): SearchAnswer | undefined {
    const { query, timeBounds, rangeQuery, departures } = this.#passes;
    // Each span ends with a minute, since journeys that arrive in the same minute are compared.
    const last = query.lastOfEndRank(query.rankOfStart(request.windowSeconds - 1));
    for (let until = query.lastEndLike(firstArrival + FIRST_SPAN_SECONDS); ; ) {
      until = Math.min(until, last);
      const span = until - firstArrival;
      query.prepareReverse(request, until, span);
      timeBounds.boundReverse(until);
      this.#passes.prepare(checkpoint);
      const isEnough = this.#stopAfter(enough);
      rangeQuery.run(departures, until, checkpoint, isEnough);
      if (isEnough()) return { ...this.#passes.finish(request, NEVER, checkpoint), isCut: true };
      if (until === last) return undefined;
      until += 60 * Math.ceil(((SPAN_STEP - 1) * span) / 60);
    }
  }

  /** True, and the range query stops, once it knows `enough` journeys. */
  #stopAfter(enough: number): () => boolean {
    const { rangeQuery, query } = this.#passes;
    const found: number[] = [];
    let [next, rounds] = [0, query.maximumRides];
    return () => {
      // A journey with fewer rides lowers the limit on rides, so the count starts again.
      if (rangeQuery.rounds < rounds) [found.length, next, rounds] = [0, 0, rangeQuery.rounds];
      for (; next < rangeQuery.groups; next++) addArrivals(rangeQuery, query, next, found);
      return found.length >= enough;
    };
  }

  #searchForward(
    request: SearchRequest,
    enough: number,
    firstArrival: number,
    checkpoint: () => void,
  ): SearchAnswer | undefined {
    const { query, timeBounds, departures } = this.#passes;
    const least = this.#shortestDuration(firstArrival, checkpoint);
    for (let margin = least * MARGIN_FACTOR + MARGIN_SECONDS; ; ) {
      const until = query.lastEndLike(Math.floor(firstArrival + margin));
      if (until >= request.windowSeconds + least) return undefined;
      timeBounds.boundByArrival(until, checkpoint);
      const arrivals = this.#passes.look(until, checkpoint);
      const wanted = arrivals[enough - 1];
      if (wanted === undefined) {
        const step = (enough + 0.5) / (arrivals.length + 0.5);
        margin *= Math.min(LONGEST_STEP, Math.max(SHORTEST_STEP, step));
        continue;
      }
      const latest = query.lastEndLike(wanted);
      if (departures.count >= MANY_DEPARTURES) timeBounds.boundByArrival(latest, checkpoint);
      return this.#passes.finish(request, latest, checkpoint);
    }
  }

  /** Shortest duration of the journeys with the earliest arrival. */
  #shortestDuration(firstArrival: number, checkpoint: () => void): number {
    this.#passes.timeBounds.boundByArrival(firstArrival, checkpoint);
    return firstArrival - this.#passes.timeBounds.latestDeparture();
  }
}
