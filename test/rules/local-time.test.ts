/** Tests days and durations in a time zone, also where the clock changes. */
import assert from 'node:assert/strict';
import {
  addDuration,
  daysBetween,
  localDateOf,
  parseDuration,
  startOfDay,
  subtractDuration,
} from '../../workflows/shared/local-time.ts';

const OSLO = 'Europe/Oslo';
const at = (text: string) => new Date(text);
const plus = (instant: string, duration: string) => addDuration(at(instant), duration, OSLO).toISOString();

describe('a duration', () => {
  for (const [text, expected] of [
    ['PT2H', { months: 0, days: 0, elapsedMs: 7_200_000 }],
    ['P1D', { months: 0, days: 1, elapsedMs: 0 }],
    ['P1Y2M3W4DT5H6M7S', { months: 14, days: 25, elapsedMs: 18_367_000 }],
    ['-P1DT12H', { months: 0, days: -1, elapsedMs: -43_200_000 }],
    ['PT0S', { months: 0, days: 0, elapsedMs: 0 }],
    ['-PT0S', { months: 0, days: 0, elapsedMs: 0 }],
  ] as const) {
    it(`${text} is read`, () => assert.deepEqual(parseDuration(text), expected));
  }
  for (const text of ['', 'P', 'PT', '-P', 'P1DT', '2H', 'PT1.5H', 'P1H', 'PT1D', 'p1d', '+P1D']) {
    it(`'${text}' is none`, () => assert.equal(parseDuration(text), undefined));
  }
  it('that is none cannot be added', () => assert.throws(() => plus('2026-11-23T12:00:00Z', 'soon'), RangeError));
});

describe('adding a duration', () => {
  for (const [name, instant, duration, expected] of [
    ['hours are elapsed time', '2026-03-29T00:30:00Z', 'PT24H', '2026-03-30T00:30:00.000Z'],
    ['a day keeps the clock when it loses an hour', '2026-03-28T12:00:00Z', 'P1D', '2026-03-29T11:00:00.000Z'],
    ['a day keeps the clock when it gains one', '2026-10-24T11:00:00Z', 'P1D', '2026-10-25T12:00:00.000Z'],
    ['a time that the clock skips lies after the change', '2026-03-28T01:30:00Z', 'P1D', '2026-03-29T01:30:00.000Z'],
    ['a time that comes twice is the first', '2026-10-24T00:30:00Z', 'P1D', '2026-10-25T00:30:00.000Z'],
    ['a month ends on its last day', '2026-01-31T11:00:00Z', 'P1M', '2026-02-28T11:00:00.000Z'],
    ['a year after a leap day', '2028-02-29T11:00:00Z', 'P1Y', '2029-02-28T11:00:00.000Z'],
    ['milliseconds stay', '2026-11-23T12:00:00.123Z', 'P30D', '2026-12-23T12:00:00.123Z'],
    ['both parts count', '2026-11-23T12:00:00Z', 'P1DT1H', '2026-11-24T13:00:00.000Z'],
  ] as const) {
    it(name, () => assert.equal(plus(instant, duration), expected));
  }
  it('backwards is subtracting', () => {
    assert.equal(subtractDuration(at('2026-03-29T11:00:00Z'), 'P1D', OSLO).toISOString(), '2026-03-28T12:00:00.000Z');
    assert.equal(subtractDuration(at('2026-03-29T11:00:00Z'), '-PT1H', OSLO).toISOString(), '2026-03-29T12:00:00.000Z');
  });
});

describe('a day of a zone', () => {
  it('is that of its clock', () => {
    assert.equal(localDateOf(at('2026-11-22T22:59:59.999Z'), OSLO), '2026-11-22');
    assert.equal(localDateOf(at('2026-11-22T23:00:00Z'), OSLO), '2026-11-23');
    assert.equal(localDateOf(at('1969-12-31T23:00:00.500Z'), OSLO), '1970-01-01');
  });
  it('begins at midnight there', () => {
    assert.equal(startOfDay('2026-11-23', OSLO).toISOString(), '2026-11-22T23:00:00.000Z');
    assert.equal(startOfDay('2026-03-29', OSLO).toISOString(), '2026-03-28T23:00:00.000Z');
    assert.equal(startOfDay('2026-03-30', OSLO).toISOString(), '2026-03-29T22:00:00.000Z');
  });
  it('begins later where midnight is skipped', () => {
    assert.equal(startOfDay('2018-11-04', 'America/Sao_Paulo').toISOString(), '2018-11-04T03:00:00.000Z');
  });
  it('is some days before another', () => {
    assert.equal(daysBetween('2026-03-28', '2026-03-30'), 2);
    assert.equal(daysBetween('2026-03-30', '2026-03-28'), -2);
  });
});
