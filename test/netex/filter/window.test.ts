/** The window of a filtered dataset, at both ends: the days that run, and the calendar that remains. */
import assert from 'node:assert/strict';
import { filterWindow } from '../../../netex/filter/filter-window.ts';
import { dayText } from '../../../netex/model/calendar-day.ts';
import { type Filtered, filter, idsOf, textsOf } from './filtered-dataset.ts';
import { type Change, calendar, LINE, SHARED, sampleZip } from './sample-dataset.ts';

const DAY = '2026-12-07';
const NIGHT = 'ABC:ServiceJourney:1-out-2356';
const MORNING = 'ABC:ServiceJourney:1-out-0700';

async function run(...changes: Change[]): Promise<Filtered> {
  return await filter(sampleZip(...changes), { xmlns: 'ABC', day: DAY });
}

async function keeps(journey: string, ...changes: Change[]): Promise<boolean> {
  return idsOf((await run(...changes)).files, 'ServiceJourney').includes(journey);
}

/** Texts of all elements with this name in the common file. */
function texts({ files }: Filtered, name: string): string[] {
  const shared = Buffer.from(files.get(SHARED) ?? '').toString();
  return [...shared.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
}

describe('the window of a filtered dataset', () => {
  it('lasts from two days before the day to three years after it', () => {
    const ends = (day: string) => Object.values(filterWindow(day)).map(dayText);
    assert.deepEqual(ends('2026-11-21'), ['2026-11-19', '2029-11-21']);
    assert.deepEqual(ends('2028-02-29'), ['2028-02-27', '2031-03-01']);
    assert.deepEqual(ends('2024-03-01'), ['2024-02-28', '2027-03-01']);
    for (const wrong of ['2026-02-30', '21.11.2026', '2026-11-21T00:00:00', '']) {
      assert.throws(() => filterWindow(wrong), RangeError, wrong);
    }
  });

  for (const [day, kept] of [
    ['2026-12-04', false],
    ['2026-12-05', true],
    ['2029-12-07', true],
    ['2029-12-08', false],
  ] as const) {
    it(`${kept ? 'keeps' : 'drops'} a journey of ${day} alone`, async () => {
      assert.equal(await keeps(MORNING, calendar([day], ['2026-12-07'])), kept);
    });
  }

  for (const [day, kept] of [
    ['2026-12-03', false],
    ['2026-12-04', true],
    ['2026-12-05', true],
    ['2029-12-07', true],
    ['2029-12-08', false],
  ] as const) {
    it(`${kept ? 'keeps' : 'drops'} a journey of ${day} alone that arrives the day after`, async () => {
      const result = await run(calendar(['2026-12-07'], [day]));
      assert.equal(idsOf(result.files, 'ServiceJourney').includes(NIGHT), kept);
      assert.equal(idsOf(result.files, 'DayType').includes('ABC:DayType:natt'), kept);
      assert.equal(texts(result, 'Date').includes(day), kept);
    });
  }

  it('ignores a day that is excluded again', async () => {
    const night = calendar(['2026-12-05', '-2026-12-05'], ['2026-12-07']);
    assert.equal(await keeps(MORNING, night), false);
    assert.equal(await keeps(MORNING, calendar(['2026-12-05', '2026-12-08', '-2026-12-05'], ['2026-12-07'])), true);
  });

  it('drops dates outside, except for days before it whose journeys arrive in it', async () => {
    const days = ['2026-12-03', '2026-12-04', '2026-12-05', '2029-12-07', '2029-12-08'];
    assert.deepEqual(texts(await run(calendar(days, ['2026-12-07'])), 'Date').sort(), [
      '2026-12-05',
      '2026-12-07',
      '2029-12-07',
    ]);
    assert.deepEqual(texts(await run(calendar(['2026-12-07'], days)), 'Date').sort(), [
      '2026-12-04',
      '2026-12-05',
      '2026-12-07',
      '2029-12-07',
    ]);
  });

  it('drops dated journeys by their operating day, with the day', async () => {
    const dated = (day: string): Change[] => [
      [SHARED, '<CalendarDate>2026-12-01<', `<CalendarDate>${day}<`],
      calendar(['2026-12-07'], ['2026-12-07']),
    ];
    for (const [day, kept] of [
      ['2026-12-04', false],
      ['2026-12-05', true],
      ['2029-12-07', true],
      ['2029-12-08', false],
    ] as const) {
      const { files, outcome } = await run(...dated(day));
      assert.equal(idsOf(files, 'ServiceJourney').includes('ABC:ServiceJourney:1-out-1205'), kept, day);
      assert.equal(idsOf(files, 'OperatingDay').length, kept ? 1 : 0, day);
      assert.equal(outcome.kept.DatedServiceJourney ?? 0, kept ? 2 : 0, day);
    }
  });

  it('keeps the journey that a dated journey replaces, from any day', async () => {
    const moved: Change = [
      LINE,
      /(DatedServiceJourney:1-out-1205-01" version="1">.*?OperatingDay:)2026-12-01/s,
      '$12026-12-02',
    ];
    const { files } = await run([SHARED, 'Date>2026-12-02<', 'Date>2026-12-06<'], moved);
    assert.deepEqual(idsOf(files, 'OperatingDay'), ['ABC:OperatingDay:2026-12-01', 'ABC:OperatingDay:2026-12-02']);
    assert.equal(idsOf(files, 'DatedServiceJourney').length, 3);
  });

  it('ends periods, calendars and validity conditions', async () => {
    const long: Change[] = [
      [
        SHARED,
        /2026-11-01T00:00:00<\/FromDate>\s*<ToDate>2026-12-31T00:00:00/,
        '2020-01-01T00:00:00</FromDate><ToDate>2035-12-31T00:00:00',
      ],
      [SHARED, /2026-11-01<\/FromDate>\s*<ToDate>2026-12-31</, '2020-01-01</FromDate><ToDate>2035-12-31<'],
      [SHARED, '2026-11-01T00:00:00', '2020-01-01T00:00:00+01:00'],
      [SHARED, '2026-12-31T23:59:59', '2035-01-01T00:00:00Z'],
    ];
    const result = await run(...long);
    // The night journey arrives a day later, so the validity of the whole begins a day earlier.
    assert.deepEqual(texts(result, 'FromDate'), ['2026-12-04T00:00:00+01:00', '2026-12-04', '2026-12-05T00:00:00']);
    assert.deepEqual(texts(result, 'ToDate'), ['2029-12-07T23:59:59Z', '2029-12-07', '2029-12-07T23:59:59']);
  });

  it('leaves a validity outside unchanged', async () => {
    const past: Change[] = [
      [SHARED, '2026-11-01T00:00:00', '2020-01-01T00:00:00'],
      [SHARED, '2026-12-31T23:59:59', '2021-01-01T00:00:00'],
    ];
    const result = await run(...past);
    assert.equal(texts(result, 'FromDate')[0], '2020-01-01T00:00:00');
    assert.equal(texts(result, 'ToDate')[0], '2021-01-01T00:00:00');
  });

  it('trims the bits of a UIC period', async () => {
    const uic = (from: string, bits: string): Change[] => [
      [
        SHARED,
        /<OperatingPeriod id="ABC:OperatingPeriod:vinter".*?<\/OperatingPeriod>/s,
        `<UicOperatingPeriod id="ABC:UicOperatingPeriod:vinter" version="1"><FromDate>${from}T00:00:00</FromDate><ToDate>2026-12-31T00:00:00</ToDate><ValidDayBits>${bits}</ValidDayBits></UicOperatingPeriod>`,
      ],
      [
        SHARED,
        '<OperatingPeriodRef ref="ABC:OperatingPeriod:vinter"',
        '<UicOperatingPeriodRef ref="ABC:UicOperatingPeriod:vinter"',
      ],
    ];
    // The period begins on Tuesday 1 December. The window begins with its fifth bit, a Saturday; the first working day
    // is the seventh.
    const result = await run(...uic('2026-12-01', '1111111'));
    assert.deepEqual(texts(result, 'ValidDayBits'), ['111']);
    assert.equal(texts(result, 'FromDate').at(-1), '2026-12-05T00:00:00');
    assert.ok(idsOf(result.files, 'ServiceJourney').includes(MORNING));
    for (const bits of ['1111110', '1111001', '1111']) {
      const kept = idsOf((await run(...uic('2026-12-01', bits))).files, 'ServiceJourney').includes(MORNING);
      assert.equal(kept, bits === '1111001', bits);
    }
  });

  it('drops blocks and dead runs with their days', async () => {
    const { outcome, files } = await run(calendar(['2026-12-04'], ['2026-12-07']));
    assert.deepEqual(outcome.dropped.Block, { 'no-day-left': 1 });
    assert.deepEqual(outcome.dropped.DeadRun, { 'no-day-left': 1 });
    assert.ok(!textsOf(files).includes('VehicleScheduleFrame'));
  });

  it('writes nothing when nothing is left', async () => {
    const past = sampleZip(calendar(['2026-11-02'], ['2026-11-03']));
    const { outcome, zip } = await filter(past, { xmlns: 'ABC', day: DAY });
    assert.ok(outcome.empty);
    assert.equal(zip.length, 0);
    assert.equal(outcome.droppedFiles.length, 4);
    assert.equal(outcome.dropped.ServiceJourney?.['no-day-left'], 9);
  });
});
