/**
 * Packs a file's timetable for the rules over the dataset; timetable-extract.ts documents the format.
 *
 * Callers: the collector of validateFile; tests. Keeps hashes and packed texts, never an element.
 */
import { ABSENT } from '../../model/passing-times.ts';
import { growingUint32, type Uint32List } from '../../packed/growing-array.ts';
import { HashSet } from '../hash-set.ts';
import { IdHasher } from '../id-hash.ts';
import { PackedLinesBuilder, printable } from '../packed-lines.ts';
import { BytePool, zigzag } from './byte-pool.ts';
import type { DaySet } from './day-set.ts';
import {
  ARRIVES_ONLY,
  AT_ONCE,
  EXTRACT_MAGIC,
  FOR_ALIGHTING,
  FOR_BOARDING,
  FORMS,
  HEADER_WORDS,
  NO_TIME,
  NOWHERE,
  SECTIONS,
  type Section,
  WAITS,
} from './timetable-extract.ts';

/** A line file has one line. When a file has many, these suffice to report it. */
const LINES_KEPT = 100;
/** Seconds. A day offset beyond a few months cannot be a waiting time. */
const LATEST = 2 ** 24;

export interface InterchangeToPack {
  readonly id: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly fromJourneyRef: string | undefined;
  readonly toJourneyRef: string | undefined;
  readonly fromPointRef: string | undefined;
  readonly toPointRef: string | undefined;
  readonly fromVisitNumber: number | undefined;
  readonly toVisitNumber: number | undefined;
}

export interface StopToPack {
  readonly scheduledStopPointRef: string | undefined;
  readonly forBoarding: boolean | undefined;
  readonly forAlighting: boolean | undefined;
}

/** Offsets in the pool of parts that several journeys may share. */
export interface JourneyParts {
  readonly stops: number;
  readonly times: number;
  readonly start: number;
  readonly days: number;
}

export const NOTHING_KNOWN: JourneyParts = { stops: NOWHERE, times: NOWHERE, start: 0, days: NOWHERE };

export class TimetableExtractBuilder {
  readonly #hasher = new IdHasher();
  readonly #lines = growingUint32();
  readonly #lineTexts = new PackedLinesBuilder();
  readonly #interchanges = growingUint32();
  readonly #interchangeTexts = new PackedLinesBuilder();
  readonly #stopPoints = growingUint32();
  readonly #journeys = growingUint32();
  readonly #stops = growingUint32();
  readonly #stopNumbers = new HashSet();
  readonly #pool = new BytePool();
  #linesKept = 0;

  addLine(id: string, name: string, line: number | null, column: number | null): void {
    if (name === '' || this.#linesKept++ >= LINES_KEPT) return;
    this.#addId(this.#lines, name);
    this.#lineTexts.add(`${printable(id)}\t${line}\t${column}\t${printable(name)}`);
  }

  addInterchange(interchange: InterchangeToPack): void {
    const { id, line, column, fromJourneyRef, toJourneyRef, fromPointRef, toPointRef } = interchange;
    const refs = [fromJourneyRef, toJourneyRef, fromPointRef, toPointRef];
    for (const ref of refs) this.#addId(this.#interchanges, ref);
    const { fromVisitNumber, toVisitNumber } = interchange;
    this.#interchanges.push(packVisits(fromVisitNumber, toVisitNumber));
    const texts = [id, ...refs].map((text) => printable(text ?? ''));
    this.#interchangeTexts.add([texts[0], line, column, ...texts.slice(1)].join('\t'));
  }

  addStopPoint(id: string): void {
    this.#addId(this.#stopPoints, id);
  }

  addJourney(id: string, { stops, times, start, days }: JourneyParts): void {
    this.#addId(this.#journeys, id);
    for (const word of [stops, times, days, start >>> 0]) this.#journeys.push(word);
  }

  /** Packs the stops of a journey pattern, in order. */
  packStops(stops: readonly StopToPack[]): number {
    const numbers = stops.map(({ scheduledStopPointRef }) => this.#stopNumber(scheduledStopPointRef ?? ''));
    this.#pool.begin();
    this.#pool.add(stops.length);
    for (const [index, { forBoarding, forAlighting }] of stops.entries()) {
      const flags = (forAlighting === false ? 0 : FOR_ALIGHTING) | (forBoarding === false ? 0 : FOR_BOARDING);
      this.#pool.add((numbers[index] as number) * 4 + flags);
    }
    return this.#pool.end();
  }

  /**
   * Packs times by the stop's place in the pattern; ABSENT where a stop has none. Times are relative to the first, so
   * that journeys of the same time-demand type share them.
   */
  packTimes(arrivals: Int32Array, departures: Int32Array, count: number): { times: number; start: number } {
    let start = 0;
    for (let index = 0; index < count; index++) {
      start = known(arrivals[index], departures[index]);
      if (start !== ABSENT) break;
    }
    if (start === ABSENT || count === 0) return { times: NOWHERE, start: 0 };
    let previous = start;
    this.#pool.begin();
    for (let index = 0; index < count; index++) {
      const arrival = known(arrivals[index], departures[index]);
      const departure = known(departures[index], ABSENT);
      if (arrival === ABSENT) {
        this.#pool.add(NO_TIME);
        continue;
      }
      const form = departure === ABSENT ? ARRIVES_ONLY : departure === arrival ? AT_ONCE : WAITS;
      this.#pool.add(1 + zigzag(arrival - previous) * FORMS + form);
      if (form === WAITS) this.#pool.add(zigzag(departure - arrival));
      previous = form === WAITS ? departure : arrival;
    }
    return { times: this.#pool.end(), start };
  }

  packDays(days: DaySet): number {
    this.#pool.begin();
    days.write(this.#pool);
    return this.#pool.end();
  }

  build(): Uint8Array {
    const sections: Record<Section, Uint8Array> = {
      lines: bytesOf(this.#lines),
      interchanges: bytesOf(this.#interchanges),
      stopPoints: bytesOf(this.#stopPoints),
      journeys: bytesOf(this.#journeys),
      stops: bytesOf(this.#stops),
      lineTexts: this.#lineTexts.build(),
      interchangeTexts: this.#interchangeTexts.build(),
      pool: this.#pool.build(),
    };
    const header = HEADER_WORDS * 4;
    const bytes = new Uint8Array(SECTIONS.reduce((sum, section) => sum + sections[section].length, header));
    const view = new DataView(bytes.buffer);
    view.setUint32(0, EXTRACT_MAGIC, true);
    let at = header;
    for (const [index, section] of SECTIONS.entries()) {
      view.setUint32(4 + index * 4, sections[section].length, true);
      bytes.set(sections[section], at);
      at += sections[section].length;
    }
    return bytes;
  }

  #stopNumber(id: string): number {
    this.#hasher.hash(id);
    const { high, low } = this.#hasher;
    const number = this.#stopNumbers.find(high, low);
    if (number >= 0) return number;
    this.#stopNumbers.add(high, low);
    this.#stops.push(low);
    this.#stops.push(high);
    return this.#stopNumbers.size - 1;
  }

  #addId(list: Uint32List, id: string | undefined): void {
    if (id === undefined || id === '') {
      list.push(0);
      list.push(0);
      return;
    }
    this.#hasher.hash(id);
    list.push(this.#hasher.low);
    list.push(this.#hasher.high);
  }
}

function bytesOf(words: Uint32List): Uint8Array {
  const { buffer, byteOffset, byteLength } = words.values();
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The first of two times that is given and plausible. */
function known(time: number | undefined, other: number | undefined): number {
  const found = time === undefined || time === ABSENT ? other : time;
  return found === undefined || found === ABSENT || Math.abs(found) > LATEST ? ABSENT : found;
}

const MOST_VISITS = 0xffff;

function packVisits(from: number | undefined, to: number | undefined): number {
  const within = (visit: number | undefined): number =>
    visit === undefined || visit < 1 || visit > MOST_VISITS ? 0 : visit;
  return ((within(from) << 16) | within(to)) >>> 0;
}
