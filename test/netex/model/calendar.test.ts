import assert from 'node:assert/strict';
import { dayText, parseDay } from '../../../netex/model/calendar-day.ts';
import { anyFrame, commonFacts, file } from '../support/sample-files.ts';
import { modelOf } from './collected-model.ts';

const dayType = (id: string, days?: string): string =>
  `<DayType id="${id}">${days ? `<properties><PropertyOfDay><DaysOfWeek>${days}</DaysOfWeek></PropertyOfDay></properties>` : ''}</DayType>`;
const assign = (id: string, inside: string): string =>
  `<DayTypeAssignment id="${id}-x">${inside}<DayTypeRef ref="${id}"/></DayTypeAssignment>`;
const period = (id: string, from: string, to: string, inside = ''): string =>
  `<OperatingPeriod id="${id}"><FromDate>${from}T00:00:00</FromDate><ToDate>${to}T00:00:00</ToDate>${inside}</OperatingPeriod>`;
const NEVER = '<isAvailable>false</isAvailable>';

function daysOf(content: string, common = ''): string[] {
  const shared = common === '' ? {} : { commonFacts: commonFacts(file('_ABC.xml', anyFrame(common))) };
  return [...modelOf(anyFrame(content), shared).calendar.daysOf('d')].map(dayText);
}

describe('calendar of a file', () => {
  it('counts periods on their weekdays, and single days on any weekday', () => {
    const week = period('p', '2026-11-23', '2026-12-02') + assign('d', '<OperatingPeriodRef ref="p"/>');
    assert.deepEqual(daysOf(week + dayType('d', 'Saturday Sunday') + assign('d', '<Date>2026-12-01</Date>')), [
      '2026-11-28',
      '2026-11-29',
      '2026-12-01',
    ]);
    assert.equal(daysOf(week + dayType('d')).length, 10);
    assert.equal(daysOf(week + dayType('d', 'Weekdays')).length, 8);
  });

  it('removes excluded days and periods', () => {
    const content =
      period('p', '2026-11-23', '2026-11-27') +
      period('q', '2026-11-26', '2026-11-30') +
      assign('d', '<OperatingPeriodRef ref="p"/>') +
      assign('d', `<Date>2026-11-24</Date>${NEVER}`) +
      assign('d', `<OperatingPeriodRef ref="q"/>${NEVER}`);
    assert.deepEqual(daysOf(content), ['2026-11-23', '2026-11-25']);
  });

  it('reads operating days, periods between them, and the bits of UIC periods', () => {
    const operating =
      '<OperatingDay id="o1"><CalendarDate>2026-11-23</CalendarDate></OperatingDay><OperatingDay id="o2"><CalendarDate>2026-11-25</CalendarDate></OperatingDay>';
    const between =
      '<OperatingPeriod id="p"><FromOperatingDayRef ref="o1"/><ToOperatingDayRef ref="o2"/></OperatingPeriod>' +
      assign('d', '<OperatingPeriodRef ref="p"/>');
    assert.equal(daysOf(operating + between).length, 3);
    assert.deepEqual(daysOf(operating + assign('d', '<OperatingDayRef ref="o2"/>')), ['2026-11-25']);
    const uic = `<UicOperatingPeriod id="u"><FromDate>2026-11-23T00:00:00</FromDate><ToDate>2026-11-26T00:00:00</ToDate><ValidDayBits>1010</ValidDayBits></UicOperatingPeriod>`;
    assert.deepEqual(daysOf(uic + assign('d', '<UicOperatingPeriodRef ref="u"/>')), ['2026-11-23', '2026-11-25']);
  });

  it('joins the calendars of the file and of the common files', () => {
    const common = dayType('d', 'Monday') + period('p', '2026-11-23', '2026-12-06');
    assert.deepEqual(daysOf(assign('d', '<OperatingPeriodRef ref="p"/>'), common), ['2026-11-23', '2026-11-30']);
    assert.deepEqual(daysOf(assign('d', '<Date>2026-11-24</Date>'), assign('d', '<Date>2026-11-25</Date>')), [
      '2026-11-24',
      '2026-11-25',
    ]);
  });

  it('is empty for unknown day types, and bounded for periods without end', () => {
    assert.deepEqual(daysOf(''), []);
    assert.deepEqual(daysOf(assign('d', '<OperatingPeriodRef ref="nowhere"/>')), []);
    assert.deepEqual(
      daysOf(period('p', '2026-12-02', '2026-11-23') + assign('d', '<OperatingPeriodRef ref="p"/>')),
      [],
    );
    const endless = period('p', '2026-01-01', '9999-12-31') + assign('d', '<OperatingPeriodRef ref="p"/>');
    assert.equal(daysOf(endless).at(-1), '2099-12-31');
    const ever = period('p', '0001-01-01', '9999-12-31') + assign('d', '<OperatingPeriodRef ref="p"/>');
    assert.equal(daysOf(ever).length, 47_482);
    assert.ok(daysOf(ever + assign('d', '<Date>2026-11-21</Date>')).includes('2026-11-21'));
  });

  it('keeps the days of periods around a faulty one', () => {
    const slip = period('p', '0202-11-21', '0202-11-22') + assign('d', '<OperatingPeriodRef ref="p"/>');
    assert.deepEqual(daysOf(slip + assign('d', '<Date>2026-11-21</Date>')), ['2026-11-21']);
  });

  it('treats days without a bit as days on which a UIC period does not run', () => {
    const uic = `<UicOperatingPeriod id="u"><FromDate>2026-11-23T00:00:00</FromDate><ToDate>2026-12-23T00:00:00</ToDate><ValidDayBits>101</ValidDayBits></UicOperatingPeriod>`;
    assert.deepEqual(daysOf(uic + assign('d', '<UicOperatingPeriodRef ref="u"/>')), ['2026-11-23', '2026-11-25']);
  });

  it('keeps the days of a limited number of day types', () => {
    const ids = Array.from({ length: 500 }, (_, number) => `d${number}`);
    const assignments = ids.map((id) => assign(id, '<OperatingPeriodRef ref="p"/>')).join('');
    const { calendar } = modelOf(anyFrame(period('p', '1970-01-01', '9999-12-31') + assignments));
    const first = calendar.daysOf('d0');
    assert.equal(calendar.daysOf('d0'), first);
    for (const id of ids) assert.equal(calendar.daysOf(id).length, 47_482);
    assert.notEqual(calendar.daysOf('d0'), first);
    assert.deepEqual(calendar.daysOf('d0'), first);
  });

  it('parses days and nothing else', () => {
    assert.equal(parseDay('2026-11-21'), 20_778);
    assert.equal(parseDay(' 1970-01-02T23:00:00+01:00'), 1);
    assert.equal(dayText(parseDay('0026-11-21') ?? 0), '0026-11-21');
    assert.equal(parseDay('tomorrow'), undefined);
    assert.equal(parseDay(''), undefined);
  });
});
