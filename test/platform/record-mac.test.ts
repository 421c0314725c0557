/** The MAC of a record must change with the type of a value, since a database tells types apart that JSON does not. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { RecordMac } from '../../platform/keys/record-mac.ts';

const INSTANT = '2026-11-01T03:00:00.000Z';

describe('MACs of records', () => {
  const mac = new RecordMac({ writingKeyId: 'one', keys: new Map([['one', randomBytes(32)]]) }, 'test');
  const own = { at: new Date(INSTANT), names: ['a', { b: 1, c: null }] };

  it('do not depend on the order of members, nor on absent ones', () => {
    const read = { names: ['a', { c: null, b: 1 }], gone: undefined, at: new Date(INSTANT) };
    assert.ok(mac.isRight(read, mac.make(own)));
  });

  for (const [what, at] of [
    ['a text', INSTANT],
    ['an object', { $date: INSTANT }],
    ['another type', { toJSON: () => INSTANT }],
    ['an invalid date', new Date(Number.NaN)],
  ] as const) {
    it(`are wrong when a date became ${what}`, () => {
      assert.equal(mac.isRight({ ...own, at }, mac.make(own)), false);
    });
  }

  it('are not made for values that JSON does not tell apart', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, new Map(), /a/, { $date: INSTANT }, () => 1]) {
      assert.throws(() => mac.make({ value }), TypeError);
    }
  });
});
