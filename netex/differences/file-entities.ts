/**
 * The entities of one file, or of all common files, that the outline needs. Journeys, most of a file, become numbers as
 * they come: a file of 300,000 holds no object for each. Caller: `outline-reader.ts`.
 */
import { IdHasher } from '../dataset/id-hash.ts';
import type { EntitySink } from '../entities/entity-reader.ts';
import type * as entities from '../entities/entity-types.ts';
import { keepEntity } from '../entities/keep-entity.ts';
import { KeptNames, NumberedNames } from '../model/kept-names.ts';
import { ABSENT } from '../model/passing-times.ts';
import { growingInt32, growingUint32 } from '../packed/growing-array.ts';
import { NumberHasher } from '../packed/number-hash.ts';
import type { LineFacts } from './outline.ts';

export interface PatternFacts {
  readonly lineRef: string | undefined;
  readonly routeRef: string | undefined;
  readonly directionType: string | undefined;
  /** Ids of its scheduled stop points. */
  readonly points: readonly string[];
}

interface KeptLine {
  readonly facts: LineFacts;
  readonly validity: entities.ValidDays | undefined;
}

/** What decides on which days a journey runs, beside its line. */
export interface DayKey {
  readonly dayTypeRefs: readonly string[];
  readonly validity: entities.ValidDays | undefined;
}

export class FileEntities implements EntitySink {
  readonly lines = new Map<string, KeptLine>();
  readonly routes = new Map<string, entities.RouteEntity>();
  readonly directions = new Map<string, string>();
  readonly patterns = new Map<string, PatternFacts>();
  readonly stopOfPoint = new Map<string, string>();
  readonly nameOfPoint = new Map<string, string>();
  readonly dated: entities.DatedServiceJourneyEntity[] = [];
  /** Of the journeys, in their order. */
  readonly columns = {
    idHigh: growingUint32(),
    idLow: growingUint32(),
    timesHigh: growingUint32(),
    timesLow: growingUint32(),
    departure: growingInt32(),
    pattern: growingInt32(),
    dayKey: growingInt32(),
  };
  /** By the numbers in the columns. */
  readonly patternRefs: string[] = [];
  readonly dayKeys: DayKey[] = [];
  readonly #patternNumbers = new NumberedNames();
  readonly #dayKeyNumbers = new NumberedNames();
  readonly #names = new KeptNames();
  readonly #ids = new IdHasher();
  readonly #numbers = new NumberHasher();

  line({ id, validity, name, publicCode, transportMode, transportSubmode }: entities.LineEntity): void {
    if (this.lines.has(id)) return;
    this.lines.set(
      this.#names.keep(id),
      keepEntity({ facts: { id, name, publicCode, transportMode, transportSubmode }, validity }),
    );
  }

  route(entity: entities.RouteEntity): void {
    this.routes.set(this.#names.keep(entity.id), keepEntity(entity));
  }

  direction({ id, directionType }: entities.DirectionEntity): void {
    if (directionType !== undefined) this.directions.set(this.#names.keep(id), this.#names.keep(directionType));
  }

  pattern({ id, lineRef, routeRef, directionType, stops }: entities.PatternEntity): void {
    if (this.patterns.has(id)) return;
    const points = stops.flatMap(({ scheduledStopPointRef: ref }) =>
      ref === undefined ? [] : [this.#names.keep(ref)],
    );
    const [line, route] = [this.#names.keep(lineRef), this.#names.keep(routeRef)];
    this.patterns.set(this.#names.keep(id), {
      lineRef: line,
      routeRef: route,
      directionType: this.#names.keep(directionType),
      points,
    });
  }

  stopAssignment(entity: entities.StopAssignmentEntity): void {
    const { scheduledStopPointRef: point, quayRef, flexibleStopPlaceRef, stopPlaceRef } = entity;
    const stop = quayRef ?? flexibleStopPlaceRef ?? stopPlaceRef;
    if (point === undefined || stop === undefined || this.stopOfPoint.has(point)) return;
    this.stopOfPoint.set(this.#names.keep(point), this.#names.keep(stop));
  }

  scheduledStopPoint({ id, name }: entities.ScheduledStopPointEntity): void {
    if (name !== undefined) this.nameOfPoint.set(this.#names.keep(id), this.#names.keep(name));
  }

  serviceJourney(journey: entities.ServiceJourneyEntity): void {
    const { columns } = this;
    this.#ids.hash(journey.id);
    columns.idHigh.push(this.#ids.high);
    columns.idLow.push(this.#ids.low);
    columns.departure.push(this.#hashTimes(journey));
    columns.timesHigh.push(this.#numbers.high);
    columns.timesLow.push(this.#numbers.low);
    const pattern = this.#patternNumbers.number(journey.patternRef ?? '');
    if (pattern === this.patternRefs.length) this.patternRefs.push(this.#names.keep(journey.patternRef ?? ''));
    columns.pattern.push(pattern);
    columns.dayKey.push(this.#dayKeyOf(journey));
  }

  datedServiceJourney(entity: entities.DatedServiceJourneyEntity): void {
    this.dated.push(keepEntity(entity));
  }

  /** Leaves the hash in `#numbers`; answers the first departure. A stop with one time is left when it is reached. */
  #hashTimes({ times, headways }: entities.ServiceJourneyEntity): number {
    const numbers = this.#numbers;
    numbers.begin();
    for (const { arrival, departure, latestArrival, earliestDeparture } of times) {
      numbers.add(arrival === ABSENT ? departure : arrival);
      numbers.add(departure === ABSENT ? arrival : departure);
      numbers.add(latestArrival);
      numbers.add(earliestDeparture);
    }
    for (const { firstDeparture, lastDeparture, intervalSeconds } of headways) {
      numbers.add(firstDeparture);
      numbers.add(lastDeparture);
      numbers.add(intervalSeconds ?? ABSENT);
    }
    const [first, headway] = [times[0], headways[0]];
    if (headway) return headway.firstDeparture;
    if (first === undefined) return ABSENT;
    const { departure, arrival, earliestDeparture } = first;
    return [departure, arrival, earliestDeparture].find((time) => time !== ABSENT) ?? ABSENT;
  }

  #dayKeyOf({ dayTypeRefs, validity }: entities.ServiceJourneyEntity): number {
    const periods = validity?.map(({ first, last }) => `${first}/${last}`) ?? ['always'];
    const number = this.#dayKeyNumbers.number([...periods, '', ...dayTypeRefs].join('\n'));
    if (number === this.dayKeys.length) this.dayKeys.push(keepEntity({ dayTypeRefs, validity }));
    return number;
  }
}
