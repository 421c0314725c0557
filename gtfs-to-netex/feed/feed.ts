/**
 * A feed as read: small tables as objects, trips and stop times as typed arrays. Records refer to each other by their
 * number in the table. Callers: the readers fill it; the timetable is made from it.
 */
import type { TextPool } from './text-pool.ts';

export interface Agency {
  readonly id: string;
  readonly name: string;
  readonly url: string | undefined;
  readonly timeZone: string;
  readonly language: string | undefined;
  readonly phone: string | undefined;
  readonly email: string | undefined;
}

export const PLATFORM = 0;
export const STATION = 1;
export const BOARDING_AREA = 4;

export interface Stop {
  readonly id: string;
  readonly name: string;
  readonly code: string | undefined;
  readonly description: string | undefined;
  /** NaN when absent. */
  readonly latitude: number;
  readonly longitude: number;
  /** 0 stop or platform, 1 station, 2 entrance, 3 node, 4 boarding area. */
  readonly kind: number;
  readonly parentId: string | undefined;
  readonly platformCode: string | undefined;
  readonly zoneId: string | undefined;
  /** 1 yes, 2 no, 0 unknown. */
  readonly wheelchair: number;
  readonly timeZone: string | undefined;
  readonly url: string | undefined;
}

export interface Route {
  readonly id: string;
  readonly agency: number;
  readonly shortName: string;
  readonly longName: string;
  readonly description: string | undefined;
  readonly type: number;
  readonly url: string | undefined;
  readonly colour: string | undefined;
  readonly textColour: string | undefined;
}

/** Days since 1970-01-01. */
export interface Service {
  readonly id: string;
  /** Bit 0 is Monday; 0 when the service has only dates. */
  weekdays: number;
  from: number;
  to: number;
  readonly added: Set<number>;
  readonly removed: Set<number>;
}

export interface Trips {
  readonly ids: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly route: Int32Array;
  readonly service: Int32Array;
  /** 0 and 1, or −1. */
  readonly direction: Int32Array;
  readonly wheelchair: Uint8Array;
  /** Indexes into the texts, −1 for none. */
  readonly headsign: Int32Array;
  readonly shortName: Int32Array;
  readonly block: Int32Array;
  readonly shape: Int32Array;
}

/** Stop times grouped by trip, in order. */
export interface Calls {
  /** Index of each trip's first call; one more entry at the end. */
  readonly first: Int32Array;
  /** Index of the platform. */
  readonly stop: Int32Array;
  /** Seconds of the service day; NO_TIME when absent. */
  readonly arrival: Int32Array;
  readonly departure: Int32Array;
  /** Pick-up type, plus four times the drop-off type. */
  readonly rules: Uint8Array;
  /** Absent when the feed has none. */
  readonly headsign: Int32Array | undefined;
  readonly shapeDistance: Float64Array | undefined;
}

export interface Shapes {
  /** Index of each shape's first point; one more entry at the end. */
  readonly first: Int32Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** NaN when absent. */
  readonly distance: Float64Array;
}

export interface Frequency {
  readonly trip: number;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly headway: number;
}

export interface Transfer {
  readonly type: number;
  /** Indexes of stops, −1 for none. */
  readonly fromStop: number;
  readonly toStop: number;
  readonly minimumSeconds: number | undefined;
  /** Indexes of trips, −1 for none. */
  readonly fromTrip: number;
  readonly toTrip: number;
  readonly namesRoutes: boolean;
}

export interface FeedInfo {
  readonly publisher: string | undefined;
  readonly url: string | undefined;
  readonly language: string | undefined;
  readonly version: string | undefined;
}

export interface Feed {
  readonly agencies: readonly Agency[];
  readonly stops: readonly Stop[];
  readonly routes: readonly Route[];
  readonly services: readonly Service[];
  readonly trips: Trips;
  readonly calls: Calls;
  readonly shapes: Shapes;
  readonly frequencies: readonly Frequency[];
  readonly transfers: readonly Transfer[];
  readonly info: FeedInfo;
  /** Headsigns, names and blocks. */
  readonly texts: TextPool;
}
