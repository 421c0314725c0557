/**
 * The list of entities: the kinds of element that a filtered dataset may hold, and the role of each in the decision.
 * Other kinds are removed with their content. Callers: Walker, the collection of facts, the decision.
 */

/**
 * journey, dead-run, dated, block: run, and so keep everything else. satellite: about other elements, and kept with
 * them. container: holds entities of its own and is removed with the last of them. The others are kept when a kept
 * entity refers to them.
 */
export type KindRole =
  | 'journey'
  | 'dead-run'
  | 'dated'
  | 'block'
  | 'satellite'
  | 'container'
  | 'day-type'
  | 'assignment'
  | 'period'
  | 'operating-day'
  | 'line'
  | 'plain';

const list = (role: KindRole, names: string): Array<[string, KindRole]> =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, role]);

const ROLES: ReadonlyMap<string, KindRole> = new Map([
  ...list('journey', 'ServiceJourney TemplateServiceJourney VehicleJourney'),
  ...list('dead-run', 'DeadRun'),
  ...list('dated', 'DatedServiceJourney DatedVehicleJourney'),
  ...list('block', 'Block TrainBlock CompoundBlock'),
  ...list('line', 'Line FlexibleLine'),
  ...list('container', 'Network ServiceCalendar'),
  ...list('day-type', 'DayType'),
  ...list('assignment', 'DayTypeAssignment'),
  ...list('period', 'OperatingPeriod UicOperatingPeriod'),
  ...list('operating-day', 'OperatingDay'),
  ...list('satellite', 'NoticeAssignment PassengerStopAssignment FlexibleStopAssignment QuayAssignment'),
  ...list('satellite', 'TrainStopAssignment PassengerBoardingPositionAssignment TimeDemandTypeAssignment'),
  ...list('satellite', 'ServiceJourneyInterchange ServiceJourneyPatternInterchange DefaultInterchange InterchangeRule'),
  ...list('satellite', 'JourneyMeeting JourneyPartCouple Connection SiteConnection DefaultConnection'),
  ...list('satellite', 'RoutingConstraintZone TransferRestriction'),
  // Organisations and what they have
  ...list('plain', 'Operator Authority Organisation OtherOrganisation GeneralOrganisation GroupOfOperators'),
  ...list('plain', 'ResponsibilitySet ResponsibilityRole DataSource Branding Contact OperationalContext ControlCentre'),
  ...list('plain', 'ValueSet Country VehicleType SimpleVehicleType CompoundTrain Train TrainElement Vehicle'),
  ...list('plain', 'VehicleModel VehicleEquipmentProfile ServiceFacilitySet SiteFacilitySet'),
  // Network
  ...list('plain', 'GroupOfLines Direction DestinationDisplay Route RoutePoint RouteLink FlexiblePointProperties'),
  ...list('plain', 'FlexibleLinkProperties JourneyPattern ServiceJourneyPattern DeadRunJourneyPattern FlexibleRoute'),
  ...list(
    'plain',
    'ScheduledStopPoint FareScheduledStopPoint ServiceLink ServicePattern StopArea TimingPoint TimingLink',
  ),
  ...list('plain', 'TimingPattern TimeDemandType CommonSection GeneralSection GroupOfLinks GroupOfPoints Notice'),
  ...list('plain', 'GroupOfServices TrainNumber FlexibleServiceProperties HeadwayJourneyGroup'),
  ...list('plain', 'RhythmicalJourneyGroup CoupledJourney TariffZone FareZone GroupOfTariffZones Zone'),
  ...list('plain', 'Timeband GroupOfTimebands'),
  // Places
  ...list('plain', 'StopPlace FlexibleStopPlace GroupOfStopPlaces TopographicPlace Address'),
]);

/** Undefined for kinds that are not listed. */
export function roleOfKind(name: string): KindRole | undefined {
  return ROLES.get(name) ?? (name.startsWith('TypeOf') ? 'plain' : undefined);
}

export const FRAMES: ReadonlySet<string> = new Set([
  'CompositeFrame',
  'ResourceFrame',
  'SiteFrame',
  'ServiceFrame',
  'ServiceCalendarFrame',
  'TimetableFrame',
  'VehicleScheduleFrame',
  'GeneralFrame',
]);

/** Lists of a frame that describe the frame itself. */
export const FRAME_PROPERTIES: ReadonlySet<string> = new Set([
  'validityConditions',
  'contentValidityConditions',
  'alternativeTexts',
  'keyList',
  'privateCodes',
  'codespaces',
  'versions',
  'traces',
  'bookingTimes',
  'openModes',
  'modesOfOperation',
]);

/** Lists in which containers hold entities. */
export const CONTAINED_LISTS: ReadonlySet<string> = new Set([
  'groupsOfLines',
  'dayTypes',
  'dayTypeAssignments',
  'operatingDays',
  'operatingPeriods',
  'timebands',
]);

/** Parts that define the meaning of their element: when one is restricted, the whole element is. */
export const ESSENTIAL_PARTS: ReadonlySet<string> = new Set([
  'PointOnRoute',
  'StopPointInJourneyPattern',
  'TimingPointInJourneyPattern',
  'PointInJourneyPattern',
  'ServiceLinkInJourneyPattern',
  'TimingLinkInJourneyPattern',
  'TimetabledPassingTime',
  'Call',
  'JourneyPart',
  'BlockPart',
  'TrainBlockPart',
  'Quay',
]);
