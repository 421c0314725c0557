/**
 * Where few journeys are enough: only those that arrive first are looked for (for arrive by: that leave last). Mostly by the search
 * turned round; where the window ends too soon for that, straight on and no further than they should need. Caller: the search engine.
 */
import { addArrivals } from './arrivals-of.ts';
import type { Passes } from './passes.ts';
import { NEVER } from './query.ts';
import type { SearchAnswer, SearchRequest } from './search-types.ts';

/** A turned search looks at the arrivals of so long after the soonest; where they do not hold enough, of so many times as long. */
const FIRST_SPAN_SECONDS = 4_000;
const SPAN_STEP = 3;
/**
 * Straight on: how much later than the soonest arrival the others may come: of what that journey takes, and seconds. So far is looked at
 * first; then so many times as far as journeys come by what was seen, within bounds.
 */
const MARGIN_FACTOR = 0.2;
const MARGIN_SECONDS = 600;
const SHORTEST_STEP = 1.25;
const LONGEST_STEP = 3;
/** With so many departures it pays to look anew for what is in time, once it is known when. */
const MANY_DEPARTURES = 100;

const NOTHING: SearchAnswer = { journeys: [], isCut: false };

export class FewJourneys {
  readonly #passes: Passes;

  constructor(passes: Passes) {
    this.#passes = passes;
  }

  /**
   * Undefined where the window does not hold so many, or what was not looked at may have so few rides that some found have too many: then
   * all is to be searched.
   */
  find(request: SearchRequest, enough: number, checkpoint: () => void): SearchAnswer | undefined {
    const { corridor, query } = this.#passes;
    const soonest = corridor.begin(checkpoint);
    if (soonest >= NEVER) return NOTHING;
    const answer =
      soonest + FIRST_SPAN_SECONDS < request.windowSeconds
        ? this.#findTurned(request, enough, soonest, checkpoint)
        : this.#findStraight(request, enough, soonest, checkpoint);
    return answer?.journeys.some(({ rides }) => rides.length > query.fewestRides() + request.maximumAdditionalRides)
      ? undefined
      : answer;
  }

  /**
   * The search turned round: backward from the end, the soonest arrivals first. So it ends with the last journey that is wanted, without
   * having to know beforehand when that arrives; and how soon one can be anywhere is known from `begin`. It looks at no arrival at the end
   * of the window or after it, so at no departure either: there are rides that take no time.
   */
  #findTurned(
    request: SearchRequest,
    enough: number,
    soonest: number,
    checkpoint: () => void,
  ): SearchAnswer | undefined {
    const { query, corridor, rangeQuery, departures } = this.#passes;
    const longest = request.windowSeconds - 1 - soonest;
    for (let span = FIRST_SPAN_SECONDS; ; span = Math.min(span * SPAN_STEP, longest)) {
      const until = soonest + span;
      query.turn(request, until, span);
      corridor.turn(until);
      this.#passes.prepare(checkpoint);
      const isEnough = this.#countTo(enough);
      rangeQuery.run(departures, until, checkpoint, isEnough);
      if (isEnough()) return { ...this.#passes.finish(request, NEVER, checkpoint), isCut: true };
      if (span === longest) return undefined;
    }
  }

  /** Ends the first pass as soon as so many journeys are known. */
  #countTo(enough: number): () => boolean {
    const { rangeQuery, query } = this.#passes;
    const found: number[] = [];
    let [next, rounds] = [0, query.maximumRides];
    return () => {
      // What has too many rides beside one that was found since does not count.
      if (rangeQuery.rounds < rounds) [found.length, next, rounds] = [0, 0, rangeQuery.rounds];
      for (; next < rangeQuery.groups; next++) addArrivals(rangeQuery, query, next, found);
      return found.length >= enough;
    };
  }

  #findStraight(
    request: SearchRequest,
    enough: number,
    soonest: number,
    checkpoint: () => void,
  ): SearchAnswer | undefined {
    const { corridor, departures } = this.#passes;
    const least = this.#quickest(soonest, checkpoint);
    for (let margin = least * MARGIN_FACTOR + MARGIN_SECONDS; ; ) {
      const until = Math.floor(soonest + margin);
      if (until >= request.windowSeconds + least) return undefined;
      corridor.narrow(until, checkpoint);
      const arrivals = this.#passes.look(until, checkpoint);
      const latest = arrivals[enough - 1];
      if (latest === undefined) {
        const step = (enough + 0.5) / (arrivals.length + 0.5);
        margin *= Math.min(LONGEST_STEP, Math.max(SHORTEST_STEP, step));
        continue;
      }
      if (departures.count >= MANY_DEPARTURES) corridor.narrow(latest, checkpoint);
      return this.#passes.finish(request, latest, checkpoint);
    }
  }

  /** The shortest time of any journey that arrives soonest. */
  #quickest(soonest: number, checkpoint: () => void): number {
    this.#passes.corridor.narrow(soonest, checkpoint);
    return soonest - this.#passes.corridor.latestDeparture();
  }
}
