/** Rows of the catalogue for journey-patterns.ts. */
import { defineStructureRule, lineFileRule } from './rule.ts';

const TWO_STOPS = '<StopPointInJourneyPattern order="1" …/><StopPointInJourneyPattern order="2" …/>';

export const JOURNEY_PATTERN_1 = lineFileRule(
  'JOURNEY_PATTERN_1',
  'ERROR',
  'JourneyPattern illegal element ServiceJourneyPattern',
  'ServiceJourneyPattern used (JourneyPattern expected)',
  '<journeyPatterns><ServiceJourneyPattern …/></journeyPatterns>',
  'Write a JourneyPattern instead.',
);
export const JOURNEY_PATTERN_2 = lineFileRule(
  'JOURNEY_PATTERN_2',
  'ERROR',
  'JourneyPattern missing JourneyPattern',
  'Line file without any journey pattern',
  '<ServiceFrame …><lines>…</lines><routes>…</routes></ServiceFrame> without journeyPatterns',
  'Add a JourneyPattern for each sequence of stops that the line serves.',
);
export const JOURNEY_PATTERN_3 = lineFileRule(
  'JOURNEY_PATTERN_3',
  'ERROR',
  'JourneyPattern missing RouteRef',
  'Journey pattern without route reference',
  '<JourneyPattern id="ABC:JourneyPattern:1" version="1"><pointsInSequence>…',
  'Add the RouteRef of the route that it follows.',
);
export const JOURNEY_PATTERN_4 = lineFileRule(
  'JOURNEY_PATTERN_4',
  'ERROR',
  'JourneyPattern missing DestinationDisplayRef on first stop point',
  'First stop of a pattern lacks a destination display',
  '<StopPointInJourneyPattern order="1" …><ScheduledStopPointRef …/></StopPointInJourneyPattern>',
  'Add the DestinationDisplayRef of what the vehicle shows when it departs.',
);
export const JOURNEY_PATTERN_5 = lineFileRule(
  'JOURNEY_PATTERN_5',
  'WARNING',
  'JourneyPattern illegal DestinationDisplayRef on last stop point',
  'Last stop of a pattern carries a destination display',
  'A DestinationDisplayRef in the StopPointInJourneyPattern of highest order',
  'Leave it out: the journey ends there.',
);
export const JOURNEY_PATTERN_6 = lineFileRule(
  'JOURNEY_PATTERN_6',
  'WARNING',
  'JourneyPattern stop point without boarding or alighting',
  'Stop in pattern allows neither boarding nor alighting',
  '<ForAlighting>false</ForAlighting><ForBoarding>false</ForBoarding>',
  'Leave the stop out, or say that passengers may board or alight.',
);
export const JOURNEY_PATTERN_7 = lineFileRule(
  'JOURNEY_PATTERN_7',
  'ERROR',
  'JourneyPattern illegal repetition of DestinationDisplay',
  'Stop in pattern repeats the display of the stop before it',
  'The same DestinationDisplayRef in two stops that follow each other',
  'Give a DestinationDisplayRef only where the display changes.',
);
export const JOURNEY_PATTERN_8 = lineFileRule(
  'JOURNEY_PATTERN_8',
  'WARNING',
  'JourneyPattern illegal use of both BookWhen and MinimumBookingPeriod',
  'Stop booking gives both BookWhen and MinimumBookingPeriod',
  '<BookingArrangements><BookWhen>dayOfTravelOnly</BookWhen><MinimumBookingPeriod>PT2H</MinimumBookingPeriod>',
  'Keep the one that the booking goes by.',
);
export const JOURNEY_PATTERN_9 = lineFileRule(
  'JOURNEY_PATTERN_9',
  'WARNING',
  'JourneyPattern BookWhen without LatestBookingTime or LatestBookingTime without BookWhen',
  'On stop booking BookWhen and LatestBookingTime must appear together',
  '<BookingArrangements><BookWhen>untilPreviousDay</BookWhen></BookingArrangements>',
  'Add the one that is missing.',
);
export const NO_ALIGHTING_AT_FIRST_STOP = defineStructureRule({
  code: 'JOURNEY_PATTERN_NO_ALIGHTING_ALLOWED_AT_FIRST_STOP',
  severity: 'ERROR',
  name: 'Journey Pattern - No alighting on first stop',
  meaning: 'First stop (by order) of a pattern must say ForAlighting=false',
  example: TWO_STOPS,
  mend: 'Add <ForAlighting>false</ForAlighting> to the first stop.',
});
export const NO_BOARDING_AT_LAST_STOP = defineStructureRule({
  code: 'JOURNEY_PATTERN_NO_BOARDING_ALLOWED_AT_LAST_STOP',
  severity: 'ERROR',
  name: 'Journey Pattern - No boarding on last stop',
  meaning: 'Last stop (by order) of a pattern must say ForBoarding=false',
  example: TWO_STOPS,
  mend: 'Add <ForBoarding>false</ForBoarding> to the last stop.',
});
