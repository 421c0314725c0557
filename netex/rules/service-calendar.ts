/** The calendar: SERVICE_CALENDAR_1 to SERVICE_CALENDAR_5. Its periods: operating-periods.ts. */
import { HashSet } from '../dataset/hash-set.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { demandChildren, idOf, notedIdOf, watchChildren } from './children.ts';
import { endsBeforeItStarts } from './dates.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import { operatingPeriodChecks } from './operating-periods.ts';
import * as rules from './service-calendar-rules.ts';

/** Day types of a calendar. An AvailabilityCondition may hold day types of its own, with its own dates. */
function isOfCalendar(dayType: OpenElement): boolean {
  const holder = dayType.parent?.parent?.name;
  return dayType.parent?.name === 'dayTypes' && (holder === 'ServiceCalendarFrame' || holder === 'ServiceCalendar');
}

/** Assignments come after the day types, possibly in another frame: checked at the end. */
const dayTypesAreAssigned: Check = {
  rules: [rules.SERVICE_CALENDAR_1],
  begin(run) {
    const dayTypes: Array<NotedPlace & { high: number; low: number }> = [];
    const assigned = new HashSet();
    return {
      start: {
        DayType(element) {
          if (!isOfCalendar(element)) return;
          run.hasher.hash(element.attributes.id ?? '');
          dayTypes.push({ ...notePlace(element), high: run.hasher.high, low: run.hasher.low });
        },
        DayTypeRef(element) {
          if (element.parent?.name !== 'DayTypeAssignment') return;
          run.hasher.hash(element.attributes.ref ?? '');
          assigned.add(run.hasher.high, run.hasher.low);
        },
      },
      finish() {
        for (const dayType of dayTypes) {
          if (assigned.has(dayType.high, dayType.low)) continue;
          run.report(
            rules.SERVICE_CALENDAR_1,
            dayType,
            () =>
              `No DayTypeAssignment of the file gives DayType${notedIdOf(dayType)} a date or a period; expected at least one.`,
          );
        }
      },
    };
  },
};

const calendarIsFilled: Check = {
  rules: [rules.SERVICE_CALENDAR_2],
  begin: (run) =>
    watchChildren({ element: 'ServiceCalendar' }, ['dayTypes', 'dayTypeAssignments'], (calendar, texts) => {
      if (texts.size > 0) return;
      run.report(
        rules.SERVICE_CALENDAR_2,
        calendar,
        () =>
          `ServiceCalendar${idOf(calendar)} has neither dayTypes nor dayTypeAssignments; expected one of them or both.`,
      );
    }),
};

const calendarRunsForward: Check = {
  rules: [rules.SERVICE_CALENDAR_5],
  begin: (run) =>
    watchChildren({ element: 'ServiceCalendar' }, ['FromDate', 'ToDate'], (calendar, texts) => {
      const from = texts.get('FromDate');
      const to = texts.get('ToDate');
      if (from === undefined || to === undefined || !endsBeforeItStarts(from, to)) return;
      run.report(
        rules.SERVICE_CALENDAR_5,
        calendar,
        () =>
          `ServiceCalendar${idOf(calendar)} runs from ${from.trim()} to ${to.trim()}; expected the end after the beginning.`,
      );
    }),
};

export const serviceCalendarChecks: readonly Check[] = [
  dayTypesAreAssigned,
  calendarIsFilled,
  demandChildren({ element: 'ServiceCalendar' }, [
    { rule: rules.SERVICE_CALENDAR_3, child: 'ToDate' },
    { rule: rules.SERVICE_CALENDAR_4, child: 'FromDate' },
  ]),
  calendarRunsForward,
  ...operatingPeriodChecks,
];
