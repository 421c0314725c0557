/**
 * What some interchanges need to know of the journeys they join, gathered from the extracts of all files: does the journey
 * exist, does it call at the stop, may one get off or on there, when, and on which days.
 *
 * Callers: the judgement of interchanges, for a part of them at a time, so that memory does not grow with the dataset.
 * Where two files have a journey of the same id, the one read first counts.
 */
import { HashSet } from '../hash-set.ts';
import type { DaySet } from './day-set.ts';
import {
  FOR_ALIGHTING,
  FOR_BOARDING,
  NOWHERE,
  type TimetableExtract,
  WORDS_PER_ID,
  WORDS_PER_INTERCHANGE,
  WORDS_PER_JOURNEY,
} from './timetable-extract.ts';

/** One of the two ends of an interchange: a journey and the stop at which it is left or boarded. */
export interface WantedEnd {
  /** False: the interchange names no journey. */
  readonly journeyNamed: boolean;
  readonly journeyFound: boolean;
  readonly stopNamed: boolean;
  readonly stopFound: boolean;
  /** Whether the calls of the journey are known at all. */
  readonly callsKnown: boolean;
  readonly isCalledAt: boolean;
  /** At one of the calls meant, at least. */
  readonly isAllowed: boolean;
  /** Arrivals at the stop of a feeder, departures of a consumer, in seconds; where some are allowed, those alone. */
  readonly times: readonly number[];
  /** Undefined: not known. */
  readonly days: DaySet | undefined;
}

interface JourneyFacts {
  readonly callsKnown: boolean;
  readonly days: DaySet | undefined;
}

interface FoundCalls {
  visits: number;
  /** Calls of the visit that the interchange means; of all when it does not say. */
  meant: number;
  isAllowed: boolean;
  times: number[];
}

export class WantedCalls {
  /** Words of the interchanges, one after the other. */
  readonly #words: Uint32Array;
  readonly #journeys = new HashSet();
  readonly #stops = new HashSet();
  readonly #foundStops: Uint8Array;
  readonly #journeyFacts: (JourneyFacts | undefined)[] = [];
  /** By journey: an end that names it, and by end the next one of the same journey, plus one; 0 is none. */
  readonly #firstEnd: Uint32Array;
  readonly #nextEnd: Uint32Array;
  readonly #calls: (FoundCalls | undefined)[] = [];

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
    for (let at = 0; at < rows.length; at += WORDS_PER_JOURNEY) {
      const journey = this.#journeys.find(rows[at + 1] as number, rows[at] as number);
      if (journey < 0 || this.#journeyFacts[journey]) continue;
      const [stopsAt, timesAt, daysAt, start] = rows.subarray(at + 2, at + 6) as unknown as [
        number,
        number,
        number,
        number,
      ];
      this.#journeyFacts[journey] = { callsKnown: stopsAt !== NOWHERE, days: daysFrom(extract, daysAt, days) };
      this.#takeCalls(extract, journey, stopsAt, timesAt, start | 0);
    }
  }

  /** Of the interchange with the number, counted within the part. */
  feeder(interchange: number): WantedEnd {
    return this.#end(interchange * 2);
  }

  consumer(interchange: number): WantedEnd {
    return this.#end(interchange * 2 + 1);
  }

  #takeCalls(extract: TimetableExtract, journey: number, stopsAt: number, timesAt: number, start: number): void {
    const { stops } = extract;
    extract.visitCalls(stopsAt, timesAt, start, (stop, { flags, arrival, departure }) => {
      const [low, high] = [stops[stop * WORDS_PER_ID], stops[stop * WORDS_PER_ID + 1]];
      for (let end = this.#endAt(this.#firstEnd, journey); end >= 0; end = this.#endAt(this.#nextEnd, end)) {
        const stopAt = this.#stopAt(end);
        if (this.#words[stopAt] !== low || this.#words[stopAt + 1] !== high || !this.#isNamed(stopAt)) continue;
        const isFeeder = end % 2 === 0;
        const allowed = (flags & (isFeeder ? FOR_ALIGHTING : FOR_BOARDING)) !== 0;
        this.#takeCall(end, allowed, isFeeder ? arrival : departure);
      }
    });
  }

  #takeCall(end: number, allowed: boolean, time: number | undefined): void {
    const calls = this.#calls[end] ?? { visits: 0, meant: 0, isAllowed: false, times: [] };
    this.#calls[end] = calls;
    calls.visits++;
    const visit = this.#visitNumber(end);
    if (visit !== 0 && visit !== calls.visits) return;
    calls.meant++;
    if (allowed && !calls.isAllowed) calls.times = [];
    if (time !== undefined && (allowed || !calls.isAllowed)) calls.times.push(time);
    calls.isAllowed ||= allowed;
  }

  #end(end: number): WantedEnd {
    const [journeyAt, stopAt] = [this.#journeyAt(end), this.#stopAt(end)];
    const [journeyNamed, stopNamed] = [this.#isNamed(journeyAt), this.#isNamed(stopAt)];
    const facts = journeyNamed ? this.#journeyFacts[this.#numberOf(this.#journeys, journeyAt)] : undefined;
    const calls = this.#calls[end];
    return {
      journeyNamed,
      stopNamed,
      journeyFound: facts !== undefined,
      stopFound: stopNamed && this.#foundStops[this.#numberOf(this.#stops, stopAt)] === 1,
      callsKnown: facts?.callsKnown ?? false,
      isCalledAt: calls !== undefined,
      isAllowed: calls !== undefined && (calls.isAllowed || calls.meant === 0),
      times: calls?.times ?? [],
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
