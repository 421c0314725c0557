/**
 * Checks one interchange against the facts of its two journeys: which rules it breaks, and why. Pure.
 *
 * A rule stays silent when it would only repeat another: a missing journey is not reported to miss a stop. A rule
 * also stays silent when a file of the dataset could not be read, or when a journey's calls, times or days are
 * unknown.
 */
import { dayText } from '../../model/calendar-day.ts';
import { clockText } from '../../model/clock-time.ts';
import {
  FROM_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_FROM_JOURNEY_REF,
  INTERCHANGE_ALIGHTING_NOT_ALLOWED_FOR_ALIGHTING_STOP,
  INTERCHANGE_BOARDING_NOT_ALLOWED_FOR_BOARDING_STOP,
  RULE_NO_INTERCHANGE_POSSIBLE,
  RULE_NON_EXISTING_SERVICE_JOURNEY_REF,
  RULE_NON_EXISTING_STOP_POINT_REF,
  RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING,
  TO_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_TO_JOURNEY_REF,
} from '../../rules/dataset-rules.ts';
import type { Rule } from '../../rules/rule.ts';
import type { DaySet } from './day-set.ts';
import type { ExtractedInterchange } from './timetable-extract.ts';
import type { WantedEnd } from './wanted-calls.ts';

const SECONDS_PER_DAY = 86_400;
const LONGEST_WAIT_SECONDS = 2 * 3600;

export interface Verdict {
  readonly rule: Rule;
  readonly message: (interchange: ExtractedInterchange) => string;
}

export function checkInterchange(feeder: WantedEnd, consumer: WantedEnd, allFilesRead: boolean): Verdict[] {
  return [
    ...(allFilesRead ? checkExistence(feeder, consumer) : []),
    ...checkCalls(feeder, consumer),
    ...checkMeeting(feeder, consumer),
  ];
}

function checkExistence(feeder: WantedEnd, consumer: WantedEnd): Verdict[] {
  const verdicts: Verdict[] = [];
  const missJourney = (role: string, refOf: (interchange: ExtractedInterchange) => string): void => {
    verdicts.push({
      rule: RULE_NON_EXISTING_SERVICE_JOURNEY_REF,
      message: (interchange) =>
        `The interchange names ${refOf(interchange)} as the journey that passengers ${role}, but no file of the dataset has it; expected a ServiceJourney of the dataset.`,
    });
  };
  const missStop = (role: string, refOf: (interchange: ExtractedInterchange) => string): void => {
    verdicts.push({
      rule: RULE_NON_EXISTING_STOP_POINT_REF,
      message: (interchange) =>
        `The interchange names ${refOf(interchange)} as the stop point where passengers ${role}, but no file of the dataset has it; expected a ScheduledStopPoint of the dataset.`,
    });
  };
  if (feeder.journeyNamed && !feeder.journeyFound) missJourney('come from', ({ fromJourneyRef }) => fromJourneyRef);
  if (consumer.journeyNamed && !consumer.journeyFound) missJourney('go on with', ({ toJourneyRef }) => toJourneyRef);
  if (feeder.stopNamed && !feeder.stopFound) missStop('get off', ({ fromPointRef }) => fromPointRef);
  if (consumer.stopNamed && !consumer.stopFound) missStop('get on', ({ toPointRef }) => toPointRef);
  return verdicts;
}

function checkCalls(feeder: WantedEnd, consumer: WantedEnd): Verdict[] {
  const verdicts: Verdict[] = [];
  if (feeder.callsKnown && feeder.stopNamed) {
    if (!feeder.isCalledAt) {
      verdicts.push({
        rule: FROM_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_FROM_JOURNEY_REF,
        message: ({ fromJourneyRef, fromPointRef }) =>
          `${fromJourneyRef} does not call at ${fromPointRef}, where the interchange begins; expected a stop of that journey.`,
      });
    } else if (!feeder.isAllowed) {
      verdicts.push({
        rule: INTERCHANGE_ALIGHTING_NOT_ALLOWED_FOR_ALIGHTING_STOP,
        message: ({ fromJourneyRef, fromPointRef }) =>
          `The interchange begins at ${fromPointRef}, but ${fromJourneyRef} lets nobody off there (ForAlighting is false); expected a stop where passengers may get off.`,
      });
    }
  }
  if (consumer.callsKnown && consumer.stopNamed) {
    if (!consumer.isCalledAt) {
      verdicts.push({
        rule: TO_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_TO_JOURNEY_REF,
        message: ({ toJourneyRef, toPointRef }) =>
          `${toJourneyRef} does not call at ${toPointRef}, where the interchange ends; expected a stop of that journey.`,
      });
    } else if (!consumer.isAllowed) {
      verdicts.push({
        rule: INTERCHANGE_BOARDING_NOT_ALLOWED_FOR_BOARDING_STOP,
        message: ({ toJourneyRef, toPointRef }) =>
          `The interchange ends at ${toPointRef}, but ${toJourneyRef} lets nobody on there (ForBoarding is false); expected a stop where passengers may get on.`,
      });
    }
  }
  return verdicts;
}

/** The consumer's day matches the feeder's when the consumer departs within 24 hours after the feeder's arrival. */
function checkMeeting(feeder: WantedEnd, consumer: WantedEnd): Verdict[] {
  const [comes, leaves] = [feeder.days, consumer.days];
  if (!comes || !leaves) return [];
  if (comes.size === 0 || leaves.size === 0) {
    return [{ rule: RULE_NO_INTERCHANGE_POSSIBLE, message: (interchange) => neverRuns(interchange, comes, leaves) }];
  }
  if (feeder.times.length === 0 || consumer.times.length === 0) return [];
  let shortest: Wait | undefined;
  const meetings = new Map<number, boolean>();
  for (const arrival of feeder.times) {
    for (const departure of consumer.times) {
      const daysLater = Math.ceil((arrival - departure) / SECONDS_PER_DAY);
      const meets = meetings.get(daysLater) ?? comes.meets(leaves, daysLater);
      meetings.set(daysLater, meets);
      if (!meets) continue;
      const seconds = daysLater * SECONDS_PER_DAY + departure - arrival;
      if (!shortest || seconds < shortest.seconds) shortest = { seconds, arrival, departure };
    }
  }
  if (!shortest) {
    const [arrival, departure] = [feeder.times[0] as number, consumer.times[0] as number];
    return [
      {
        rule: RULE_NO_INTERCHANGE_POSSIBLE,
        message: ({ fromJourneyRef, fromPointRef, toJourneyRef, toPointRef }) =>
          `${fromJourneyRef} comes to ${fromPointRef} at ${clockText(arrival)} ${daysText(comes)}; ${toJourneyRef} leaves ${toPointRef} at ${clockText(departure)} ${daysText(leaves)}, and never within 24 hours after the other has come; expected journeys that meet on some day.`,
      },
    ];
  }
  const { seconds, arrival, departure } = shortest;
  if (seconds <= LONGEST_WAIT_SECONDS) return [];
  return [
    {
      rule: RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING,
      message: ({ fromJourneyRef, fromPointRef, toJourneyRef, toPointRef }) =>
        `The shortest wait of the interchange is ${durationText(seconds)}: ${fromJourneyRef} comes to ${fromPointRef} at ${clockText(arrival)}, ${toJourneyRef} leaves ${toPointRef} at ${clockText(departure)}; expected at most 2 hours.`,
    },
  ];
}

interface Wait {
  readonly seconds: number;
  readonly arrival: number;
  readonly departure: number;
}

function neverRuns({ fromJourneyRef, toJourneyRef }: ExtractedInterchange, comes: DaySet, leaves: DaySet): string {
  const [first, second] = [comes.size === 0 && fromJourneyRef, leaves.size === 0 && toJourneyRef];
  const idle = first && second && first !== second ? `${first} and ${second} run` : `${first || second} runs`;
  return `The interchange is never possible, since ${idle} on no day at all; expected journeys that meet on some day.`;
}

function daysText(days: DaySet): string {
  const all = [...days];
  const [first = 0] = all;
  const last = all.at(-1) ?? 0;
  return all.length === 1
    ? `on ${dayText(first)}`
    : `on ${all.length} days between ${dayText(first)} and ${dayText(last)}`;
}

function durationText(seconds: number): string {
  const parts = [`${Math.floor(seconds / 3600)} h`];
  if (seconds % 3600 >= 60) parts.push(`${Math.floor((seconds % 3600) / 60)} min`);
  if (seconds % 60 > 0) parts.push(`${seconds % 60} s`);
  return parts.join(' ');
}
