/** Reads day types, their assignments, operating periods and days into a FactsBuilder. Callers: factReaders. */
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement } from '../xml/scan.ts';
import { EVERY_WEEKDAY, parseDay, parseWeekdays } from './calendar-day.ts';
import type { DayTypeAssignmentFacts, FactsBuilder, OperatingPeriodFacts } from './facts-builder.ts';
import type { Handlers } from './handlers.ts';

export function calendarReaders(facts: FactsBuilder): readonly Handlers[] {
  return [dayTypeReader(facts), dayTypeAssignmentReader(facts), operatingPeriodReader(facts)];
}

function dayTypeReader(facts: FactsBuilder): Handlers {
  let weekdays = 0;
  return {
    start: {
      DayType() {
        weekdays = 0;
      },
    },
    end: {
      DaysOfWeek(element) {
        if (element.parent?.name === 'PropertyOfDay') weekdays |= parseWeekdays(element.text);
      },
      DayType(element) {
        const { id } = element.attributes;
        if (id !== undefined) facts.addDayType(id, weekdays === 0 ? EVERY_WEEKDAY : weekdays);
      },
    },
  };
}

function dayTypeAssignmentReader(facts: FactsBuilder): Handlers {
  let assignment: DayTypeAssignmentFacts | undefined;
  const within = (element: OpenElement): boolean => element.parent?.name === 'DayTypeAssignment';
  const readPeriod: ElementHandler = (element) => {
    if (assignment && within(element)) assignment.operatingPeriodRef = element.attributes.ref;
  };
  return {
    start: {
      DayTypeAssignment() {
        assignment = {
          dayTypeRef: undefined,
          day: undefined,
          operatingDayRef: undefined,
          operatingPeriodRef: undefined,
          isAvailable: true,
        };
      },
      DayTypeRef(element) {
        if (assignment && within(element)) assignment.dayTypeRef = element.attributes.ref;
      },
      OperatingDayRef(element) {
        if (assignment && within(element)) assignment.operatingDayRef = element.attributes.ref;
      },
      OperatingPeriodRef: readPeriod,
      UicOperatingPeriodRef: readPeriod,
    },
    end: {
      Date(element) {
        if (assignment && within(element)) assignment.day = parseDay(element.text);
      },
      isAvailable(element) {
        const text = element.text.trim();
        if (assignment && within(element)) assignment.isAvailable = text !== 'false' && text !== '0';
      },
      DayTypeAssignment() {
        if (assignment?.dayTypeRef !== undefined) facts.addDayTypeAssignment(assignment);
        assignment = undefined;
      },
    },
  };
}

function operatingPeriodReader(facts: FactsBuilder): Handlers {
  let period: OperatingPeriodFacts | undefined;
  const begin: ElementHandler = () => {
    period = { fromDay: undefined, toDay: undefined, fromDayRef: undefined, toDayRef: undefined, dayBits: undefined };
  };
  const finish: ElementHandler = (element) => {
    const { id } = element.attributes;
    if (period && id !== undefined) facts.addOperatingPeriod(id, period);
    period = undefined;
  };
  return {
    start: {
      OperatingPeriod: begin,
      UicOperatingPeriod: begin,
      FromOperatingDayRef(element) {
        if (period) period.fromDayRef = element.attributes.ref;
      },
      ToOperatingDayRef(element) {
        if (period) period.toDayRef = element.attributes.ref;
      },
    },
    end: {
      FromDate(element) {
        if (period && isPeriod(element.parent)) period.fromDay = parseDay(element.text);
      },
      ToDate(element) {
        if (period && isPeriod(element.parent)) period.toDay = parseDay(element.text);
      },
      ValidDayBits(element) {
        if (period) period.dayBits = element.text.trim();
      },
      OperatingPeriod: finish,
      UicOperatingPeriod: finish,
      CalendarDate(element) {
        const id = element.parent?.name === 'OperatingDay' ? element.parent.attributes.id : undefined;
        const day = parseDay(element.text);
        if (id !== undefined && day !== undefined) facts.addOperatingDay(id, day);
      },
    },
  };
}

function isPeriod(element: OpenElement | undefined): boolean {
  return element?.name === 'OperatingPeriod' || element?.name === 'UicOperatingPeriod';
}
