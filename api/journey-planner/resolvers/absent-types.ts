/**
 * Types of things that no timetable holds: rented vehicles, car parks, street directions, server tuning. They are declared, since
 * clients name them, and no resolver ever answers one; their fields would be read off a plain object of the same shape.
 */
export const ABSENT_TYPES: ReadonlySet<string> = new Set([
  'AffectedLine',
  'AffectedServiceJourney',
  'AffectedStopPlace',
  'AffectedStopPlaceOnLine',
  'AffectedStopPlaceOnServiceJourney',
  'AffectedUnknown',
  'BikePark',
  'BikeRentalStation',
  'CarPark',
  'ElevationProfileStep',
  'Emission',
  'EmpiricalDelay',
  'KeyValue',
  'MultilingualString',
  'PathGuidance',
  'PtSituationElement',
  'RentalVehicle',
  'RentalVehicleType',
  'RoutingParameters',
  'SystemNotice',
  'TimePenaltyWithCost',
  'TransportModeSlackType',
  'ValidityPeriod',
  'debugOutput',
  'infoLink',
]);
