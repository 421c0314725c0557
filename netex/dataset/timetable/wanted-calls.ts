/**
 * Gathers from the extracts of all files what interchanges need to know about the journeys that they join. Does the
 * journey exist, does it call at the stop, is alighting or boarding allowed there, when, and on which days?
 *
 * Callers: the check of interchanges, for a part of them at a time, so that memory does not grow with the dataset.
 * When two files have a journey of the same id, the first one read counts.
 */
import { HashSet } from '../hash-set.ts';
import type { DaySet } from './day-set.ts';
import {
  type Call,
  FOR_ALIGHTING,
  FOR_BOARDING,
  NOWHERE,
  type TimetableExtract,
  WORDS_PER_ID,
  WORDS_PER_INTERCHANGE,
  WORDS_PER_JOURNEY,
} from './timetable-extract.ts';

/** No real journey calls at one stop more often. Beyond it, the intended call and its time are unknown. */
const MOST_CALLS = 30;

/** One of the two ends of an interchange: a journey and the stop at which passengers alight or board. */
export interface WantedEnd {
  /** False when the interchange refers to no journey. */
  readonly journeyNamed: boolean;
  readonly journeyFound: boolean;
  readonly stopNamed: boolean;
  readonly stopFound: boolean;
  /** Whether the calls of the journey are known. */
  readonly callsKnown: boolean;
  readonly isCalledAt: boolean;
  /** Whether alighting or boarding is allowed at one of the intended calls at least. */
  readonly isAllowed: boolean;
  /**
   * A feeder's arrivals at the stop, or a consumer's departures, in seconds. If some calls allow alighting or
   * boarding, only theirs.
   */
  readonly times: readonly number[];
  /** Undefined when unknown. */
  readonly days: DaySet | undefined;
}

interface JourneyFacts {
  /** Calls at the stops of its ends, by index of the stop; undefined when unknown. */
  readonly calls: ReadonlyMap<number, readonly Call[]> | undefined;
  readonly days: DaySet | undefined;
}

export class WantedCalls {
  /** Words of successive interchanges. */
  readonly #words: Uint32Array;
  readonly #journeys = new HashSet();
  readonly #stops = new HashSet();
  readonly #foundStops: Uint8Array;
  readonly #journeyFacts: (JourneyFacts | undefined)[] = [];
  /** For each journey: one of its ends. For each end: the next one of the same journey, plus one; 0 for none. */
  readonly #firstEnd: Uint32Array;
  readonly #nextEnd: Uint32Array;

  constructor(words: Uint32Array) {
    this.#words = words;
    const ends = (words.length / WORDS_PER_INTERCHANGE) * 2;
    this.#firstEnd = new Uint32Array(ends);
    this.#nextEnd = new Uint32Array(ends);
    for (let end = 0; end < ends; end++) {
      const [journeyAt, stopAt] = [this.#journeyAt(end), this.#stopAt(end)];
      if (this.#isNamed(stopAt)) this.#stops.add(words[stopAt + 1] as number, words[stopAt] as number);
      if (!this.#isNamed(journeyAt)) continue;
      this.#journeys.add(words[journeyAt + 1] as number, words[journeyAt] as number);
      const journey = this.#numberOf(this.#journeys, journeyAt);
      this.#nextEnd[end] = this.#firstEnd[journey] as number;
      this.#firstEnd[journey] = end + 1;
    }
    this.#foundStops = new Uint8Array(this.#stops.size);
  }

  takeStopPoints(extract: TimetableExtract): void {
    const defined = extract.words('stopPoints');
    for (let at = 0; at < defined.length; at += WORDS_PER_ID) {
      const stop = this.#stops.find(defined[at + 1] as number, defined[at] as number);
      if (stop >= 0) this.#foundStops[stop] = 1;
    }
  }

  takeJourneys(extract: TimetableExtract): void {
    const rows = extract.words('journeys');
    const days = new Map<number, DaySet>();
    /**
     * Keyed by what journeys share: a journey and its dates, or journeys of a pattern without times. Each group is
     * unpacked once.
     */
    const alike = new Map<string, { at: number; journeys: number[] }>();
    for (let at = 0; at < rows.length; at += WORDS_PER_JOURNEY) {
      const journey = this.#journeys.find(rows[at + 1] as number, rows[at] as number);
      if (journey < 0 || this.#journeyFacts[journey]) continue;
      const daysAt = rows[at + 4] as number;
      this.#journeyFacts[journey] = { calls: undefined, days: daysFrom(extract, daysAt, days) };
      if (rows[at + 2] === NOWHERE) continue;
      const key = `${rows[at + 2]} ${rows[at + 3]} ${rows[at + 5]}`;
      const group = alike.get(key);
      if (group) group.journeys.push(journey);
      else alike.set(key, { at, journeys: [journey] });
    }
    for (const { at, journeys } of alike.values()) {
      const [stopsAt = NOWHERE, timesAt = NOWHERE, , start = 0] = rows.subarray(at + 2, at + WORDS_PER_JOURNEY);
      const calls = this.#callsAt(this.#stopsNamedWith(journeys), extract, stopsAt, timesAt, start | 0);
      for (const journey of journeys) {
        this.#journeyFacts[journey] = { calls, days: this.#journeyFacts[journey]?.days };
      }
    }
  }

  /** The feeder of the interchange with this index in the part. */
  feeder(interchange: number): WantedEnd {
    return this.#end(interchange * 2);
  }

  consumer(interchange: number): WantedEnd {
    return this.#end(interchange * 2 + 1);
  }

  /** Indexes of the stops at which interchanges join one of the journeys. */
  #stopsNamedWith(journeys: readonly number[]): Set<number> {
    const stops = new Set<number>();
    for (const journey of journeys) {
      for (let end = this.#endAt(this.#firstEnd, journey); end >= 0; end = this.#endAt(this.#nextEnd, end)) {
        const stopAt = this.#stopAt(end);
        if (this.#isNamed(stopAt)) stops.add(this.#numberOf(this.#stops, stopAt));
      }
    }
    return stops;
  }

  #callsAt(
    wanted: ReadonlySet<number>,
    extract: TimetableExtract,
    stopsAt: number,
    timesAt: number,
    start: number,
  ): Map<number, Call[]> {
    const { stops } = extract;
    const found = new Map<number, Call[]>();
    extract.visitCalls(stopsAt, timesAt, start, (place, call) => {
      const at = place * WORDS_PER_ID;
      const stop = this.#stops.find(stops[at + 1] as number, stops[at] as number);
      if (!wanted.has(stop)) return;
      const calls = found.get(stop);
      if (calls === undefined) found.set(stop, [call]);
      else if (calls.length <= MOST_CALLS) calls.push(call);
    });
    return found;
  }

  #end(end: number): WantedEnd {
    const [journeyAt, stopAt] = [this.#journeyAt(end), this.#stopAt(end)];
    const [journeyNamed, stopNamed] = [this.#isNamed(journeyAt), this.#isNamed(stopAt)];
    const facts = journeyNamed ? this.#journeyFacts[this.#numberOf(this.#journeys, journeyAt)] : undefined;
    const stop = stopNamed ? this.#numberOf(this.#stops, stopAt) : -1;
    const calls = facts?.calls?.get(stop) ?? [];
    const isFeeder = end % 2 === 0;
    const meant = callsMeant(calls, this.#visitNumber(end));
    const allowed = meant.filter(({ flags }) => (flags & (isFeeder ? FOR_ALIGHTING : FOR_BOARDING)) !== 0);
    const timed = allowed.length > 0 ? allowed : meant;
    return {
      journeyNamed,
      stopNamed,
      journeyFound: facts !== undefined,
      stopFound: stopNamed && this.#foundStops[stop] === 1,
      callsKnown: facts?.calls !== undefined,
      isCalledAt: calls.length > 0,
      isAllowed: calls.length > 0 && (allowed.length > 0 || meant.length === 0),
      times: timed
        .map(({ arrival, departure }) => (isFeeder ? arrival : departure))
        .filter((time) => time !== undefined),
      days: facts?.days,
    };
  }

  #endAt(list: Uint32Array, at: number): number {
    return (list[at] as number) - 1;
  }

  #journeyAt(end: number): number {
    return (end >> 1) * WORDS_PER_INTERCHANGE + (end & 1) * WORDS_PER_ID;
  }

  #stopAt(end: number): number {
    return this.#journeyAt(end) + 2 * WORDS_PER_ID;
  }

  #visitNumber(end: number): number {
    const both = this.#words[(end >> 1) * WORDS_PER_INTERCHANGE + WORDS_PER_INTERCHANGE - 1] as number;
    return end % 2 === 0 ? both >>> 16 : both & 0xffff;
  }

  #isNamed(at: number): boolean {
    return this.#words[at] !== 0 || this.#words[at + 1] !== 0;
  }

  #numberOf(set: HashSet, at: number): number {
    return set.find(this.#words[at + 1] as number, this.#words[at] as number);
  }
}

/** The visit that the interchange refers to, or all visits when it gives none (0). Empty when unknown. */
function callsMeant(calls: readonly Call[], visit: number): readonly Call[] {
  if (calls.length > MOST_CALLS) return [];
  return visit === 0 ? calls : calls.slice(visit - 1, visit);
}

/** Journeys of a file share their sets of days. */
function daysFrom(extract: TimetableExtract, daysAt: number, known: Map<number, DaySet>): DaySet | undefined {
  if (daysAt === NOWHERE) return undefined;
  let days = known.get(daysAt);
  if (!days) {
    days = extract.readDays(daysAt);
    known.set(daysAt, days);
  }
  return days;
}
