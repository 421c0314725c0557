/**
 * Types that no timetable contains: rented vehicles, car parks, street directions, server tuning. The schema declares
 * them because clients name them. No resolver returns one. Their fields are read from a plain object of the same shape.
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
