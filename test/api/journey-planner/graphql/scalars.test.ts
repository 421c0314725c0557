import assert from 'node:assert/strict';
import { type DateTimeInput, instantOf, SCALARS } from '../../../../api/journey-planner/schema/scalars.ts';

function scalar(name: string) {
  const found = SCALARS.find((item) => item.name === name);
  assert.ok(found);
  return found;
}

describe('GraphQL scalars', () => {
  it('read a DateTime with and without an offset', () => {
    const read = (text: string) =>
      new Date(instantOf(scalar('DateTime').parseValue(text) as DateTimeInput, 'Europe/Oslo') * 1_000).toISOString();
    assert.equal(read('2026-11-22T08:00:00+01:00'), '2026-11-22T07:00:00.000Z');
    assert.equal(read('2026-11-22T08:00:00.123Z'), '2026-11-22T08:00:00.000Z');
    assert.equal(read('2026-11-22T08:00-0430'), '2026-11-22T12:30:00.000Z');
    assert.equal(read('2026-11-22T08:00:00'), '2026-11-22T07:00:00.000Z');
    assert.equal(read('2026-07-22T08:00'), '2026-07-22T06:00:00.000Z');
    assert.equal(read('2026-11-22T08:00:00+01:00[Europe/Oslo]'), '2026-11-22T07:00:00.000Z');
  });

  it('refuse an invalid DateTime', () => {
    for (const text of [
      '',
      'now',
      '2026-11-22',
      '2026-02-30T08:00:00',
      '2026-11-22T24:00:00',
      '2026-11-22T08:60:00',
      '2026-11-22T08:00:00+99:00',
      5,
      null,
    ]) {
      assert.throws(() => scalar('DateTime').parseValue(text), /is not a DateTime/);
    }
  });

  it('read both formats of durations, and write them', () => {
    const read = (value: unknown) => scalar('Duration').parseValue(value);
    assert.deepEqual(
      ['PT1H30M', '1h30m', 'PT0S', '90m', 'P1DT1S', '-PT5M', '20s', 60, '60'].map(read),
      [5_400, 5_400, 0, 5_400, 86_401, -300, 20, 60, 60],
    );
    for (const text of ['', 'P', 'PT', 'long', '1y']) assert.throws(() => read(text), /is not a Duration/);
    assert.deepEqual(
      [0, 5_400, -300, 86_401].map((value) => scalar('Duration').serialize(value)),
      ['PT0S', 'PT1H30M', '-PT5M', 'PT24H1S'],
    );
    assert.equal(scalar('Cost').serialize(0), '0s');
  });

  it('read dates and whole numbers', () => {
    assert.equal(scalar('Date').parseValue('1970-01-11'), 10);
    for (const text of ['2026-13-01', '2026-02-29', 'x', 1])
      assert.throws(() => scalar('Date').parseValue(text), /is not a Date/);
    assert.equal(scalar('Long').parseValue('12'), 12);
    assert.throws(() => scalar('Long').parseValue(1.5), /is not a Long/);
  });
});
