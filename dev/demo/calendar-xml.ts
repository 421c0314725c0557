/** Writes the demo region's calendar as a ServiceCalendarFrame. Callers: the common file. */
import { type Calendar, createCalendar, type DayTypePlan } from './calendar.ts';
import type { Region } from './model.ts';
import { identity, localRef, type XmlWriter } from './xml-writer.ts';

export function calendarXml(xml: XmlWriter, region: Region): void {
  const calendar = createCalendar(region.firstDay, region.lastDay);
  xml.open('ServiceCalendarFrame', identity('ServiceCalendarFrame', 'shared'));
  dayTypesXml(xml, calendar);
  xml.open('operatingDays');
  for (const date of calendar.days) {
    xml.open('OperatingDay', identity('OperatingDay', date)).text('CalendarDate', date).close('OperatingDay');
  }
  xml.close('operatingDays');
  periodsXml(xml, calendar);
  xml.open('dayTypeAssignments');
  for (const dayType of calendar.dayTypes) assignmentsXml(xml, dayType);
  xml.close('dayTypeAssignments').close('ServiceCalendarFrame');
}

function dayTypesXml(xml: XmlWriter, calendar: Calendar): void {
  xml.open('dayTypes');
  for (const dayType of calendar.dayTypes) {
    xml.open('DayType', identity('DayType', dayType.key)).text('Name', dayType.name);
    xml.open('properties').open('PropertyOfDay').text('DaysOfWeek', dayType.daysOfWeek);
    xml.close('PropertyOfDay').close('properties').close('DayType');
  }
  xml.close('dayTypes');
}

function periodsXml(xml: XmlWriter, calendar: Calendar): void {
  xml.open('operatingPeriods');
  for (const period of calendar.periods) {
    xml.open('OperatingPeriod', identity('OperatingPeriod', period.key));
    xml.text('FromDate', `${period.from}T00:00:00`).text('ToDate', `${period.to}T00:00:00`).close('OperatingPeriod');
  }
  xml.close('operatingPeriods');
}

function assignmentsXml(xml: XmlWriter, dayType: DayTypePlan): void {
  const assign = (order: number, write: () => void): void => {
    xml.open('DayTypeAssignment', `order="${order}" ${identity('DayTypeAssignment', `${dayType.key}-${order}`)}`);
    write();
    xml.close('DayTypeAssignment');
  };
  const dayTypeRef = localRef('DayType', dayType.key);
  assign(1, () => {
    xml.empty('OperatingPeriodRef', localRef('OperatingPeriod', dayType.period)).empty('DayTypeRef', dayTypeRef);
  });
  dayType.exceptions.forEach(({ date, isAvailable }, index) => {
    assign(index + 2, () => {
      xml.text('Date', date).empty('DayTypeRef', dayTypeRef).text('isAvailable', String(isAvailable));
    });
  });
}
