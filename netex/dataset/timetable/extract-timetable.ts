/**
 * Turns the model of a file into its extract, at the end of the pass over the file.
 *
 * Callers: `validateFile`. Resolves days by the calendars of the file and of the common files. A journey whose days
 * are unknown (no day type, or an unknown one) is packed without days, and no rule then checks them.
 */
import type { ModelCheck } from '../../model/model-check.ts';
import { ABSENT } from '../../model/passing-times.ts';
import type {
  DatedServiceJourney,
  JourneyPattern,
  ServiceJourney,
  TimetableModel,
} from '../../model/timetable-model.ts';
import type { Check, RuleRun } from '../../rules/check.ts';
import { DaySet } from './day-set.ts';
import { NOWHERE } from './timetable-extract.ts';
import { type JourneyParts, NOTHING_KNOWN, TimetableExtractBuilder } from './timetable-extract-builder.ts';

export interface TimetableCollector {
  readonly check: Check;
  readonly modelCheck: ModelCheck;
  build(): Uint8Array;
}

/** Reports nothing by itself. */
export function createTimetableCollector(): TimetableCollector {
  const builder = new TimetableExtractBuilder();
  return {
    check: {
      rules: [],
      begin: () => ({
        start: {
          ScheduledStopPoint(element) {
            const { id } = element.attributes;
            if (id !== undefined) builder.addStopPoint(id);
          },
        },
      }),
    },
    modelCheck: {
      rules: [],
      check(run, model) {
        if (run.kind === 'line') {
          for (const { id, name, line, column } of model.lines) builder.addLine(id, name?.trim() ?? '', line, column);
        }
        for (const interchange of model.interchanges) builder.addInterchange(interchange);
        new JourneyPacker(builder, run, model).pack();
      },
    },
    build: () => builder.build(),
  };
}

class JourneyPacker {
  readonly #builder: TimetableExtractBuilder;
  readonly #run: RuleRun;
  readonly #model: TimetableModel;
  readonly #stopsOf = new Map<JourneyPattern, number>();
  /** Keyed by the ids of the day types. */
  readonly #daysOf = new Map<string, number>();
  readonly #datesOf: ReadonlyMap<string, readonly DatedServiceJourney[]>;
  #arrivals = new Int32Array(64);
  #departures = new Int32Array(64);

  constructor(builder: TimetableExtractBuilder, run: RuleRun, model: TimetableModel) {
    this.#builder = builder;
    this.#run = run;
    this.#model = model;
    const dated = model.datedServiceJourneys;
    this.#datesOf =
      dated.length === 0 ? new Map() : Map.groupBy(dated, ({ serviceJourneyRef }) => serviceJourneyRef ?? '');
  }

  pack(): void {
    const packed = new Set<DatedServiceJourney>();
    for (const journey of this.#model.serviceJourneys) {
      if (journey.id === '') continue;
      const dates = this.#datesOf.get(journey.id) ?? [];
      const parts = { ...this.#packCalls(journey), days: this.#packDays(journey, dates) };
      this.#builder.addJourney(journey.id, parts);
      for (const dated of dates) {
        packed.add(dated);
        if (dated.id !== '') this.#builder.addJourney(dated.id, { ...parts, days: this.#packDates([dated], []) });
      }
    }
    for (const dated of this.#model.datedServiceJourneys) {
      if (dated.id !== '' && !packed.has(dated)) this.#builder.addJourney(dated.id, NOTHING_KNOWN);
    }
  }

  #packCalls({ pattern, firstTime, timeCount }: ServiceJourney): Omit<JourneyParts, 'days'> {
    if (!pattern) return NOTHING_KNOWN;
    const count = pattern.stops.length;
    if (count > this.#arrivals.length) {
      this.#arrivals = new Int32Array(count * 2);
      this.#departures = new Int32Array(count * 2);
    }
    this.#arrivals.fill(ABSENT, 0, count);
    this.#departures.fill(ABSENT, 0, count);
    const { stop, arrival, departure } = this.#model.passingTimes;
    for (let index = firstTime; index < firstTime + timeCount; index++) {
      const place = stop[index] as number;
      if (place < 0) continue;
      this.#arrivals[place] = arrival[index] as number;
      this.#departures[place] = departure[index] as number;
    }
    const stops = this.#packStops(pattern);
    return { stops, ...this.#builder.packTimes(this.#arrivals, this.#departures, count) };
  }

  #packStops(pattern: JourneyPattern): number {
    let stops = this.#stopsOf.get(pattern);
    if (stops === undefined) {
      stops = this.#builder.packStops(pattern.stops);
      this.#stopsOf.set(pattern, stops);
    }
    return stops;
  }

  #packDays({ dayTypeRefs }: ServiceJourney, dates: readonly DatedServiceJourney[]): number {
    if (dates.length > 0) return this.#packDates(dates, dayTypeRefs);
    if (dayTypeRefs.length === 0) return NOWHERE;
    const key = dayTypeRefs.join(' ');
    let days = this.#daysOf.get(key);
    if (days === undefined) {
      days = this.#packDates([], dayTypeRefs);
      this.#daysOf.set(key, days);
    }
    return days;
  }

  /** On cancelled or replaced dates the journey does not run. */
  #packDates(dates: readonly DatedServiceJourney[], dayTypeRefs: readonly string[]): number {
    const { calendar } = this.#model;
    const days: number[] = [];
    for (const ref of dayTypeRefs) {
      if (!this.#isKnown(ref)) return NOWHERE;
      for (const day of calendar.daysOf(ref)) days.push(day);
    }
    for (const { operatingDayRef, serviceAlteration } of dates) {
      const day = operatingDayRef === undefined ? undefined : calendar.findDay(operatingDayRef);
      if (day === undefined) return NOWHERE;
      if (serviceAlteration !== 'cancellation' && serviceAlteration !== 'replaced') days.push(day);
    }
    return this.#builder.packDays(new DaySet(days));
  }

  /** Whether the calendar of the file or of the common files has the day type. */
  #isKnown(dayTypeRef: string): boolean {
    const { shared } = this.#run;
    return this.#run.hasId(dayTypeRef) || (shared !== undefined && this.#run.isInOtherCommonFile(dayTypeRef));
  }
}
