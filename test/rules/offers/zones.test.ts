/** Tests how zones are counted: different ones along the way, or rings around the first. */
import assert from 'node:assert/strict';
import { countZones } from '../../../workflows/offers/rules/zones.ts';

/** `a b/c` are two calls, the second on a border. */
const calls = (text: string) => text.split(' ').map((call) => (call === '-' ? [] : call.split('/')));

describe('counting zones', () => {
  for (const [ride, along, rings] of [
    ['a', 1, 1],
    ['a a a', 1, 1],
    ['a b c', 3, 3],
    ['b a b', 2, 2],
    ['b a b c', 3, 2],
    ['a b c d a e', 5, 3],
    ['a b c a d', 4, 2],
    ['a a/b b', 2, 2],
    ['a/b b', 1, 1],
    ['a/b b/c c', 2, 2],
    ['a b/c c', 2, 2],
  ] as const) {
    it(`${ride}: ${along} along the way, ${rings} rings`, () => {
      assert.equal(countZones(calls(ride), 'POINT_TO_POINT')?.count, along);
      assert.equal(countZones(calls(ride), undefined)?.count, along);
      assert.equal(countZones(calls(ride), 'RING')?.count, rings);
    });
  }

  it('names each zone once, in the order of the ride', () => {
    assert.deepEqual(countZones(calls('b a b c'), 'RING')?.zoneIds, ['b', 'a', 'c']);
  });
  it('counts only zones of the area', () => {
    assert.deepEqual(countZones(calls('a/x b/x'), undefined, ['a', 'b']), { zoneIds: ['a', 'b'], count: 2 });
    assert.deepEqual(countZones(calls('a/x b/x'), undefined), { zoneIds: ['x'], count: 1 });
  });
  it('is impossible when a call is in no zone', () => {
    assert.equal(countZones(calls('a - b'), 'RING'), undefined);
    assert.equal(countZones(calls('a b'), 'RING', ['a']), undefined);
    assert.equal(countZones([], 'RING'), undefined);
  });
});
