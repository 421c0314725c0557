import assert from 'node:assert/strict';
import {
  formatDay,
  formatInstant,
  instantOfLocal,
  offsetAt,
} from '../../../../api/journey-planner/resolvers/zone-time.ts';

const seconds = (iso: string): number => Date.parse(iso) / 1_000;
const local = (text: string): number => seconds(`${text}Z`);

describe('times in a zone', () => {
  it('are written with their offset, without a fraction', () => {
    assert.equal(formatInstant(seconds('2026-11-22T07:00:00Z'), 'Europe/Oslo'), '2026-11-22T08:00:00+01:00');
    assert.equal(formatInstant(seconds('2026-07-01T00:00:00Z'), 'Europe/Oslo'), '2026-07-01T02:00:00+02:00');
    assert.equal(formatInstant(seconds('2026-11-22T02:30:05Z'), 'America/New_York'), '2026-11-21T21:30:05-05:00');
    assert.equal(formatInstant(seconds('2026-11-22T02:30:05Z'), 'UTC'), '2026-11-22T02:30:05+00:00');
    assert.equal(formatInstant(seconds('2026-11-22T00:00:00Z'), 'Asia/Kathmandu'), '2026-11-22T05:45:00+05:45');
    assert.equal(formatDay(0), '1970-01-01');
  });

  it('have a year of four digits', () => {
    const end = seconds('9999-12-31T23:30:00Z');
    assert.equal(formatInstant(end, 'UTC'), '9999-12-31T23:30:00+00:00');
    assert.equal(formatInstant(end, 'Etc/GMT-1'), '9999-12-31T00:30:00+01:00');
    assert.equal(formatInstant(seconds('0000-01-01T00:30:00Z'), 'Etc/GMT+1'), '0000-01-01T23:30:00-01:00');
  });

  it('have the offset of the moment on days when clocks change', () => {
    const spring = seconds('2026-03-29T01:00:00Z');
    assert.equal(formatInstant(spring - 1, 'Europe/Oslo'), '2026-03-29T01:59:59+01:00');
    assert.equal(formatInstant(spring, 'Europe/Oslo'), '2026-03-29T03:00:00+02:00');
    const autumn = seconds('2026-10-25T01:00:00Z');
    assert.equal(formatInstant(autumn - 1, 'Europe/Oslo'), '2026-10-25T02:59:59+02:00');
    assert.equal(formatInstant(autumn, 'Europe/Oslo'), '2026-10-25T02:00:00+01:00');
  });

  it('agree with the platform for every hour of a year', () => {
    for (const zone of ['Europe/Oslo', 'America/New_York', 'America/Sao_Paulo', 'Australia/Lord_Howe']) {
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
      const start = seconds('2026-01-01T00:00:00Z');
      for (let hour = 0; hour < 8_760; hour += 1) {
        const instant = start + hour * 3_600 + 1_799;
        assert.equal(formatInstant(instant, zone).slice(0, 19), format.format(instant * 1_000).replace(' ', 'T'));
      }
    }
  });

  it('are read as local time', () => {
    const read = (text: string) => new Date(instantOfLocal(local(text), 'Europe/Oslo') * 1_000).toISOString();
    assert.equal(read('2026-11-22T08:00:00'), '2026-11-22T07:00:00.000Z');
    assert.equal(read('2026-03-29T01:59:00'), '2026-03-29T00:59:00.000Z');
    assert.equal(read('2026-03-29T12:00:00'), '2026-03-29T10:00:00.000Z');
    assert.equal(read('2026-10-25T12:00:00'), '2026-10-25T11:00:00.000Z');
    assert.equal(
      read('2026-03-29T02:30:00'),
      '2026-03-29T01:30:00.000Z',
      'the hour that is missing comes after the change',
    );
    assert.equal(
      read('2026-10-25T02:30:00'),
      '2026-10-25T00:30:00.000Z',
      'of the hour that comes twice it is the first',
    );
  });

  it('are read back as written, except in the repeated hour', () => {
    for (const zone of ['Europe/Oslo', 'America/New_York']) {
      for (let hour = 0; hour < 8_760; hour += 1) {
        const instant = seconds('2026-01-01T00:00:00Z') + hour * 3_600;
        const again = instantOfLocal(instant + offsetAt(instant, zone), zone);
        assert.ok(again === instant || again === instant - 3_600, new Date(instant * 1_000).toISOString());
      }
    }
  });
});
