/**
 * Entities of a snapshot as the resolvers read them. Values are views over the snapshot: cheap, immutable, and valid as
 * long as the snapshot is referenced. Names are Transmodel's. Absent texts are undefined, never ''.
 */
import type {
  AuthorityIndex,
  DatedServiceJourneyIndex,
  GroupOfLinesIndex,
  InterchangeIndex,
  JourneyPatternIndex,
  LineIndex,
  NoticeIndex,
  OperatorIndex,
  ServiceDay,
  ServiceJourneyIndex,
  StopIndex,
  StopPlaceIndex,
  TariffZoneIndex,
} from './indices.ts';
import type { TransportMode } from './transport-mode.ts';

export type Accessibility = 'possible' | 'notPossible' | 'noInformation';

export interface Authority {
  readonly index: AuthorityIndex;
  readonly id: string;
  readonly name: string;
  readonly url: string | undefined;
  readonly phone: string | undefined;
  readonly language: string | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

export interface Operator {
  readonly index: OperatorIndex;
  readonly id: string;
  readonly name: string;
  readonly url: string | undefined;
  readonly phone: string | undefined;
}

export interface Branding {
  readonly id: string;
  readonly name: string | undefined;
  readonly shortName: string | undefined;
  readonly description: string | undefined;
  readonly url: string | undefined;
  readonly image: string | undefined;
}

export interface Line {
  readonly index: LineIndex;
  readonly id: string;
  readonly name: string | undefined;
  readonly publicCode: string | undefined;
  readonly privateCode: string | undefined;
  readonly description: string | undefined;
  readonly url: string | undefined;
  readonly mode: TransportMode;
  readonly submode: string | undefined;
  readonly authority: AuthorityIndex;
  readonly operator: OperatorIndex | undefined;
  readonly groups: readonly GroupOfLinesIndex[];
  /** Six hexadecimal digits without '#'. */
  readonly colour: string | undefined;
  readonly textColour: string | undefined;
  readonly branding: Branding | undefined;
  readonly flexibleLineType: string | undefined;
  readonly booking: BookingArrangement | undefined;
  readonly notices: readonly NoticeIndex[];
}

export interface GroupOfLines {
  readonly index: GroupOfLinesIndex;
  readonly id: string;
  readonly name: string | undefined;
  readonly shortName: string | undefined;
  readonly description: string | undefined;
  readonly privateCode: string | undefined;
}

export interface Contact {
  readonly contactPerson: string | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly url: string | undefined;
  readonly furtherDetails: string | undefined;
}

export interface BookingArrangement {
  /** NeTEx values: callDriver, callOffice, online, phoneAtStop, text. */
  readonly methods: readonly string[];
  readonly bookWhen: string | undefined;
  /** `HH:MM:SS` */
  readonly latestBookingTime: string | undefined;
  /** ISO 8601 duration as published. */
  readonly minimumBookingPeriod: string | undefined;
  readonly note: string | undefined;
  readonly contact: Contact | undefined;
}

export interface Notice {
  readonly index: NoticeIndex;
  readonly id: string;
  readonly text: string | undefined;
  readonly publicCode: string | undefined;
}

export interface TariffZone {
  readonly index: TariffZoneIndex;
  readonly id: string;
  readonly name: string | undefined;
}

/** A stop place, or a parent of several ("multimodal"). */
export interface StopPlace {
  readonly index: StopPlaceIndex;
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Degrees, WGS 84. A place without a published position has the middle of its quays. */
  readonly latitude: number;
  readonly longitude: number;
  readonly parent: StopPlaceIndex | undefined;
  readonly isParent: boolean;
  readonly modes: readonly TransportMode[];
  readonly submodes: readonly string[];
  /** NeTEx Weighting in the schema's spelling: preferred, recommended, allowed, discouraged. */
  readonly interchangePriority: string | undefined;
  readonly timeZone: string;
  readonly accessibility: Accessibility;
  readonly tariffZones: readonly TariffZoneIndex[];
  /** Topographic place, if known. The geocoder uses it. */
  readonly locality: string | undefined;
  readonly county: string | undefined;
}

export interface Quay {
  readonly index: StopIndex;
  readonly id: string;
  /** The quay's own name, or that of its stop place. */
  readonly name: string;
  readonly publicCode: string | undefined;
  readonly description: string | undefined;
  readonly latitude: number;
  readonly longitude: number;
  readonly stopPlace: StopPlaceIndex | undefined;
  readonly accessibility: Accessibility;
  readonly tariffZones: readonly TariffZoneIndex[];
  /** `flexible_area` is the area of a FlexibleStopPlace; its position is the area's middle. */
  readonly stopType: 'regular' | 'flexible_area';
  /** Ring of [longitude, latitude] of a flexible area. */
  readonly area: readonly (readonly [number, number])[] | undefined;
}

export interface DestinationDisplay {
  readonly frontText: string;
  readonly vias: readonly string[];
}

/** A stop point in a journey pattern; positions count from 0. */
export interface PatternStop {
  readonly stop: StopIndex;
  readonly forBoarding: boolean;
  readonly forAlighting: boolean;
  readonly requestStop: boolean;
  /** The display in force: set at this stop or at an earlier one, else the name of the last stop. */
  readonly destination: DestinationDisplay;
  readonly booking: BookingArrangement | undefined;
  readonly notices: readonly NoticeIndex[];
}

export type Direction = 'inbound' | 'outbound' | 'clockwise' | 'anticlockwise' | 'unknown';

export interface JourneyPattern {
  readonly index: JourneyPatternIndex;
  readonly id: string;
  readonly name: string | undefined;
  readonly line: LineIndex;
  readonly direction: Direction;
  readonly stops: readonly PatternStop[];
  readonly notices: readonly NoticeIndex[];
  /**
   * Path from a stop to the next, in degrees: the published path (service link) or the straight line. It includes both
   * ends, and `distanceMetres` is its length.
   */
  hop(position: number): {
    readonly latitudes: Float64Array;
    readonly longitudes: Float64Array;
    readonly distanceMetres: number;
  };
}

export interface ServiceJourney {
  readonly index: ServiceJourneyIndex;
  readonly id: string;
  readonly privateCode: string | undefined;
  readonly publicCode: string | undefined;
  readonly line: LineIndex;
  readonly pattern: JourneyPatternIndex;
  /** The journey's own mode, or the line's. */
  readonly mode: TransportMode;
  readonly submode: string | undefined;
  readonly operator: OperatorIndex | undefined;
  readonly accessibility: Accessibility;
  readonly booking: BookingArrangement | undefined;
  readonly notices: readonly NoticeIndex[];
  /** Notices of one passing time, in addition to those of the pattern's stop. */
  callNotices(position: number): readonly NoticeIndex[];
}

export type ServiceAlteration = 'planned' | 'cancellation' | 'extraJourney' | 'replaced';

export interface DatedServiceJourney {
  readonly index: DatedServiceJourneyIndex;
  readonly id: string;
  readonly journey: ServiceJourneyIndex;
  readonly day: ServiceDay;
  readonly alteration: ServiceAlteration | undefined;
  /** `replaces` has the dated journeys that this one replaces, `replacedBy` those that replace it. */
  readonly replaces: readonly DatedServiceJourneyIndex[];
  readonly replacedBy: readonly DatedServiceJourneyIndex[];
}

export interface Interchange {
  readonly index: InterchangeIndex;
  readonly id: string;
  readonly fromJourney: ServiceJourneyIndex;
  readonly fromPosition: number;
  readonly toJourney: ServiceJourneyIndex;
  readonly toPosition: number;
  readonly guaranteed: boolean;
  readonly staySeated: boolean;
  readonly priority: 'preferred' | 'recommended' | 'allowed' | 'notAllowed' | undefined;
  readonly maximumWaitSeconds: number | undefined;
}
