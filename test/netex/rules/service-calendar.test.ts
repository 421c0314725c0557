import assert from 'node:assert/strict';
import { endsBeforeItStarts } from '../../../netex/rules/dates.ts';
import { codesOf, composite, validateCommon, validateLine } from '../support/sample-files.ts';

const FAMILY = /^(SERVICE_CALENDAR|OPERATING_PERIOD)_/;
const frame = (content: string, id = 1) =>
  `<ServiceCalendarFrame id="ABC:ServiceCalendarFrame:${id}" version="1">${content}</ServiceCalendarFrame>`;
const dayType = (id: number) => `<dayTypes><DayType id="ABC:DayType:${id}" version="1"/></dayTypes>`;
const assigned = (id: number) =>
  `<dayTypeAssignments><DayTypeAssignment id="ABC:DayTypeAssignment:${id}" version="1" order="1">` +
  `<Date>2026-12-24</Date><DayTypeRef ref="ABC:DayType:${id}" version="2"/></DayTypeAssignment></dayTypeAssignments>`;
const codes = (content: string) => codesOf(validateCommon(composite(content)), FAMILY);

describe('rules: service calendar', () => {
  it('SERVICE_CALENDAR_1: the assignment may be in any frame of the file, before or after, in any version', () => {
    assert.deepEqual(codes(frame(dayType(1) + assigned(1))), []);
    assert.deepEqual(codes(frame(assigned(1)) + frame(dayType(1), 2)), []);
    assert.deepEqual(codes(frame(dayType(1) + assigned(2))), ['SERVICE_CALENDAR_1']);
    assert.deepEqual(codesOf(validateLine(composite(frame(dayType(1)))), FAMILY), ['SERVICE_CALENDAR_1']);
  });

  it('SERVICE_CALENDAR_1: use by a journey gives no date, and a condition dates its own day types', () => {
    const used = `<TimetableFrame id="ABC:TimetableFrame:1" version="1"><dayTypes><DayTypeRef ref="ABC:DayType:1"/></dayTypes></TimetableFrame>`;
    assert.deepEqual(codes(frame(dayType(1)) + used), ['SERVICE_CALENDAR_1']);
    const condition = `<AvailabilityCondition id="ABC:AvailabilityCondition:2" version="1">${dayType(1)}</AvailabilityCondition>`;
    assert.deepEqual(codes(frame(condition)), []);
  });

  it('SERVICE_CALENDAR_2 to 5: each calendar is checked alone', () => {
    const calendar = (id: number, content: string) =>
      frame(`<ServiceCalendar id="ABC:ServiceCalendar:${id}" version="1">${content}</ServiceCalendar>`, id);
    const from = (day: string) => `<FromDate>${day}</FromDate>`;
    const to = (day: string) => `<ToDate>${day}</ToDate>`;
    const filled = dayType(1) + assigned(1);
    assert.deepEqual(codes(calendar(1, from('2026-12-01') + to('2026-12-01') + filled)), []);
    assert.deepEqual(codes(calendar(1, '') + calendar(2, from('2026-12-02') + to('2026-12-01') + filled)), [
      'SERVICE_CALENDAR_2',
      'SERVICE_CALENDAR_3',
      'SERVICE_CALENDAR_4',
      'SERVICE_CALENDAR_5',
    ]);
    const inner = `<operatingPeriods><OperatingPeriod>${from('2026-01-01T00:00:00')}${to('2026-02-01T00:00:00')}</OperatingPeriod></operatingPeriods>`;
    assert.deepEqual(codes(calendar(1, filled + inner)), ['SERVICE_CALENDAR_3', 'SERVICE_CALENDAR_4']);
  });

  it('OPERATING_PERIOD_1: every kind of period is checked, except open ones', () => {
    const period = (name: string, content: string) =>
      frame(`<operatingPeriods><${name}>${content}</${name}></operatingPeriods>`);
    const backwards = '<FromDate>2026-02-01T00:00:00</FromDate><ToDate>2026-01-01T00:00:00</ToDate>';
    assert.deepEqual(codes(period('OperatingPeriod', backwards)), ['OPERATING_PERIOD_1']);
    assert.deepEqual(codes(period('UicOperatingPeriod', backwards)), ['OPERATING_PERIOD_1']);
    assert.deepEqual(codes(period('OperatingPeriod', '<FromDate>2026-02-01T00:00:00</FromDate>')), []);
  });

  it('OPERATING_PERIOD_1: days given by reference are read from the file', () => {
    const day = (id: number, date: string) =>
      `<OperatingDay id="ABC:OperatingDay:${id}" version="1"><CalendarDate>${date}</CalendarDate></OperatingDay>`;
    const days = `<operatingDays>${day(1, '2026-01-01')}${day(2, '2026-02-01')}</operatingDays>`;
    const period = (from: string, to: string) =>
      frame(
        `<operatingPeriods><OperatingPeriod id="ABC:OperatingPeriod:1" version="1">${from}${to}</OperatingPeriod></operatingPeriods>${days}`,
      );
    const fromDay = (id: number) => `<FromOperatingDayRef ref="ABC:OperatingDay:${id}"/>`;
    const toDay = (id: number) => `<ToOperatingDayRef ref="ABC:OperatingDay:${id}"/>`;
    assert.deepEqual(codes(period(fromDay(2), toDay(1))), ['OPERATING_PERIOD_1']);
    assert.deepEqual(codes(period('<FromDate>2026-01-02T00:00:00</FromDate>', toDay(1))), ['OPERATING_PERIOD_1']);
    assert.deepEqual(codes(period(fromDay(1), toDay(2))), []);
    assert.deepEqual(codes(period(fromDay(2), toDay(3))), []);
  });
});

describe('rules: periods of dates', () => {
  const cases: Array<[from: string, to: string, backwards: boolean]> = [
    ['2026-01-02', '2026-01-01', true],
    ['2026-01-01', '2026-01-01', false],
    ['2026-01-01T12:00:00', '2026-01-01', false],
    ['2026-01-02T00:00:00', '2026-01-01', true],
    ['2026-01-01', '2026-01-01T00:00:00', false],
    ['2026-01-01T00:00:01', '2026-01-01T00:00:00', true],
    ['2026-01-01T00:00:00.250', '2026-01-01T00:00:00.125', true],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:30:00+01:00', true],
    ['2026-01-01T00:00:00+01:00', '2025-12-31T23:00:00Z', false],
    ['2026-01-01T00:00:00+01:00', '2025-12-31T22:59:59Z', true],
    ['2026-01-01T00:00:00-05:30', '2026-01-01T05:30:00Z', false],
    ['2026-01-01T00:00:00-05:30', '2026-01-01T05:29:59Z', true],
    ['2026-01-01T00:00:00', '2026-01-01T00:00:00+02:00', false],
    ['2026-01-02T00:00:00', '2026-01-01T23:00:00Z', true],
    ['2026-01-01+01:00', '2026-01-01Z', false],
    ['2026-01-02Z', '2026-01-01Z', true],
    ['2026-01-01T24:00:00', '2026-01-02T00:00:00', false],
    ['9999-12-31', '12026-01-01', false],
    [' 2026-01-02 ', '\n2026-01-01 ', true],
    ['soon', '2026-01-01', false],
    ['2026-01-02', '', false],
  ];
  for (const [from, to, backwards] of cases) {
    it(`${from.trim()} to ${to.trim()} ${backwards ? 'runs backwards' : 'does not run backwards'}`, () => {
      assert.equal(endsBeforeItStarts(from, to), backwards);
    });
  }

  it('dates of the first century differ from those of this one', () => {
    assert.equal(endsBeforeItStarts('0050-01-01', '1949-01-01'), false);
  });
});
