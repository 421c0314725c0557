/**
 * The entities of one file, or of all common files of a dataset, by id. Callers: the import of a file. Holds no view of
 * the file's text. Passing times, most of the data, become integers; of a repeated id the first entity counts.
 */
import { IdHasher } from '../../../netex/dataset/id-hash.ts';
import type { EntitySink } from '../../../netex/entities/entity-reader.ts';
import type * as netex from '../../../netex/entities/entity-types.ts';
import { keepEntity } from '../../../netex/entities/keep-entity.ts';
import { KeptNames } from '../../../netex/model/kept-names.ts';

/** Integers per passing time, in this order. */
export const TIME = { patternStop: 0, arrival: 1, departure: 2, latest: 3, earliest: 4, idHigh: 5, idLow: 6 } as const;
export const INTEGERS_PER_TIME = 7;
/** For a passing time that names no stop: then its place decides. */
export const NO_PATTERN_STOP = -1;

export interface StoredJourney extends Omit<netex.ServiceJourneyEntity, 'times'> {
  /** `INTEGERS_PER_TIME` each; stops as numbers of `patternStopNumbers`. */
  readonly times: Int32Array;
}

export class EntityStore implements EntitySink {
  readonly organisations: netex.OrganisationEntity[] = [];
  readonly networks: netex.NetworkEntity[] = [];
  readonly groups: netex.GroupOfLinesEntity[] = [];
  readonly brandings = new Map<string, netex.BrandingEntity>();
  readonly lines: netex.LineEntity[] = [];
  readonly directions = new Map<string, netex.DirectionEntity>();
  readonly routes = new Map<string, netex.RouteEntity>();
  readonly patterns: netex.PatternEntity[] = [];
  readonly serviceLinks = new Map<string, netex.ServiceLinkEntity>();
  readonly displays = new Map<string, netex.DestinationDisplayEntity>();
  readonly stopAssignments = new Map<string, netex.StopAssignmentEntity>();
  readonly journeys: StoredJourney[] = [];
  readonly headways = new Map<string, netex.HeadwayEntity & { readonly id: string }>();
  readonly dated: netex.DatedServiceJourneyEntity[] = [];
  readonly interchanges: netex.InterchangeEntity[] = [];
  readonly notices = new Map<string, netex.NoticeEntity>();
  readonly noticeAssignments: netex.NoticeAssignmentEntity[] = [];
  readonly zones: netex.ZoneEntity[] = [];
  /** Ids of stop points in patterns that passing times name. */
  readonly patternStopNumbers = new Map<string, number>();
  readonly #names = new KeptNames();
  readonly #hasher = new IdHasher();

  organisation(entity: netex.OrganisationEntity): void {
    this.organisations.push(keepEntity(entity));
  }

  network(entity: netex.NetworkEntity): void {
    this.networks.push(keepEntity(entity));
  }

  groupOfLines(entity: netex.GroupOfLinesEntity): void {
    this.groups.push(keepEntity(entity));
  }

  branding(entity: netex.BrandingEntity): void {
    addFirst(this.brandings, entity);
  }

  line(entity: netex.LineEntity): void {
    this.lines.push(keepEntity(entity));
  }

  direction(entity: netex.DirectionEntity): void {
    addFirst(this.directions, entity);
  }

  route(entity: netex.RouteEntity): void {
    addFirst(this.routes, entity);
  }

  pattern(entity: netex.PatternEntity): void {
    this.patterns.push(keepEntity(entity));
  }

  serviceLink(entity: netex.ServiceLinkEntity): void {
    addFirst(this.serviceLinks, entity);
  }

  destinationDisplay(entity: netex.DestinationDisplayEntity): void {
    addFirst(this.displays, entity);
  }

  /** Of several assignments, the first that names a quay counts. */
  stopAssignment(entity: netex.StopAssignmentEntity): void {
    const { scheduledStopPointRef: point } = entity;
    if (point === undefined) return;
    const before = this.stopAssignments.get(point);
    if (before === undefined || (before.quayRef === undefined && entity.quayRef !== undefined)) {
      const kept = keepEntity(entity);
      this.stopAssignments.set(kept.scheduledStopPointRef ?? point, kept);
    }
  }

  serviceJourney(entity: netex.ServiceJourneyEntity): void {
    const { times, patternRef, dayTypeRefs, operatorRef, lineRef, validity, ...rest } = entity;
    const names = this.#names;
    this.journeys.push({
      ...keepEntity(rest),
      // All journeys of a frame share one object.
      validity,
      patternRef: names.keep(patternRef),
      operatorRef: names.keep(operatorRef),
      lineRef: names.keep(lineRef),
      dayTypeRefs: dayTypeRefs.map((ref) => names.keep(ref)),
      times: this.#packTimes(times),
    });
  }

  headway(entity: netex.HeadwayEntity): void {
    const { id } = entity;
    if (id !== undefined) addFirst(this.headways, { ...entity, id });
  }

  datedServiceJourney(entity: netex.DatedServiceJourneyEntity): void {
    const { serviceJourneyRef, operatingDayRef, ...rest } = entity;
    this.dated.push({
      ...keepEntity(rest),
      serviceJourneyRef: this.#names.keep(serviceJourneyRef),
      operatingDayRef: this.#names.keep(operatingDayRef),
    });
  }

  interchange(entity: netex.InterchangeEntity): void {
    this.interchanges.push(keepEntity(entity));
  }

  notice(entity: netex.NoticeEntity): void {
    addFirst(this.notices, entity);
  }

  noticeAssignment(entity: netex.NoticeAssignmentEntity): void {
    this.noticeAssignments.push(keepEntity(entity));
    if (entity.notice) addFirst(this.notices, entity.notice);
  }

  zone(entity: netex.ZoneEntity): void {
    this.zones.push(keepEntity(entity));
  }

  #packTimes(times: readonly netex.PassingTimeEntity[]): Int32Array {
    const packed = new Int32Array(times.length * INTEGERS_PER_TIME);
    let at = 0;
    for (const time of times) {
      packed[at + TIME.patternStop] = this.#numberOf(time.patternStopRef);
      packed[at + TIME.arrival] = time.arrival;
      packed[at + TIME.departure] = time.departure;
      packed[at + TIME.latest] = time.latestArrival;
      packed[at + TIME.earliest] = time.earliestDeparture;
      if (time.id !== undefined) {
        this.#hasher.hash(time.id);
        packed[at + TIME.idHigh] = this.#hasher.high;
        packed[at + TIME.idLow] = this.#hasher.low;
      }
      at += INTEGERS_PER_TIME;
    }
    return packed;
  }

  #numberOf(patternStopRef: string | undefined): number {
    if (patternStopRef === undefined) return NO_PATTERN_STOP;
    const known = this.patternStopNumbers.get(patternStopRef);
    if (known !== undefined) return known;
    const number = this.patternStopNumbers.size;
    this.patternStopNumbers.set(this.#names.keep(patternStopRef), number);
    return number;
  }
}

function addFirst<T extends { readonly id: string }>(map: Map<string, T>, entity: T): void {
  if (map.has(entity.id)) return;
  const kept = keepEntity(entity);
  map.set(kept.id, kept);
}
