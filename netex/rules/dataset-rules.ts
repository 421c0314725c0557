/** Rules that only a whole dataset can break: names of lines, and interchanges between journeys of any files. */
import type { Severity } from '../finding.ts';
import { defineRule, type Rule } from './rule.ts';

function datasetRule(
  ...[code, severity, name, meaning, example, mend]: [string, Severity, string, string, string, string]
): Rule {
  return defineRule({ code, severity, name, meaning, example, mend, stage: '4-dataset', datasets: ['timetable'] });
}

export const DUPLICATE_LINE_NAME = datasetRule(
  'DUPLICATE_LINE_NAME',
  'WARNING',
  'Duplicate line names found',
  'Same line name in more than one line file',
  'Two line files whose lines are both named "Ringen"',
  'Name the lines so that passengers can tell them apart, or send the line in one file.',
);

export const RULE_NON_EXISTING_SERVICE_JOURNEY_REF = datasetRule(
  'RULE_NON_EXISTING_SERVICE_JOURNEY_REF',
  'ERROR',
  'ServiceJourneyInterchange refers to non-existing service journey',
  'Interchange names a journey that is nowhere in the dataset',
  '<FromJourneyRef ref="ABC:ServiceJourney:9"/>, and no file has that journey',
  'Name a journey of the dataset, or remove the interchange.',
);

export const RULE_NON_EXISTING_STOP_POINT_REF = datasetRule(
  'RULE_NON_EXISTING_STOP_POINT_REF',
  'ERROR',
  'ServiceJourneyInterchange refers to non-existing scheduled stop point',
  'Interchange names a stop point that is nowhere in the dataset',
  '<FromPointRef ref="ABC:ScheduledStopPoint:9"/>, and no file has that stop point',
  'Name a scheduled stop point of the dataset, or remove the interchange.',
);

export const FROM_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_FROM_JOURNEY_REF = datasetRule(
  'FROM_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_FROM_JOURNEY_REF',
  'WARNING',
  'FromPointRef in interchange is not a part of FromJourneyRef',
  'Feeder stop is not called at by the feeder journey',
  'An interchange from ABC:ServiceJourney:1 at a stop point that its journey pattern does not hold',
  'Name a stop point of the journey that passengers come from.',
);

export const TO_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_TO_JOURNEY_REF = datasetRule(
  'TO_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_TO_JOURNEY_REF',
  'WARNING',
  'ToPointRef in interchange is not a part of ToJourneyRef',
  'Consumer stop is not called at by the consumer journey',
  'An interchange to ABC:ServiceJourney:2 at a stop point that its journey pattern does not hold',
  'Name a stop point of the journey that passengers go on with.',
);

export const INTERCHANGE_ALIGHTING_NOT_ALLOWED_FOR_ALIGHTING_STOP = datasetRule(
  'INTERCHANGE_ALIGHTING_NOT_ALLOWED_FOR_ALIGHTING_STOP',
  'WARNING',
  'Interchange is not possible due to alighting being explicitly disallowed for ScheduledStopPoint',
  'Feeder stop forbids alighting',
  'An interchange from a stop whose StopPointInJourneyPattern has <ForAlighting>false</ForAlighting>',
  'Allow alighting there, or let the interchange begin at another stop.',
);

export const INTERCHANGE_BOARDING_NOT_ALLOWED_FOR_BOARDING_STOP = datasetRule(
  'INTERCHANGE_BOARDING_NOT_ALLOWED_FOR_BOARDING_STOP',
  'WARNING',
  'Interchange is not possible due to boarding being explicitly disallowed for ScheduledStopPoint',
  'Consumer stop forbids boarding',
  'An interchange to a stop whose StopPointInJourneyPattern has <ForBoarding>false</ForBoarding>',
  'Allow boarding there, or let the interchange end at another stop.',
);

export const RULE_NO_INTERCHANGE_POSSIBLE = datasetRule(
  'RULE_NO_INTERCHANGE_POSSIBLE',
  'WARNING',
  'Feeder and consumer vehicle journeys have no interchange possibilities',
  'Feeder and consumer never meet on a common active day: the consumer never leaves within 24 hours after the feeder came',
  'An interchange from a journey that runs on Saturdays to one that runs from Monday to Thursday',
  'Name journeys that run on the same days, or remove the interchange.',
);

export const RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING = datasetRule(
  'RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING',
  'WARNING',
  'Waiting time between feeder and consumer vehicle journeys exceed warning threshold',
  'Shortest wait between feeder and consumer above 2 hours',
  'The feeder arrives at 10:00, and the consumer leaves at 12:01',
  'Name the next journey that passengers can go on with.',
);

export const datasetRules: readonly Rule[] = [
  DUPLICATE_LINE_NAME,
  RULE_NON_EXISTING_SERVICE_JOURNEY_REF,
  RULE_NON_EXISTING_STOP_POINT_REF,
  FROM_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_FROM_JOURNEY_REF,
  TO_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_TO_JOURNEY_REF,
  INTERCHANGE_ALIGHTING_NOT_ALLOWED_FOR_ALIGHTING_STOP,
  INTERCHANGE_BOARDING_NOT_ALLOWED_FOR_BOARDING_STOP,
  RULE_NO_INTERCHANGE_POSSIBLE,
  RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING,
];
