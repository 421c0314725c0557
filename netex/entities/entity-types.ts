/**
 * NeTEx entities as plain objects: references by id, absent facts undefined. Texts are views of the file's text and
 * valid as long as it; `keepEntity` of keep-entity.ts copies them. Callers: the planner's importer.
 */

export interface ContactEntity {
  readonly contactPerson: string | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly url: string | undefined;
  readonly furtherDetails: string | undefined;
}

export interface BookingEntity {
  readonly methods: readonly string[];
  readonly bookWhen: string | undefined;
  readonly latestBookingTime: string | undefined;
  readonly minimumBookingPeriod: string | undefined;
  readonly note: string | undefined;
  readonly contact: ContactEntity | undefined;
}

/** Access for wheelchair users: true, false, partial, unknown. */
export type WheelchairAccess = string | undefined;

/** Days since 1970-01-01, both inclusive; infinite without a date. */
export interface ValidPeriod {
  readonly first: number;
  readonly last: number;
}

/** Ascending periods with days between them. Empty means never. */
export type ValidDays = readonly ValidPeriod[];

/** Settings of the frames around an entity, for all their content. */
export interface FrameDefaults {
  readonly timeZone: string | undefined;
  readonly language: string | undefined;
  readonly validity: ValidDays | undefined;
}

export interface OrganisationEntity {
  readonly kind: 'Authority' | 'Operator';
  readonly id: string;
  readonly name: string | undefined;
  readonly url: string | undefined;
  readonly phone: string | undefined;
  /** Its own locale, else that of its frames. */
  readonly timeZone: string | undefined;
  readonly language: string | undefined;
}

export interface GroupOfLinesEntity {
  readonly id: string;
  readonly name: string | undefined;
  readonly shortName: string | undefined;
  readonly description: string | undefined;
  readonly privateCode: string | undefined;
  /** The lines that it lists. */
  readonly lineRefs: readonly string[];
}

export interface NetworkEntity extends GroupOfLinesEntity {
  readonly authorityRef: string | undefined;
  readonly groups: readonly GroupOfLinesEntity[];
}

export interface BrandingEntity {
  readonly id: string;
  readonly name: string | undefined;
  readonly shortName: string | undefined;
  readonly description: string | undefined;
  readonly url: string | undefined;
  readonly image: string | undefined;
}

export interface LineEntity {
  readonly kind: 'Line' | 'FlexibleLine';
  readonly id: string;
  /** Its own validity, else that of its frames. */
  readonly validity: ValidDays | undefined;
  readonly name: string | undefined;
  readonly publicCode: string | undefined;
  readonly privateCode: string | undefined;
  readonly description: string | undefined;
  readonly url: string | undefined;
  readonly transportMode: string | undefined;
  readonly transportSubmode: string | undefined;
  readonly operatorRef: string | undefined;
  readonly authorityRef: string | undefined;
  /** Network or GroupOfLines. */
  readonly representedByGroupRef: string | undefined;
  readonly colour: string | undefined;
  readonly textColour: string | undefined;
  readonly brandingRef: string | undefined;
  readonly branding: BrandingEntity | undefined;
  readonly wheelchairAccess: WheelchairAccess;
  readonly flexibleLineType: string | undefined;
  readonly booking: BookingEntity | undefined;
}

export interface DirectionEntity {
  readonly id: string;
  readonly directionType: string | undefined;
}

export interface RouteEntity {
  readonly id: string;
  readonly lineRef: string | undefined;
  readonly directionType: string | undefined;
  readonly directionRef: string | undefined;
}

export interface PatternStopEntity {
  readonly id: string;
  readonly scheduledStopPointRef: string | undefined;
  readonly forBoarding: boolean;
  readonly forAlighting: boolean;
  readonly requestStop: boolean;
  readonly destinationDisplayRef: string | undefined;
  readonly booking: BookingEntity | undefined;
}

/** JourneyPattern or ServiceJourneyPattern, without points that are no stops. */
export interface PatternEntity {
  readonly id: string;
  readonly name: string | undefined;
  readonly routeRef: string | undefined;
  readonly lineRef: string | undefined;
  readonly directionType: string | undefined;
  readonly destinationDisplayRef: string | undefined;
  readonly stops: readonly PatternStopEntity[];
  readonly serviceLinkRefs: readonly string[];
}

export interface ServiceLinkEntity {
  readonly id: string;
  readonly fromPointRef: string | undefined;
  readonly toPointRef: string | undefined;
  readonly distanceMetres: number | undefined;
  /** Latitude, longitude, latitude, …, in 10⁻⁷ degrees; empty without a readable geometry. */
  readonly positions: Int32Array;
}

export interface DestinationDisplayEntity {
  readonly id: string;
  readonly frontText: string | undefined;
  readonly vias: ReadonlyArray<{ readonly displayRef: string | undefined; readonly name: string | undefined }>;
}

/** PassengerStopAssignment or FlexibleStopAssignment. */
export interface StopAssignmentEntity {
  readonly scheduledStopPointRef: string | undefined;
  readonly quayRef: string | undefined;
  readonly stopPlaceRef: string | undefined;
  readonly flexibleStopPlaceRef: string | undefined;
}

export interface ScheduledStopPointEntity {
  readonly id: string;
  readonly name: string | undefined;
}

/**
 * Seconds since midnight of the operating day, including the day offset; ABSENT of netex/model/passing-times.ts when
 * not given.
 */
export interface PassingTimeEntity {
  readonly id: string | undefined;
  readonly patternStopRef: string | undefined;
  readonly arrival: number;
  readonly departure: number;
  readonly latestArrival: number;
  readonly earliestDeparture: number;
}

/** A HeadwayJourneyGroup: departures at an interval. Seconds since midnight of the operating day. */
export interface HeadwayEntity {
  readonly id: string | undefined;
  readonly firstDeparture: number;
  readonly lastDeparture: number;
  readonly intervalSeconds: number | undefined;
}

export interface ServiceJourneyEntity {
  readonly kind: 'ServiceJourney' | 'TemplateServiceJourney';
  readonly id: string;
  /** Its own validity, else that of its frames. */
  readonly validity: ValidDays | undefined;
  readonly privateCode: string | undefined;
  readonly publicCode: string | undefined;
  readonly transportMode: string | undefined;
  readonly transportSubmode: string | undefined;
  readonly operatorRef: string | undefined;
  readonly lineRef: string | undefined;
  readonly patternRef: string | undefined;
  readonly dayTypeRefs: readonly string[];
  readonly times: readonly PassingTimeEntity[];
  readonly wheelchairAccess: WheelchairAccess;
  readonly serviceAlteration: string | undefined;
  readonly flexibleServiceType: string | undefined;
  readonly booking: BookingEntity | undefined;
  readonly headways: readonly HeadwayEntity[];
  /** References to frequency groups outside the journey. */
  readonly headwayRefs: readonly string[];
}

export interface DatedServiceJourneyEntity {
  readonly id: string;
  /** Its own validity, else that of its frames. */
  readonly validity: ValidDays | undefined;
  readonly serviceJourneyRef: string | undefined;
  readonly operatingDayRef: string | undefined;
  readonly serviceAlteration: string | undefined;
  /** The dated journeys that it replaces. */
  readonly replacedRefs: readonly string[];
}

export interface InterchangeEntity {
  readonly id: string;
  readonly fromPointRef: string | undefined;
  readonly toPointRef: string | undefined;
  readonly fromVisitNumber: number | undefined;
  readonly toVisitNumber: number | undefined;
  readonly fromJourneyRef: string | undefined;
  readonly toJourneyRef: string | undefined;
  readonly priority: number | undefined;
  readonly staySeated: boolean;
  readonly guaranteed: boolean;
  readonly maximumWaitSeconds: number | undefined;
}

export interface NoticeEntity {
  readonly id: string;
  readonly text: string | undefined;
  readonly publicCode: string | undefined;
}

/** Comes from a frame's list, or from inside the object that it is about. */
export interface NoticeAssignmentEntity {
  readonly noticeRef: string | undefined;
  /** A notice inside the assignment. */
  readonly notice: NoticeEntity | undefined;
  readonly noticedObjectRef: string | undefined;
}

export interface ZoneEntity {
  readonly kind: 'TariffZone' | 'FareZone';
  readonly id: string;
  readonly name: string | undefined;
}
