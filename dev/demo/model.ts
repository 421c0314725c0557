/** Model of the demo region before it becomes NeTEx. It is plain immutable data. Callers: every module of dev/demo. */
import type { Point, Position } from './geometry.ts';

export type Mode = 'bus' | 'coach' | 'tram' | 'rail' | 'water';

export interface Zone {
  readonly number: number;
  readonly name: string;
  readonly outline: readonly Position[];
  readonly centre: Position;
}

export interface Quay {
  /** The stop's scheduled stop point and route point have the same number. */
  readonly number: number;
  readonly place: StopPlace;
  readonly position: Position;
  readonly publicCode: string | undefined;
  readonly bearing: number;
}

export interface StopPlace {
  readonly number: number;
  readonly name: string;
  /** A parent of several modes has no own mode. */
  readonly mode: Exclude<Mode, 'coach'> | undefined;
  readonly submode: string | undefined;
  readonly type: string | undefined;
  readonly point: Point;
  readonly position: Position;
  readonly zone: Zone;
  readonly weighting: 'interchangeAllowed' | 'recommendedInterchange' | 'preferredInterchange';
  readonly wheelchair: 'true' | 'false' | 'unknown';
  readonly quays: Quay[];
  parent: StopPlace | undefined;
}

/** A stop of a line: the quay used towards the line's end and the one used on the way back. */
export interface Halt {
  readonly there: Quay;
  readonly back: Quay;
}

export type DayTypeKey =
  | 'Weekday'
  | 'WeekdayFirst'
  | 'WeekdaySecond'
  | 'Saturday'
  | 'Sunday'
  | 'WeekendNight'
  | 'Daily'
  | 'SchoolDay'
  | 'Boat';

/** Departures from `from` to `to` (minutes after midnight) at even distances. */
export interface Service {
  readonly dayType: DayTypeKey;
  readonly from: number;
  readonly to: number;
  readonly every: number;
}

export interface Booking {
  readonly bookWhen?: 'untilPreviousDay' | 'advanceAndDayOfTravel';
  readonly latestBookingTime?: string;
  readonly minimumBookingPeriod?: string;
  readonly note: string;
}

export interface LineSpec {
  readonly number: number;
  readonly publicCode: string;
  readonly name: string;
  readonly mode: Mode;
  readonly submode: string;
  readonly operator: string;
  readonly group: string;
  readonly colour: string;
  readonly halts: readonly Halt[];
  readonly services: readonly Service[];
  /** Index of the stop in the middle of town: vehicles pause there, and late journeys begin and end there. */
  readonly hub?: number;
  readonly dwellMinutes?: number;
  readonly turnMinutes?: number;
  readonly blocks?: 'Block' | 'TrainBlock';
  readonly depot?: Quay;
  /** True if every journey runs on dates instead of day types. */
  readonly dated?: boolean;
  readonly flexible?: Booking;
  /** Number of last stops of the pattern that need booking, and the booking. */
  readonly bookedStops?: { readonly count: number; readonly booking: Booking };
  /** Booking of the last journey of the day. */
  readonly bookedJourney?: Booking;
  readonly restricted?: 'line' | 'first-journey';
  readonly notices?: readonly number[];
  readonly wheelchair: 'true' | 'false' | 'unknown';
}

export interface Pattern {
  /** Unique within the line; the id is `DEM:JourneyPattern:<line>-<key>`. */
  readonly key: string;
  readonly direction: 'outbound' | 'inbound';
  readonly quays: readonly Quay[];
  /** Front text per stop where it begins to show. */
  readonly displays: readonly (string | undefined)[];
  readonly via: string | undefined;
  /** Minutes after the first departure. Arrival and departure are equal where the vehicle does not pause. */
  readonly arrivals: readonly number[];
  readonly departures: readonly number[];
}

export interface Journey {
  /** Unique within the line. */
  readonly key: string;
  readonly pattern: Pattern;
  readonly departure: number;
  /** Undefined for dated journeys. */
  readonly dayType: DayTypeKey | undefined;
  readonly restricted: boolean;
  readonly booking: Booking | undefined;
}

export interface DatedJourney {
  readonly key: string;
  readonly journey: Journey;
  readonly date: string;
  readonly alteration: 'cancellation' | 'replaced' | 'extraJourney' | undefined;
  readonly replaces: string | undefined;
}

export interface DeadRun {
  readonly key: string;
  readonly pattern: Pattern;
  readonly departure: number;
  readonly dayType: DayTypeKey;
  readonly type: 'garageRunOut' | 'garageRunIn';
}

export interface Block {
  readonly key: string;
  readonly dayType: DayTypeKey;
  readonly start: number;
  readonly end: number;
  readonly parts: readonly (Journey | DeadRun)[];
}

export interface Line {
  readonly spec: LineSpec;
  /** Patterns of journeys, then of dead runs. */
  readonly patterns: readonly Pattern[];
  readonly journeys: readonly Journey[];
  readonly datedJourneys: readonly DatedJourney[];
  readonly deadRuns: readonly DeadRun[];
  readonly blocks: readonly Block[];
}

export interface Interchange {
  readonly from: { readonly line: Line; readonly journey: Journey; readonly quay: Quay };
  readonly to: { readonly line: Line; readonly journey: Journey; readonly quay: Quay };
  readonly staySeated: boolean;
}

export interface Region {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly zones: readonly Zone[];
  readonly stopPlaces: readonly StopPlace[];
  readonly lines: readonly Line[];
  readonly interchanges: readonly Interchange[];
}
