import assert from 'node:assert/strict';
import { type Calendar, createCalendar } from '../../dev/demo/calendar.ts';
import { addDays, clockTime, dayOffset, isPublicHoliday, todayInOslo } from '../../dev/demo/service-days.ts';

const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The days on which a day type runs. */
function daysOf(calendar: Calendar, key: string): string[] {
  const dayType = calendar.dayTypes.find((one) => one.key === key) ?? assert.fail(key);
  const period = calendar.periods.find((one) => one.key === dayType.period) ?? assert.fail(dayType.period);
  return calendar.days.filter((date) => {
    const exception = dayType.exceptions.find((one) => one.date === date);
    if (exception) return exception.isAvailable;
    const name = NAMES[new Date(date).getUTCDay()] ?? '';
    const runs = dayType.daysOfWeek === 'Everyday' || dayType.daysOfWeek.split(' ').includes(name);
    return runs && date >= period.from && date <= period.to;
  });
}

describe('The demo calendar', () => {
  it('knows the public holidays of Norway', () => {
    const known = ['2027-01-01', '2027-03-25', '2027-03-26', '2027-03-28', '2027-03-29', '2027-05-01', '2027-05-06'];
    for (const date of [...known, '2027-05-16', '2027-05-17', '2026-12-25', '2026-12-26']) {
      assert.ok(isPublicHoliday(date), date);
    }
    for (const date of ['2027-03-24', '2027-03-30', '2027-05-18', '2026-12-24'])
      assert.ok(!isPublicHoliday(date), date);
  });

  for (const firstDay of ['2026-11-20', '2026-12-20', '2027-03-20', '2027-04-28', '2027-07-01', '2028-02-20']) {
    it(`runs each day from ${firstDay} as exactly one of weekday, Saturday, Sunday`, () => {
      const calendar = createCalendar(firstDay, addDays(firstDay, 36));
      const [weekdays, saturdays, sundays] = ['Weekday', 'Saturday', 'Sunday'].map((key) => daysOf(calendar, key));
      assert.ok(weekdays && saturdays && sundays);
      assert.deepEqual([...weekdays, ...saturdays, ...sundays].sort(), calendar.days);
      for (const date of calendar.days.filter(isPublicHoliday)) assert.ok(sundays.includes(date), date);
      assert.deepEqual([...daysOf(calendar, 'WeekdayFirst'), ...daysOf(calendar, 'WeekdaySecond')], weekdays);
      const school = daysOf(calendar, 'SchoolDay');
      assert.ok(school.every((date) => weekdays.includes(date)) && school.length < weekdays.length);
    });
  }

  it('runs Christmas Eve as a Saturday', () => {
    const calendar = createCalendar('2026-12-01', '2026-12-31');
    assert.ok(daysOf(calendar, 'Saturday').includes('2026-12-24'));
  });

  it('counts on past midnight of the service day', () => {
    assert.deepEqual([clockTime(1439), dayOffset(1439)], ['23:59:00', 0]);
    assert.deepEqual([clockTime(1505), dayOffset(1505)], ['01:05:00', 1]);
  });

  it('uses today in Norway, not on the machine', () => {
    assert.equal(todayInOslo(new Date('2026-11-21T23:30:00Z')), '2026-11-22');
    assert.equal(todayInOslo(new Date('2026-07-01T21:59:00Z')), '2026-07-01');
  });
});
