/**
 * One file's timetable, packed for the rules over a dataset. Holds names of lines, interchanges, stop points that it
 * defines, and where, when and on which days each journey calls. Interchanges join journeys of other files, which are
 * unknown while a file is validated. So all journeys are in, at 24 bytes each; equal patterns, times and days are
 * stored once.
 *
 * Callers: `TimetableExtractBuilder` makes it; the dataset stage opens it many times. Opening reads the header. A
 * section is read on demand, so a dataset without interchanges pays nothing for them.
 *
 * Layout, little endian: magic, bytes of each section; the sections, those of numbers first.
 */
import { readPackedLines } from '../packed-lines.ts';
import { PoolReader, unzigzag } from './byte-pool.ts';
import { DaySet } from './day-set.ts';

export const EXTRACT_MAGIC = 0x31455454;
/** In the order of the file. */
export const SECTIONS = [
  'lines',
  'interchanges',
  'stopPoints',
  'journeys',
  'stops',
  'lineTexts',
  'interchangeTexts',
  'pool',
] as const;
export type Section = (typeof SECTIONS)[number];
export const HEADER_WORDS = 1 + SECTIONS.length;

/** Low and high half of a hash. */
export const WORDS_PER_ID = 2;
/** Four ids: from journey, to journey, from point, to point (zeros: absent); then visit numbers (0: absent). */
export const WORDS_PER_INTERCHANGE = 9;
/** Id; offsets in the pool of its stops, its times, its days; start time in seconds. */
export const WORDS_PER_JOURNEY = 6;
/** Stands for a missing offset in the pool. */
export const NOWHERE = 0xffffffff;
/** Form of a time: nothing; else 1 + distance to the time before × FORMS + form. */
export const NO_TIME = 0;
export const FORMS = 3;
export const AT_ONCE = 0;
/** Followed by the distance from arrival to departure. */
export const WAITS = 1;
export const ARRIVES_ONLY = 2;
export const FOR_ALIGHTING = 1;
export const FOR_BOARDING = 2;

export interface ExtractedLine {
  readonly id: string;
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

export interface ExtractedInterchange {
  readonly id: string;
  readonly line: number;
  readonly column: number;
  readonly fromJourneyRef: string;
  readonly toJourneyRef: string;
  readonly fromPointRef: string;
  readonly toPointRef: string;
}

/**
 * A call of a journey at a stop point. Seconds since midnight of the operating day; undefined when unknown. With a
 * departure only, the arrival is the same. A journey with an arrival only ends there.
 */
export interface Call {
  readonly flags: number;
  readonly arrival: number | undefined;
  readonly departure: number | undefined;
}

export class TimetableExtract {
  readonly #bytes: Uint8Array;
  readonly #ends: Partial<Record<Section, readonly [number, number]>> = {};
  #stops: Uint32Array | undefined;
  #pool: PoolReader | undefined;

  /** Empty bytes stand for a file that could not be read. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    if (bytes.length === 0) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getUint32(0, true) !== EXTRACT_MAGIC) throw new Error('These bytes are no timetable extract');
    let at = HEADER_WORDS * 4;
    for (const [index, section] of SECTIONS.entries()) {
      const end = at + view.getUint32(4 + index * 4, true);
      this.#ends[section] = [at, end];
      at = end;
    }
    if (at !== bytes.length) throw new Error('The timetable extract is cut short');
  }

  /** False when the file could not be read; its timetable is then unknown. */
  get wasRead(): boolean {
    return this.#bytes.length > 0;
  }

  get lineCount(): number {
    return this.#sectionBytes('lines') / (WORDS_PER_ID * 4);
  }

  get interchangeCount(): number {
    return this.#sectionBytes('interchanges') / (WORDS_PER_INTERCHANGE * 4);
  }

  get stopPointCount(): number {
    return this.#sectionBytes('stopPoints') / (WORDS_PER_ID * 4);
  }

  get journeyCount(): number {
    return this.#sectionBytes('journeys') / (WORDS_PER_JOURNEY * 4);
  }

  /** Copies a section as words. */
  words(section: 'lines' | 'interchanges' | 'stopPoints' | 'journeys' | 'stops'): Uint32Array {
    return new Uint32Array(this.#section(section).slice().buffer);
  }

  /** The numbers must be ascending. */
  readLines(numbers: readonly number[]): ExtractedLine[] {
    return readPackedLines(this.#section('lineTexts'), numbers).map(([id = '', line, column, name = '']) => {
      return { id, name, line: Number(line), column: Number(column) };
    });
  }

  /** The numbers must be ascending. */
  readInterchanges(numbers: readonly number[]): ExtractedInterchange[] {
    return readPackedLines(this.#section('interchangeTexts'), numbers).map((fields) => {
      const [id = '', line, column, fromJourneyRef = '', toJourneyRef = '', fromPointRef = '', toPointRef = ''] =
        fields;
      return { id, line: Number(line), column: Number(column), fromJourneyRef, toJourneyRef, fromPointRef, toPointRef };
    });
  }

  /** Hashes of the stop points that journeys call at; `visitCalls` passes indexes into them. */
  get stops(): Uint32Array {
    this.#stops ??= this.words('stops');
    return this.#stops;
  }

  /** Visits every call of a journey in order, with the index of its stop point in `stops`. */
  visitCalls(stopsAt: number, timesAt: number, start: number, visit: (stop: number, call: Call) => void): void {
    if (stopsAt === NOWHERE) return;
    const stops = this.#reader();
    stops.at = stopsAt;
    const count = stops.next();
    const times = new PoolReader(this.#section('pool'));
    times.at = timesAt;
    let previous = start;
    for (let index = 0; index < count; index++) {
      const entry = stops.next();
      let arrival: number | undefined;
      let departure: number | undefined;
      const code = timesAt === NOWHERE ? NO_TIME : times.next();
      if (code !== NO_TIME) {
        const form = (code - 1) % FORMS;
        arrival = previous + unzigzag(Math.floor((code - 1) / FORMS));
        if (form === WAITS) departure = arrival + unzigzag(times.next());
        else if (form === AT_ONCE) departure = arrival;
        previous = departure ?? arrival;
      }
      visit(entry >>> 2, { flags: entry & (FOR_ALIGHTING | FOR_BOARDING), arrival, departure });
    }
  }

  readDays(daysAt: number): DaySet {
    const pool = this.#reader();
    pool.at = daysAt;
    return DaySet.read(pool);
  }

  #reader(): PoolReader {
    this.#pool ??= new PoolReader(this.#section('pool'));
    return this.#pool;
  }

  #section(section: Section): Uint8Array {
    const [start, end] = this.#ends[section] ?? [0, 0];
    return this.#bytes.subarray(start, end);
  }

  #sectionBytes(section: Section): number {
    const [start, end] = this.#ends[section] ?? [0, 0];
    return end - start;
  }
}
