/** Rows of the catalogue for service-journeys.ts and journey-passing-times.ts. */
import { lineFileRule } from './rule.ts';

export const SERVICE_JOURNEY_1 = lineFileRule(
  'SERVICE_JOURNEY_1',
  'ERROR',
  'ServiceJourney must exist',
  'TimetableFrame of a line file without service journey',
  '<TimetableFrame …><vehicleJourneys/></TimetableFrame>',
  'Add the journeys of the line, or leave its file out.',
);
export const SERVICE_JOURNEY_2 = lineFileRule(
  'SERVICE_JOURNEY_2',
  'ERROR',
  'ServiceJourney illegal element Call',
  'Service journey uses calls instead of passing times',
  '<ServiceJourney …><calls><Call …/></calls></ServiceJourney>',
  'Write passingTimes with a TimetabledPassingTime for each stop of the journey pattern.',
);
export const SERVICE_JOURNEY_3 = lineFileRule(
  'SERVICE_JOURNEY_3',
  'ERROR',
  'ServiceJourney missing element PassingTimes',
  'Service journey without passing times',
  '<ServiceJourney id="ABC:ServiceJourney:1" version="1"><JourneyPatternRef …/>…</ServiceJourney> without passingTimes',
  'Add passingTimes with a TimetabledPassingTime for each stop of the journey pattern.',
);
export const SERVICE_JOURNEY_4 = lineFileRule(
  'SERVICE_JOURNEY_4',
  'ERROR',
  'ServiceJourney missing arrival and departure',
  'A passing time has neither departure nor arrival (fixed or flexible window)',
  '<TimetabledPassingTime …><StopPointInJourneyPatternRef …/></TimetabledPassingTime>',
  'Add a DepartureTime, an ArrivalTime or both; for a flexible stop EarliestDepartureTime and LatestArrivalTime.',
);
export const SERVICE_JOURNEY_5 = lineFileRule(
  'SERVICE_JOURNEY_5',
  'ERROR',
  'ServiceJourney missing departure times',
  'First passing time has no departure',
  '<passingTimes><TimetabledPassingTime …><ArrivalTime>10:00:00</ArrivalTime>…',
  'Add the DepartureTime, or the EarliestDepartureTime, to the first passing time.',
);
export const SERVICE_JOURNEY_6 = lineFileRule(
  'SERVICE_JOURNEY_6',
  'ERROR',
  'ServiceJourney missing arrival time for last stop',
  'Last passing time has no arrival',
  '…<DepartureTime>11:00:00</DepartureTime></TimetabledPassingTime></passingTimes>',
  'Add the ArrivalTime, or the LatestArrivalTime, to the last passing time.',
);
export const SERVICE_JOURNEY_7 = lineFileRule(
  'SERVICE_JOURNEY_7',
  'WARNING',
  'ServiceJourney identical arrival and departure',
  'Arrival equals departure (redundant)',
  '<ArrivalTime>10:00:00</ArrivalTime><DepartureTime>10:00:00</DepartureTime>',
  'Leave the ArrivalTime out where it equals the DepartureTime.',
);
export const SERVICE_JOURNEY_8 = lineFileRule(
  'SERVICE_JOURNEY_8',
  'WARNING',
  'ServiceJourney missing id on TimetabledPassingTime',
  'Passing time without id',
  '<TimetabledPassingTime version="1">…',
  'Give each passing time an id that stays the same from one delivery to the next.',
);
export const SERVICE_JOURNEY_9 = lineFileRule(
  'SERVICE_JOURNEY_9',
  'WARNING',
  'ServiceJourney missing version on TimetabledPassingTime',
  'Passing time without version',
  '<TimetabledPassingTime id="ABC:TimetabledPassingTime:1">…',
  'Add the version.',
);
export const SERVICE_JOURNEY_10 = lineFileRule(
  'SERVICE_JOURNEY_10',
  'ERROR',
  'ServiceJourney missing reference to JourneyPattern',
  'Service journey without journey pattern',
  '<ServiceJourney id="ABC:ServiceJourney:1" version="1"><passingTimes>…</passingTimes>…</ServiceJourney> without JourneyPatternRef',
  'Add the JourneyPatternRef of the stops that it calls at.',
);
export const SERVICE_JOURNEY_11 = lineFileRule(
  'SERVICE_JOURNEY_11',
  'WARNING',
  'ServiceJourney invalid overriding of transport modes',
  'Journey overrides only one of mode and submode',
  '<ServiceJourney …><TransportMode>bus</TransportMode>… without TransportSubmode',
  'Give both TransportMode and TransportSubmode, or neither when those of the line hold.',
);
export const SERVICE_JOURNEY_12 = lineFileRule(
  'SERVICE_JOURNEY_12',
  'ERROR',
  'ServiceJourney missing OperatorRef',
  'Operator given neither on the journey nor on the line',
  '<ServiceJourney id="ABC:ServiceJourney:1" version="1"><JourneyPatternRef …/>…</ServiceJourney> without OperatorRef, on a line without OperatorRef',
  'Add the OperatorRef to the line, or to each journey.',
);
export const SERVICE_JOURNEY_13 = lineFileRule(
  'SERVICE_JOURNEY_13',
  'ERROR',
  'ServiceJourney missing reference to calendar data',
  'Journey has neither day types nor dated journeys',
  '<ServiceJourney id="ABC:ServiceJourney:1" version="1"><JourneyPatternRef …/>…</ServiceJourney> without dayTypes, to which no DatedServiceJourney refers',
  'Add dayTypes with a DayTypeRef, or DatedServiceJourneys that refer to the journey.',
);
export const SERVICE_JOURNEY_14 = lineFileRule(
  'SERVICE_JOURNEY_14',
  'ERROR',
  'ServiceJourney duplicated reference to calendar data',
  'Journey has both day types and dated journeys',
  '<ServiceJourney …><dayTypes>… and a DatedServiceJourney with its ServiceJourneyRef',
  'Say when the journey runs in one way: by day types or by dated journeys.',
);
export const SERVICE_JOURNEY_15 = lineFileRule(
  'SERVICE_JOURNEY_15',
  'ERROR',
  'ServiceJourney missing some passing times',
  'Number of passing times differs from number of stops in the pattern',
  'Five TimetabledPassingTimes; a JourneyPattern of six StopPointInJourneyPatterns',
  'Give each stop of the pattern its passing time, or refer to the pattern that the journey really follows.',
);
export const SERVICE_JOURNEY_16 = lineFileRule(
  'SERVICE_JOURNEY_16',
  'WARNING',
  'ServiceJourney multiple versions',
  'Same service journey id repeated with another version',
  '<ServiceJourney id="ABC:ServiceJourney:1" version="1"/><ServiceJourney id="ABC:ServiceJourney:1" version="2"/>',
  'Send the version that is in force, alone.',
);
export const SERVICE_JOURNEY_17 = lineFileRule(
  'SERVICE_JOURNEY_17',
  'ERROR',
  'Non-unique NeTEx id for TimetabledPassingTime',
  'Passing time id repeated inside the file',
  'Two TimetabledPassingTimes with the id ABC:TimetabledPassingTime:1',
  'Give each passing time an id of its own.',
);
