/**
 * Facts of a file that the report shows with its findings: numbers of lines and journeys, and the last day that it
 * may run.
 */
import type { Check } from './check.ts';
import { defineRule } from './rule.ts';

export const NO_ACTIVE_JOURNEYS = defineRule({
  code: 'NO_ACTIVE_JOURNEYS',
  severity: 'WARNING',
  name: 'Nothing left to run',
  meaning: 'Every date and period of the dataset lies in the past',
  scope: 'archive',
  stage: '4-dataset',
  datasets: ['timetable'],
  example: 'A dataset whose operating periods all ended last year',
  mend: 'Send the timetable that is in force, or that will be.',
});

export interface FileFacts {
  lines: number;
  serviceJourneys: number;
  lastDay: string | null;
}

const DAY = /^\d{4}-\d{2}-\d{2}/;

/**
 * The last day is an upper bound from the calendar's dates: operating days, ends of operating periods, and dates that
 * day types are assigned to. The filter of the private dataset finds out which of them have a journey.
 */
export function createFactCollector(): { check: Check; facts: FileFacts } {
  const facts: FileFacts = { lines: 0, serviceJourneys: 0, lastDay: null };
  const countLine = (): void => {
    facts.lines++;
  };
  const seeDay = (text: string): void => {
    const day = DAY.exec(text.trim())?.[0];
    if (day !== undefined && (facts.lastDay === null || day > facts.lastDay)) facts.lastDay = day;
  };
  const check: Check = {
    rules: [],
    begin: () => ({
      start: {
        Line: countLine,
        FlexibleLine: countLine,
        ServiceJourney() {
          facts.serviceJourneys++;
        },
      },
      end: {
        CalendarDate(element) {
          if (element.parent?.name === 'OperatingDay') seeDay(element.text);
        },
        ToDate(element) {
          const holder = element.parent?.name;
          if (holder === 'OperatingPeriod' || holder === 'UicOperatingPeriod') seeDay(element.text);
        },
        Date(element) {
          if (element.parent?.name === 'DayTypeAssignment') seeDay(element.text);
        },
      },
    }),
  };
  return { check, facts };
}
