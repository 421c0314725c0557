/**
 * Joins the entities of one file after the other to the outline of their dataset. Caller: `outline-reader.ts`. A journey
 * whose pattern or line the dataset lacks is left out, as in the journey planner.
 */
import { IdHasher } from '../dataset/id-hash.ts';
import type { ValidDays } from '../entities/entity-types.ts';
import { isValid } from '../entities/validity.ts';
import type { Calendar } from '../model/calendar.ts';
import { growingInt32 } from '../packed/growing-array.ts';
import { NumberHasher } from '../packed/number-hash.ts';
import type { StopRegister } from '../stop-register/stop-register.ts';
import { DatedRuns } from './dated-runs.ts';
import type { DayKey, FileEntities, PatternFacts } from './file-entities.ts';
import { JourneyTable } from './journey-table.ts';
import type { DatasetOutline, LineFacts, StopFactsKept, Vocabulary } from './outline.ts';
import { findStopFacts } from './stop-outline.ts';

export interface OutlinedFile {
  readonly entities: FileEntities;
  /** Absent for the common files themselves. */
  readonly common?: FileEntities;
  /** Of the file and of the common ones. */
  readonly calendar: Calendar;
  /** SiteFrames of the file and of the common ones. */
  readonly stops: readonly StopRegister[];
}

interface JoinedPattern {
  readonly line: number;
  readonly direction: number;
  readonly stopsHigh: number;
  readonly stopsLow: number;
  readonly firstStop: number;
  readonly lastStop: number;
  readonly lineValidity: ValidDays | undefined;
}

interface JoinedDays {
  readonly set: number;
  /** Ascending, in the window or not. */
  readonly days: ArrayLike<number>;
}

/** For a journey that runs on no day at all. */
const NEVER = -1;

export class OutlineBuilder {
  readonly #vocabulary: Vocabulary;
  readonly #register: StopRegister | undefined;
  readonly #lines = new Map<number, LineFacts>();
  readonly #stops = new Map<number, StopFactsKept>();
  readonly #journeys = new JourneyTable();
  readonly #dated = new DatedRuns();
  /** First and last day of each journey. */
  readonly #first = growingInt32();
  readonly #last = growingInt32();
  readonly #ids = new IdHasher();
  readonly #numbers = new NumberHasher();

  constructor(vocabulary: Vocabulary, register: StopRegister | undefined) {
    this.#vocabulary = vocabulary;
    this.#register = register;
  }

  addFile(file: OutlinedFile): void {
    const { entities, calendar } = file;
    for (const { facts } of entities.lines.values()) {
      const line = this.#vocabulary.lines.number(facts.id);
      if (!this.#lines.has(line)) this.#lines.set(line, facts);
    }
    this.#addJourneys(file);
    for (const dated of entities.dated) {
      const { operatingDayRef } = dated;
      this.#dated.add(dated, operatingDayRef === undefined ? undefined : calendar.findDay(operatingDayRef));
    }
  }

  /** After the last file. */
  build(): DatasetOutline {
    const journeys = this.#journeys;
    this.#dated.forEachJourney(journeys, (row, days) => {
      journeys.set('days', row, this.#vocabulary.days.addDays(days));
      this.#first.set(row, days.length === 0 ? NEVER : Math.min(...days));
      this.#last.set(row, days.length === 0 ? NEVER : Math.max(...days));
    });
    let [first, last] = [Number.POSITIVE_INFINITY, NEVER];
    for (let row = 0; row < journeys.length; row++) {
      if (this.#first.get(row) === NEVER) continue;
      first = Math.min(first, this.#first.get(row));
      last = Math.max(last, this.#last.get(row));
    }
    const service = last === NEVER ? undefined : { first, last };
    return { lines: this.#lines, stops: this.#stops, journeys, service };
  }

  #addJourneys(file: OutlinedFile): void {
    const { columns, patternRefs, dayKeys } = file.entities;
    const patterns = patternRefs.map((ref) => this.#joinPattern(file, ref));
    /** Days by day key, and by the line's validity where that differs. */
    const days = new Map<ValidDays | undefined, Map<number, JoinedDays>>();
    for (let journey = 0; journey < columns.pattern.length; journey++) {
      const pattern = patterns[columns.pattern.get(journey)];
      if (pattern === undefined) continue;
      const { lineValidity, ...joined } = pattern;
      let ofLine = days.get(lineValidity);
      if (ofLine === undefined) {
        ofLine = new Map();
        days.set(lineValidity, ofLine);
      }
      const dayKey = columns.dayKey.get(journey);
      let found = ofLine.get(dayKey);
      if (found === undefined) {
        found = this.#joinDays(file.calendar, dayKeys[dayKey] as DayKey, lineValidity);
        ofLine.set(dayKey, found);
      }
      this.#journeys.add({
        ...joined,
        idHigh: columns.idHigh.get(journey),
        idLow: columns.idLow.get(journey),
        timesHigh: columns.timesHigh.get(journey),
        timesLow: columns.timesLow.get(journey),
        departure: columns.departure.get(journey),
        days: found.set,
      });
      this.#first.push(found.days[0] ?? NEVER);
      this.#last.push(found.days[found.days.length - 1] ?? NEVER);
    }
  }

  #joinDays(calendar: Calendar, { dayTypeRefs, validity }: DayKey, lineValidity: ValidDays | undefined): JoinedDays {
    const [only] = dayTypeRefs;
    const all =
      dayTypeRefs.length === 1
        ? calendar.daysOf(only as string)
        : Int32Array.from(new Set(dayTypeRefs.flatMap((ref) => [...calendar.daysOf(ref)]))).sort();
    const days = all.filter((day) => isValid(validity, day) && isValid(lineValidity, day));
    return { set: this.#vocabulary.days.addDays(days), days };
  }

  #joinPattern(file: OutlinedFile, ref: string): JoinedPattern | undefined {
    const { entities, common } = file;
    const pattern = entities.patterns.get(ref) ?? common?.patterns.get(ref);
    if (pattern === undefined) return undefined;
    const route = findIn(file, 'routes', pattern.routeRef);
    const lineRef = pattern.lineRef ?? route?.lineRef;
    const line = findIn(file, 'lines', lineRef);
    if (lineRef === undefined || line === undefined) return undefined;
    const direction =
      pattern.directionType ?? route?.directionType ?? findIn(file, 'directions', route?.directionRef) ?? '';
    return {
      line: this.#vocabulary.lines.number(lineRef),
      direction: this.#vocabulary.directions.number(direction),
      ...this.#joinStops(file, pattern),
      lineValidity: line.validity,
    };
  }

  #joinStops(file: OutlinedFile, { points }: PatternFacts) {
    const { stops } = this.#vocabulary;
    this.#numbers.begin();
    let [firstStop, lastStop] = [NEVER, NEVER];
    for (const point of points) {
      const stop = findIn(file, 'stopOfPoint', point) ?? point;
      lastStop = stops.number(stop);
      if (firstStop === NEVER) firstStop = lastStop;
      this.#ids.hash(stop);
      this.#numbers.add(this.#ids.high);
      this.#numbers.add(this.#ids.low);
      if (this.#stops.has(lastStop)) continue;
      const registers = this.#register ? [this.#register, ...file.stops] : file.stops;
      this.#stops.set(lastStop, findStopFacts(registers, stop, findIn(file, 'nameOfPoint', point)));
    }
    return { stopsHigh: this.#numbers.high, stopsLow: this.#numbers.low, firstStop, lastStop };
  }
}

type MapName = 'lines' | 'routes' | 'directions' | 'stopOfPoint' | 'nameOfPoint';
type Found<Name extends MapName> = FileEntities[Name] extends Map<string, infer T> ? T : never;

/** The file's own, else that of the common files. */
function findIn<Name extends MapName>(
  { entities, common }: OutlinedFile,
  map: Name,
  id: string | undefined,
): Found<Name> | undefined {
  if (id === undefined) return undefined;
  const own = (entities[map] as Map<string, Found<Name>>).get(id);
  return own ?? (common?.[map] as Map<string, Found<Name>> | undefined)?.get(id);
}
