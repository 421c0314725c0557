/**
 * Determines the days of the demo region's day types: weekdays by operating period. Holidays, days without school and a
 * day at the yard are exceptions. Callers: the XML of the calendar.
 */
import type { DayTypeKey } from './model.ts';
import { addDays, isEve, isPublicHoliday, listDays, weekday } from './service-days.ts';

export interface Period {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

export interface DayTypePlan {
  readonly key: DayTypeKey;
  readonly name: string;
  readonly daysOfWeek: string;
  readonly period: string;
  readonly exceptions: readonly { readonly date: string; readonly isAvailable: boolean }[];
}

export interface Calendar {
  readonly days: readonly string[];
  readonly periods: readonly Period[];
  readonly dayTypes: readonly DayTypePlan[];
}

const MONDAY_TO_FRIDAY = 'Monday Tuesday Wednesday Thursday Friday';
/** Two weeks into the period, the weekday timetable of the regional buses changes. */
const CHANGE_AFTER_DAYS = 14;

export function createCalendar(firstDay: string, lastDay: string): Calendar {
  const days = listDays(firstDay, lastDay);
  const change = addDays(firstDay, CHANGE_AFTER_DAYS);
  const isWeekday = (date: string): boolean => weekday(date) >= 1 && weekday(date) <= 5;
  const special = days.filter((date) => isWeekday(date) && (isPublicHoliday(date) || isEve(date)));
  const no = (dates: readonly string[]) => dates.map((date) => ({ date, isAvailable: false }));
  const yes = (dates: readonly string[]) => dates.map((date) => ({ date, isAvailable: true }));
  const eves = special.filter((date) => !isPublicHoliday(date));
  const holidaySaturdays = days.filter((date) => weekday(date) === 6 && isPublicHoliday(date));
  const holidays = days.filter((date) => isPublicHoliday(date) && weekday(date) !== 0);
  const weekdays = { daysOfWeek: MONDAY_TO_FRIDAY };
  return {
    days,
    periods: [
      { key: 'All', from: firstDay, to: lastDay },
      { key: 'First', from: firstDay, to: addDays(change, -1) },
      { key: 'Second', from: change, to: lastDay },
    ],
    dayTypes: [
      { key: 'Weekday', name: 'Mandag-fredag', ...weekdays, period: 'All', exceptions: no(special) },
      {
        key: 'WeekdayFirst',
        name: 'Mandag-fredag, første periode',
        ...weekdays,
        period: 'First',
        exceptions: no(special.filter((date) => date < change)),
      },
      {
        key: 'WeekdaySecond',
        name: 'Mandag-fredag, andre periode',
        ...weekdays,
        period: 'Second',
        exceptions: no(special.filter((date) => date >= change)),
      },
      {
        key: 'Saturday',
        name: 'Lørdag',
        daysOfWeek: 'Saturday',
        period: 'All',
        exceptions: [...no(holidaySaturdays), ...yes(eves)],
      },
      { key: 'Sunday', name: 'Søn- og helligdag', daysOfWeek: 'Sunday', period: 'All', exceptions: yes(holidays) },
      {
        key: 'WeekendNight',
        name: 'Natt til lørdag og søndag',
        daysOfWeek: 'Friday Saturday',
        period: 'All',
        exceptions: [],
      },
      { key: 'Daily', name: 'Alle dager', daysOfWeek: 'Everyday', period: 'All', exceptions: [] },
      {
        key: 'SchoolDay',
        name: 'Skoledager',
        ...weekdays,
        period: 'All',
        exceptions: no(days.filter((date) => isWeekday(date) && !hasSchool(date, days))),
      },
      {
        key: 'Boat',
        name: 'Hurtigbåtens dager',
        daysOfWeek: 'Everyday',
        period: 'All',
        exceptions: no(days.filter((date) => weekday(date) === 2).slice(1, 2)),
      },
    ],
  };
}

function hasSchool(date: string, days: readonly string[]): boolean {
  if (isPublicHoliday(date) || isEve(date)) return false;
  const monthDay = date.slice(5);
  const summer = monthDay >= '06-20' && monthDay <= '08-17';
  const christmas = monthDay >= '12-22' || monthDay <= '01-02';
  const planningDay = days.filter((day) => weekday(day) === 3)[1];
  return !summer && !christmas && date !== planningDay;
}
