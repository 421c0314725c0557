/**
 * What a snapshot is made of: the planner's own words for a timetable, so that whoever brings one (the NeTEx importer, tests)
 * depends on this alone. Things name one another by id. An id that nothing answers to is counted, not fatal: what needs
 * it is left out or goes without, as said here.
 */
import type { Accessibility, BookingArrangement, Branding, Direction, ServiceAlteration } from '../model/entities.ts';
import type { ServiceDay } from '../model/indices.ts';
import type { TransportMode } from '../model/transport-mode.ts';

export interface AuthorityInput {
  readonly id: string;
  readonly name: string;
  readonly url?: string | undefined;
  readonly phone?: string | undefined;
  readonly language?: string | undefined;
  readonly timeZone: string;
}

export interface OperatorInput {
  readonly id: string;
  readonly name: string;
  readonly url?: string | undefined;
  readonly phone?: string | undefined;
}

export interface NoticeInput {
  readonly id: string;
  readonly text?: string | undefined;
  readonly publicCode?: string | undefined;
}

export interface TariffZoneInput {
  readonly id: string;
  readonly name?: string | undefined;
}

export interface GroupOfLinesInput {
  readonly id: string;
  readonly name?: string | undefined;
  readonly shortName?: string | undefined;
  readonly description?: string | undefined;
  readonly privateCode?: string | undefined;
}

export interface StopPlaceInput {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly parentId?: string | undefined;
  readonly modes: readonly TransportMode[];
  readonly submodes: readonly string[];
  readonly interchangePriority?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly accessibility?: Accessibility | undefined;
  readonly tariffZoneIds?: readonly string[] | undefined;
  readonly locality?: string | undefined;
  readonly county?: string | undefined;
}

/** Without a position (its own or its stop place's) a quay is left out, and the patterns that call there. */
export interface QuayInput {
  readonly id: string;
  readonly name?: string | undefined;
  readonly publicCode?: string | undefined;
  readonly description?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly stopPlaceId?: string | undefined;
  readonly accessibility?: Accessibility | undefined;
  readonly tariffZoneIds?: readonly string[] | undefined;
  /** Ring of [longitude, latitude]: makes it a flexible area. */
  readonly area?: readonly (readonly [number, number])[] | undefined;
}

/**
 * Between quays or stop places (then between all their quays); `fromId` = `toId` is changing at that very stop.
 * A stop place to itself is all changes within it, those at each of its quays included. Of several that concern the same two quays
 * the more precise counts: quay to quay, then quay to place, then place to place. `metres` makes a footpath even where the straight line is longer than those made from positions.
 */
export interface TransferInput {
  readonly fromId: string;
  readonly toId: string;
  readonly metres?: number | undefined;
  readonly minimumSeconds: number;
}

export interface LineInput {
  readonly id: string;
  readonly name?: string | undefined;
  readonly publicCode?: string | undefined;
  readonly privateCode?: string | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly mode: TransportMode;
  readonly submode?: string | undefined;
  /** Unknown: the line is left out with all of its own. */
  readonly authorityId: string;
  readonly operatorId?: string | undefined;
  readonly groupIds?: readonly string[] | undefined;
  readonly colour?: string | undefined;
  readonly textColour?: string | undefined;
  readonly branding?: Branding | undefined;
  readonly flexibleLineType?: string | undefined;
  readonly booking?: BookingArrangement | undefined;
  readonly noticeIds?: readonly string[] | undefined;
}

export interface PatternStopInput {
  readonly quayId: string;
  readonly forBoarding: boolean;
  readonly forAlighting: boolean;
  readonly requestStop?: boolean | undefined;
  /** Set where the display changes; the builder repeats it at later stops. */
  readonly frontText?: string | undefined;
  readonly vias?: readonly string[] | undefined;
  readonly booking?: BookingArrangement | undefined;
  readonly noticeIds?: readonly string[] | undefined;
  /** Way to the next stop, degrees: [latitude, longitude, latitude, longitude, …]. */
  readonly way?: readonly number[] | undefined;
  readonly wayMetres?: number | undefined;
}

/** At least two stops; with an unknown quay it is left out with its journeys. */
export interface JourneyPatternInput {
  readonly id: string;
  readonly name?: string | undefined;
  readonly lineId: string;
  readonly direction?: Direction | undefined;
  readonly stops: readonly PatternStopInput[];
  readonly noticeIds?: readonly string[] | undefined;
}

/**
 * A service journey. `arrivals` and `departures` per stop of its pattern, seconds since the start of the service day,
 * arrival ≤ departure ≤ next arrival, else it is left out and counted. Frequencies: `startOffsets` has one entry
 * per departure, added to all times; absent: [0]. More departures than any vehicle could run are left out and counted.
 */
export interface ServiceJourneyInput {
  readonly id: string;
  readonly privateCode?: string | undefined;
  readonly publicCode?: string | undefined;
  readonly patternId: string;
  readonly mode?: TransportMode | undefined;
  readonly submode?: string | undefined;
  readonly operatorId?: string | undefined;
  readonly accessibility?: Accessibility | undefined;
  readonly booking?: BookingArrangement | undefined;
  readonly noticeIds?: readonly string[] | undefined;
  /** By position in the pattern. */
  readonly callNoticeIds?: ReadonlyMap<number, readonly string[]> | undefined;
  readonly arrivals: readonly number[];
  readonly departures: readonly number[];
  readonly startOffsets?: readonly number[] | undefined;
  /** Days it runs, ascending, cancelled and replaced ones left out. The same array for journeys of the same days saves work. */
  readonly days: readonly ServiceDay[];
  /** False: shown (lines, boards, journey) but never searched, as flexible journeys between areas are. */
  readonly searchable?: boolean | undefined;
}

export interface DatedServiceJourneyInput {
  readonly id: string;
  readonly journeyId: string;
  readonly day: ServiceDay;
  readonly alteration?: ServiceAlteration | undefined;
  readonly replacesIds?: readonly string[] | undefined;
}

export interface InterchangeInput {
  readonly id: string;
  readonly fromJourneyId: string;
  readonly fromPosition: number;
  readonly toJourneyId: string;
  readonly toPosition: number;
  readonly guaranteed: boolean;
  readonly staySeated: boolean;
  readonly priority?: 'preferred' | 'recommended' | 'allowed' | 'notAllowed' | undefined;
  readonly maximumWaitSeconds?: number | undefined;
}

export interface SnapshotOptions {
  /** Seconds since 1970 UTC, written into the snapshot. */
  readonly builtAt: number;
  /** Days outside are dropped; undefined: no bound. */
  readonly fromDay?: ServiceDay | undefined;
  readonly toDay?: ServiceDay | undefined;
  /** Footpaths made from positions: at most so far as the crow flies; 1,900 m is 30 minutes at 1.33 m/s along beeline × 1.3, and the default. */
  readonly footpathMetres?: number | undefined;
}

export interface BuildReport {
  /** How many of each kind the snapshot has: quays, stopPlaces, lines, journeyPatterns, serviceJourneys, trips, routes, calls, footpaths, interchanges … */
  readonly counts: Readonly<Record<string, number>>;
  /** Why how many were left out or went without, by kind and reason, with up to 20 examples of ids each. */
  readonly rejected: readonly {
    readonly kind: string;
    readonly reason: string;
    readonly count: number;
    readonly examples: readonly string[];
  }[];
}

export interface BuiltSnapshot {
  /** The snapshot file. The same input gives the same bytes. */
  readonly bytes: Uint8Array;
  readonly snapshotId: string;
  readonly report: BuildReport;
}

/** Takes things in any order, keeps them packed, and makes the snapshot of them. Of a repeated id the first counts. */
export interface TimetableBuilder {
  addAuthority(input: AuthorityInput): void;
  addOperator(input: OperatorInput): void;
  addNotice(input: NoticeInput): void;
  addTariffZone(input: TariffZoneInput): void;
  addGroupOfLines(input: GroupOfLinesInput): void;
  addStopPlace(input: StopPlaceInput): void;
  addQuay(input: QuayInput): void;
  addTransfer(input: TransferInput): void;
  addLine(input: LineInput): void;
  addJourneyPattern(input: JourneyPatternInput): void;
  addServiceJourney(input: ServiceJourneyInput): void;
  addDatedServiceJourney(input: DatedServiceJourneyInput): void;
  addInterchange(input: InterchangeInput): void;
  /** Rejection by the importer; the report counts it with the builder's own. */
  reject(kind: string, reason: string, id: string): void;
  finish(options: SnapshotOptions): BuiltSnapshot;
}
