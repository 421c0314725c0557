/**
 * The input of a snapshot: the planner's own types for a timetable. Sources of timetables (the NeTEx importer, tests)
 * depend on these types alone. Elements refer to one another by id. An unknown id is counted and is not fatal: the
 * builder omits the element that needs it, or drops the reference, as stated here.
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

/** The builder omits a quay without a position (its own or its stop place's), and the patterns that call there. */
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
  /** Ring of [longitude, latitude]. It makes the quay a flexible area. */
  readonly area?: readonly (readonly [number, number])[] | undefined;
}

/**
 * A transfer between quays or stop places; a stop place stands for all its quays. If `fromId` equals `toId`, the
 * transfer is the change at that very stop. From a stop place to itself, it covers all changes within the place, those
 * at one quay included. If several transfers concern the same two quays, the more precise one counts: quay to quay,
 * then quay to place, then place to place. With `metres` the builder makes a footpath at any distance.
 */
export interface TransferInput {
  readonly fromId: string;
  readonly toId: string;
  readonly metres?: number | undefined;
  readonly minimumSeconds: number;
  /** In place of `minimumSeconds` for wheelchair users. */
  readonly wheelchairSeconds?: number | undefined;
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
  /** The builder omits a line with an unknown authority, with its patterns and journeys. */
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
  /** Set where the display changes. The builder repeats it at later stops. */
  readonly frontText?: string | undefined;
  readonly vias?: readonly string[] | undefined;
  readonly booking?: BookingArrangement | undefined;
  readonly noticeIds?: readonly string[] | undefined;
  /** Path to the next stop, degrees: [latitude, longitude, latitude, longitude, …]. */
  readonly path?: readonly number[] | undefined;
  /** Published length of the path. */
  readonly pathMetres?: number | undefined;
}

/** A pattern has at least two stops. The builder omits a pattern with an unknown quay, with its journeys. */
export interface JourneyPatternInput {
  readonly id: string;
  readonly name?: string | undefined;
  readonly lineId: string;
  readonly direction?: Direction | undefined;
  readonly stops: readonly PatternStopInput[];
  readonly noticeIds?: readonly string[] | undefined;
}

/**
 * A service journey. `arrivals` and `departures` have one entry per stop of its pattern, in seconds since the start of
 * the service day. They must satisfy arrival ≤ departure ≤ next arrival. For frequencies, `startOffsets` has one entry
 * per departure, added to all times; absent means [0]. The builder omits and counts journeys that break these rules,
 * and departures beyond what a vehicle could run.
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
  /**
   * Days the journey runs, ascending, without cancelled and replaced ones. Pass the same array for journeys of the same
   * days: it saves work.
   */
  readonly days: readonly ServiceDay[];
  /**
   * False for journeys that are shown (lines, boards, journey views) but never searched, such as flexible journeys
   * between areas.
   */
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
  /** The builder drops days outside the bounds. Undefined means no bound. */
  readonly fromDay?: ServiceDay | undefined;
  readonly toDay?: ServiceDay | undefined;
  /**
   * Longest straight line of footpaths computed from positions. The default is 1,900 m: 30 minutes at 1.33 m/s along
   * beeline × 1.3.
   */
  readonly footpathMetres?: number | undefined;
}

export interface BuildReport {
  /**
   * Number of elements of each kind in the snapshot: quays, stopPlaces, lines, journeyPatterns, serviceJourneys, trips,
   * routes, calls, footpaths, interchanges …
   */
  readonly counts: Readonly<Record<string, number>>;
  /** Elements that the builder omitted or dropped, by kind and reason: the count, and up to 20 ids as examples. */
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

/** Takes elements in any order, packs them, and makes the snapshot. If an id repeats, the first element counts. */
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
  /** Records a rejection by the importer. The report counts it with the builder's own. */
  reject(kind: string, reason: string, id: string): void;
  finish(options: SnapshotOptions): BuiltSnapshot;
}
