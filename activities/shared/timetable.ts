/**
 * The published timetable as areas of sales read it: stops, fare zones, and journeys on their days, out of the rows that
 * the planner build stores beside its snapshot. Provided by the timetable area. Types, and the key of the interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';

export interface NamedPlace {
  readonly id: string;
  readonly name: string;
}

export interface SoldStopPlace extends NamedPlace {
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Fare zones of the place and of its quays. */
  readonly zoneIds: readonly string[];
}

/** One call of a journey on one day. */
export interface JourneyCall {
  /** Position in the journey, from 0. Stretches of seats are counted in these. */
  readonly position: number;
  readonly quayId: string;
  /** The quay's own, as legs of the planner show it; the quay itself where it has none. */
  readonly stopPlaceId: string;
  /** The place that holds several, as a station with its bus terminal. */
  readonly parentStopPlaceId?: string;
  readonly stopName: string;
  /** Planned; absent at the first call. */
  readonly arrival?: Date;
  /** Planned; absent at the last call. */
  readonly departure?: Date;
  readonly forBoarding: boolean;
  readonly forAlighting: boolean;
  readonly zoneIds: readonly string[];
  /** Along the path from the first call. */
  readonly distanceMetres: number;
}

/** A service journey on one service day. */
export interface DatedJourney {
  /**
   * The timetable's own id; where it has none `<serviceJourneyId>@<date>`, see `datedJourneyId`. A departure of a
   * frequency journey has its own: `@` and the seconds of its first departure follow.
   */
  readonly datedServiceJourneyId: string;
  readonly serviceJourneyId: string;
  readonly privateCode?: string;
  /** `2026-11-23` */
  readonly serviceDay: string;
  readonly isCancelled: boolean;
  readonly lineId: string;
  readonly lineName?: string;
  readonly linePublicCode?: string;
  readonly mode: string;
  readonly authorityId: string;
  readonly operatorId?: string;
  readonly calls: readonly JourneyCall[];
}

/** Names a journey on a day, as a leg of a trip does. A place may be the parent of that where the journey calls. */
export interface JourneyOfLeg {
  readonly serviceJourneyId?: string;
  readonly datedServiceJourneyId?: string;
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
  /** Planned or expected departure: the run whose planned departure there is closest, within 12 hours. */
  readonly departure: Date;
}

/** A line that serves two places in this order. */
export interface DirectConnection {
  readonly lineId: string;
  readonly mode: string;
  readonly authorityId: string;
  /** The shortest of the line's patterns. */
  readonly distanceMetres: number;
  /** Zones of its calls on the way, in order, without repeats in a row. */
  readonly zoneIds: readonly string[];
}

/** Journeys that a list begins with: of these lines, and these. */
export interface FirstJourneys {
  readonly lineIds: Pick<ReadonlySet<string>, 'has'>;
  readonly serviceJourneyIds: Pick<ReadonlySet<string>, 'has'>;
  /** The same object for the same ids, so that they are looked up once. */
  readonly datedServiceJourneyIds: { readonly size: number; keys(): Iterable<string> };
}

export interface JourneyPage {
  readonly items: readonly DatedJourney[];
  readonly totalItems: number;
}

/** All reads are of the snapshot in use at that moment. Ids that it lacks are undefined, or left out of a list. */
export interface TimetableReader {
  /** Undefined when the journey does not run then or does not serve these places in this order. */
  findJourney(leg: JourneyOfLeg): Promise<DatedJourney | undefined>;
  /** By the id that a {@link DatedJourney} has. */
  findDatedJourney(datedServiceJourneyId: string): Promise<DatedJourney | undefined>;
  /** Those that run on one service day: the wanted first, each part by line and first departure. `page` from 1. */
  listDatedJourneys(serviceDay: string, page: number, perPage: number, first?: FirstJourneys): Promise<JourneyPage>;
  findStopPlaces(ids: readonly string[]): Promise<readonly SoldStopPlace[]>;
  findConnections(fromStopPlaceId: string, toStopPlaceId: string): Promise<readonly DirectConnection[]>;
  listStopPlaces(): Promise<readonly SoldStopPlace[]>;
  listFareZones(): Promise<readonly NamedPlace[]>;
  listAuthorities(): Promise<readonly NamedPlace[]>;
  /** Of every line. None before the first build. */
  listLineIds(): Promise<readonly string[]>;
  /** Those of these service journeys that it has, in any order. */
  listServiceJourneyIds(of: readonly string[]): Promise<readonly string[]>;
}

export const TIMETABLE = interfaceKey<TimetableReader>('timetable');

/** A ride as it was sold, whatever the ids of its journey are now. */
export interface RideSought {
  readonly serviceDay: string;
  readonly authorityId: string;
  readonly mode: string;
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
  /** Planned. */
  readonly departure: Date;
}

/** Service days, both included. */
export interface ServicePeriod {
  readonly first: string;
  readonly last: string;
}

/** One build of the published timetable: all reads are of its snapshot. They fail a day after a later build has replaced it. */
export interface PublishedBuild extends Pick<TimetableReader, 'findJourney' | 'findDatedJourney'> {
  /** Later builds have higher numbers. */
  readonly build: number;
  readonly publishedAt: Date;
  /** A journey that runs on the day and departs there at exactly that time. */
  findRide(ride: RideSought): Promise<DatedJourney | undefined>;
  /** The first and the last day on which a journey of the codespace runs. Undefined: the build has none of it. */
  findPeriod(codespace: string): Promise<ServicePeriod | undefined>;
}

/** For areas that compare what they have stored with each new build. Provided by the timetable area. */
export interface PublishedTimetables {
  /** The newest. Undefined before the first build. Throws UntrustedPointerError. */
  open(): Promise<PublishedBuild | undefined>;
}

export const PUBLISHED_TIMETABLES = interfaceKey<PublishedTimetables>('published-timetables');

/** For a journey that the timetable publishes without dated journeys. */
export function datedJourneyId(serviceJourneyId: string, serviceDay: string): string {
  return `${serviceJourneyId}@${serviceDay}`;
}

export interface RideCalls {
  readonly from: JourneyCall;
  readonly to: JourneyCall;
}

/** The stop place of the call, and its parent. */
export function placeIdsOf({ stopPlaceId, parentStopPlaceId }: JourneyCall): readonly string[] {
  return [stopPlaceId, ...(parentStopPlaceId === undefined ? [] : [parentStopPlaceId])];
}

/** As a sold leg names the parents of its ends. */
export function parentsOf({ from, to }: { readonly from: JourneyCall; readonly to: JourneyCall }) {
  return {
    ...(from.parentStopPlaceId !== undefined && { fromParentStopPlaceId: from.parentStopPlaceId }),
    ...(to.parentStopPlaceId !== undefined && { toParentStopPlaceId: to.parentStopPlaceId }),
  };
}

/**
 * The calls of a ride between two places, or places below them. Where the journey calls there more than once, the ride
 * that departs closest to `departure`. Undefined when no ride is allowed.
 */
export function findRideCalls(
  { calls }: Pick<DatedJourney, 'calls'>,
  { fromStopPlaceId, toStopPlaceId, departure }: Pick<JourneyOfLeg, 'fromStopPlaceId' | 'toStopPlaceId' | 'departure'>,
): RideCalls | undefined {
  const isAt = (call: JourneyCall, id: string) => call.stopPlaceId === id || call.parentStopPlaceId === id;
  const distance = ({ from }: RideCalls) => Math.abs((from.departure?.getTime() ?? 0) - departure.getTime());
  const rides = calls.flatMap((from) => {
    if (!isAt(from, fromStopPlaceId) || !from.forBoarding) return [];
    const to = calls.find((call) => call.position > from.position && isAt(call, toStopPlaceId) && call.forAlighting);
    return to === undefined ? [] : [{ from, to }];
  });
  return rides.reduce<RideCalls | undefined>(
    (best, ride) => (best === undefined || distance(ride) < distance(best) ? ride : best),
    undefined,
  );
}
