/** The meaning of a reference for keeping its source and its target. Caller: Walker. */
import type { KindRole } from './kinds.ts';

/** The target stays too; when the target is not public, neither is the source. */
export const NEEDED = 0;
/** Removed with its target, which it does not keep. */
export const LOOSE = 1;
/** Keeps its target if that may stay, else the reference is removed. */
export const WANTED = 2;
/** The subject of a satellite. */
export const ANCHOR = 3;
/** From an assignment to its day type. */
export const ASSIGNED_DAY_TYPE = 4;
/** From an assignment to its period. */
export const ASSIGNED_PERIOD = 5;
/** From an assignment or a dated journey to its day. */
export const ON_DAY = 6;
/** From what runs to one of its day types. */
export const RUNS_ON = 7;
/** From a block to one of its journeys. */
export const BLOCK_JOURNEY = 8;
/** From a dated journey to its journey. */
export const DATES_JOURNEY = 9;

/** From a period to the operating day that it begins on. */
export const BEGINS_ON = 10;
/** From a period to the operating day that it ends on. */
export const ENDS_ON = 11;

const LOOSE_NAMES = new Set([
  'InverseRouteRef',
  'BlockRef',
  'TrainBlockRef',
  'CompoundBlockRef',
  'BlockPartRef',
  'TrainBlockPartRef',
  'derivedFromObjectRef',
]);
const WANTED_NAMES = new Set([
  'VehicleTypeRef',
  'TransportTypeRef',
  'TrainRef',
  'CompoundTrainRef',
  'BrandingRef',
  'TariffZoneRef',
  'FareZoneRef',
  'ServiceFacilitySetRef',
  'SiteFacilitySetRef',
  'TopographicPlaceRef',
  'ResponsibilitySetRef',
  'DataSourceRef',
  'dataSourceRef',
  'responsibilitySetRef',
  'TrainNumberRef',
  'DirectionRef',
  'ControlCentreRef',
]);
const JOURNEY_OF_BLOCK = /Journey(Part|PartCouple)?Ref$/;
const STOP_ASSIGNED = new Set(['ScheduledStopPointRef']);
const JOURNEYS_MET = new Set(['FromJourneyRef', 'ToJourneyRef']);

/** Anchors by kind; a satellite of another kind is about all its targets. */
const ANCHORS: Readonly<Record<string, ReadonlySet<string>>> = {
  NoticeAssignment: new Set(['NoticedObjectRef']),
  PassengerStopAssignment: STOP_ASSIGNED,
  FlexibleStopAssignment: STOP_ASSIGNED,
  QuayAssignment: STOP_ASSIGNED,
  TrainStopAssignment: STOP_ASSIGNED,
  PassengerBoardingPositionAssignment: STOP_ASSIGNED,
  ServiceJourneyInterchange: JOURNEYS_MET,
  JourneyMeeting: JOURNEYS_MET,
};

export interface ReferencePlace {
  /** Kind of the source; empty and undefined at the level of a frame. */
  readonly kind: string;
  readonly role: KindRole | undefined;
  /** Name of the element around the reference. */
  readonly parent: string;
  /** Whether that element is a direct child of the source. */
  readonly isNear: boolean;
}

export function roleOfReference(name: string, { kind, role, parent, isNear }: ReferencePlace): number {
  if (role === undefined || WANTED_NAMES.has(name) || parent === 'replacedJourneys' || name.startsWith('TypeOf')) {
    return WANTED;
  }
  if (LOOSE_NAMES.has(name) || parent === 'members' || parent === 'lines') return LOOSE;
  if (role === 'assignment') return roleInAssignment(name);
  if (role === 'period' && name.endsWith('OperatingDayRef')) return /^(From|Start)/.test(name) ? BEGINS_ON : ENDS_ON;
  if (role === 'satellite') return (ANCHORS[kind]?.has(name) ?? true) ? ANCHOR : NEEDED;
  if (role === 'container') return parent === 'dayTypes' ? LOOSE : NEEDED;
  const runs = role === 'journey' || role === 'dead-run' || role === 'block';
  if (runs && isNear && parent === 'dayTypes') return RUNS_ON;
  if (role === 'block' && (parent === 'journeys' || JOURNEY_OF_BLOCK.test(name))) return BLOCK_JOURNEY;
  if (role === 'dated' && isNear) return roleInDated(name);
  return NEEDED;
}

function roleInAssignment(name: string): number {
  if (name.endsWith('DayTypeRef')) return ASSIGNED_DAY_TYPE;
  if (name === 'OperatingDayRef') return ON_DAY;
  return name.endsWith('PeriodRef') ? ASSIGNED_PERIOD : NEEDED;
}

function roleInDated(name: string): number {
  if (name === 'OperatingDayRef') return ON_DAY;
  // The journey that it replaces.
  if (name === 'DatedServiceJourneyRef' || name === 'DatedVehicleJourneyRef') return WANTED;
  return name === 'ServiceJourneyRef' || name === 'VehicleJourneyRef' || name === 'JourneyRef' ? DATES_JOURNEY : NEEDED;
}

/** Whether a restricted or missing target removes the source too. */
export function takesAlong(role: number): boolean {
  return role === NEEDED || (role >= ANCHOR && role <= ON_DAY) || role >= DATES_JOURNEY;
}
