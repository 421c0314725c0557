/** Rows of the catalogue for service-calendar.ts. */
import { defineStructureRule } from './rule.ts';

const TURN = 'Correct FromDate or ToDate so that the period begins before it ends.';

export const SERVICE_CALENDAR_1 = defineStructureRule({
  code: 'SERVICE_CALENDAR_1',
  severity: 'WARNING',
  name: 'ServiceCalendar unused DayType',
  meaning: 'Day type not assigned to any date or period in the same file',
  example: 'A DayType that no DayTypeRef of a DayTypeAssignment names',
  mend: 'Add a DayTypeAssignment with its dates or period in the same file, or leave the day type out.',
});
export const SERVICE_CALENDAR_2 = defineStructureRule({
  code: 'SERVICE_CALENDAR_2',
  severity: 'WARNING',
  name: 'ServiceCalendar empty ServiceCalendar',
  meaning: 'ServiceCalendar with neither day types nor assignments',
  example: '<ServiceCalendar id="ABC:ServiceCalendar:1" version="1"/>',
  mend: 'Add dayTypes or dayTypeAssignments, or leave the calendar out.',
});
export const SERVICE_CALENDAR_3 = defineStructureRule({
  code: 'SERVICE_CALENDAR_3',
  severity: 'WARNING',
  name: 'ServiceCalendar missing ToDate',
  meaning: 'ServiceCalendar without end date',
  example: '<ServiceCalendar …><FromDate>2026-01-01</FromDate>…</ServiceCalendar> without ToDate',
  mend: 'Add the ToDate, the last day of the calendar.',
});
export const SERVICE_CALENDAR_4 = defineStructureRule({
  code: 'SERVICE_CALENDAR_4',
  severity: 'WARNING',
  name: 'ServiceCalendar missing FromDate',
  meaning: 'ServiceCalendar without start date',
  example: '<ServiceCalendar …><ToDate>2026-12-31</ToDate>…</ServiceCalendar> without FromDate',
  mend: 'Add the FromDate, the first day of the calendar.',
});
export const SERVICE_CALENDAR_5 = defineStructureRule({
  code: 'SERVICE_CALENDAR_5',
  severity: 'ERROR',
  name: 'ServiceCalendar invalid time interval',
  meaning: 'ServiceCalendar ends before it starts',
  example: '<ServiceCalendar …><FromDate>2026-12-31</FromDate><ToDate>2026-01-01</ToDate>…</ServiceCalendar>',
  mend: TURN,
});
export const OPERATING_PERIOD_1 = defineStructureRule({
  code: 'OPERATING_PERIOD_1',
  severity: 'ERROR',
  name: 'OperatingPeriod invalid time interval',
  meaning: 'OperatingPeriod ends before it starts',
  example:
    '<OperatingPeriod …><FromDate>2026-02-01T00:00:00</FromDate><ToDate>2026-01-01T00:00:00</ToDate></OperatingPeriod>',
  mend: TURN,
});
