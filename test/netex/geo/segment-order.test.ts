import assert from 'node:assert/strict';
import { SegmentOrder } from '../../../netex/geo/segment-order.ts';

describe('the order of segments', () => {
  it('gives the neighbours of each segment after any insertion and removal', () => {
    const order = new SegmentOrder(200, (a, b) => heightOf(a) - heightOf(b));
    const there: number[] = [];
    for (let step = 0; step < 2000; step++) {
      const segment = Math.imul(step, 7919) % 200;
      const at = there.indexOf(segment);
      if (at < 0) {
        order.insert(segment);
        there.push(segment);
      } else {
        order.remove(segment);
        there.splice(at, 1);
      }
      there.sort((a, b) => heightOf(a) - heightOf(b));
      assert.deepEqual(
        there.map((each) => [order.below[each], order.above[each]]),
        there.map((_, place) => [there[place - 1] ?? -1, there[place + 1] ?? -1]),
      );
    }
  });

  it('overflows no stack when the segments rise with their priorities', () => {
    const count = 12_000;
    const segments = Array.from({ length: count }, (_, segment) => segment);
    const rising = segments.toSorted((a, b) => priority(a) - priority(b));
    const height = new Int32Array(count);
    for (const [place, segment] of rising.entries()) height[segment] = place;
    const order = new SegmentOrder(count, (a, b) => (height[a] as number) - (height[b] as number));
    // The highest priority comes first, so the tree is a line down to the lowest.
    for (const segment of rising.toReversed()) order.insert(segment);
    const lowest = rising[0] ?? assert.fail();
    assert.equal(order.above[lowest], rising[1]);
    for (const segment of rising.toReversed()) order.remove(segment);
    order.insert(lowest);
    assert.deepEqual([order.below[lowest], order.above[lowest]], [-1, -1]);
  });
});

const heightOf = (segment: number): number => Math.imul(segment, 31) % 200;

/** The same function as in segment-order.ts. */
function priority(segment: number): number {
  let mixed = Math.imul(segment + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
