/** Writes services as day types: weekdays within a period, with added and removed dates. Caller: the common file. */
import type { XmlWriter } from '../../netex/writing/xml-writer.ts';
import { isoDay } from '../feed/values.ts';
import type { CalendarEntry, Timetable } from '../timetable/timetable.ts';
import type { NetexNames } from './netex-names.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function calendarXml(xml: XmlWriter, names: NetexNames, timetable: Timetable): void {
  const entries = [...timetable.calendar, ...timetable.partCalendar].filter((entry) => entry !== undefined);
  xml.open('ServiceCalendarFrame', names.identity('ServiceCalendarFrame', 'shared')).open('dayTypes');
  for (const entry of entries) dayTypeXml(xml, names, entry);
  xml.close('dayTypes');
  periodsXml(xml, names, entries.filter(hasPeriod));
  xml.open('dayTypeAssignments');
  for (const entry of entries) assignmentsXml(xml, names, entry);
  xml.close('dayTypeAssignments').close('ServiceCalendarFrame');
}

function hasPeriod({ days }: CalendarEntry): boolean {
  return days.weekdays !== 0 && days.toDay >= days.fromDay;
}

function periodKey({ days }: CalendarEntry): string {
  return `${isoDay(days.fromDay)}_${isoDay(days.toDay)}`;
}

function dayTypeXml(xml: XmlWriter, names: NetexNames, entry: CalendarEntry): void {
  xml.open('DayType', names.identity('DayType', entry.key)).text('Name', entry.serviceId);
  if (hasPeriod(entry)) {
    const weekdays = WEEKDAYS.filter((_, day) => (entry.days.weekdays & (1 << day)) !== 0).join(' ');
    xml.open('properties').open('PropertyOfDay').text('DaysOfWeek', weekdays);
    xml.close('PropertyOfDay').close('properties');
  }
  xml.close('DayType');
}

function periodsXml(xml: XmlWriter, names: NetexNames, entries: readonly CalendarEntry[]): void {
  const periods = new Map(entries.map((entry) => [periodKey(entry), entry.days]));
  if (periods.size === 0) return;
  xml.open('operatingPeriods');
  for (const [key, { fromDay, toDay }] of periods) {
    xml.open('OperatingPeriod', names.identity('OperatingPeriod', key));
    xml.text('FromDate', `${isoDay(fromDay)}T00:00:00`).text('ToDate', `${isoDay(toDay)}T00:00:00`);
    xml.close('OperatingPeriod');
  }
  xml.close('operatingPeriods');
}

function assignmentsXml(xml: XmlWriter, names: NetexNames, entry: CalendarEntry): void {
  let order = 0;
  const assign = (write: () => void): void => {
    order++;
    xml.open('DayTypeAssignment', `order="${order}" ${names.identity('DayTypeAssignment', `${entry.key}-${order}`)}`);
    write();
    xml.close('DayTypeAssignment');
  };
  const dayType = names.localRef('DayType', entry.key);
  if (hasPeriod(entry)) {
    assign(() => {
      xml.empty('OperatingPeriodRef', names.localRef('OperatingPeriod', periodKey(entry))).empty('DayTypeRef', dayType);
    });
  }
  const date = (day: number, isAvailable: boolean): void => {
    assign(() => {
      xml.text('Date', isoDay(day)).empty('DayTypeRef', dayType).text('isAvailable', String(isAvailable));
    });
  };
  for (const day of entry.days.added) date(day, true);
  for (const day of entry.days.removed) date(day, false);
}
