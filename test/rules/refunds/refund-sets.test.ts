/** Options that one refund may name together, where transactions cannot pay all of them back. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { performableTogether } from '../../../workflows/refunds/rules/refund-sets.ts';
import { sumOf } from '../../../workflows/shared/money.ts';

const of = (...amounts: readonly number[]) => amounts.map((refundMinor) => ({ refundMinor }));
const amountsOf = (sets: readonly (readonly { readonly refundMinor: number }[])[]) =>
  sets.map((set) => set.map(({ refundMinor }) => refundMinor));

describe('options that can be performed together', () => {
  it('are all of them where the transactions suffice', () => {
    assert.deepEqual(amountsOf(performableTogether(of(300, 200, 0), 500)), [[300, 200, 0]]);
  });

  it('are the sets that the transactions can pay back, the largest first', () => {
    assert.deepEqual(amountsOf(performableTogether(of(100, 300, 200), 300)), [[100, 200], [300]]);
    assert.deepEqual(amountsOf(performableTogether(of(100, 100), 150)), [[100], [100]]);
  });

  it('are none where no option can be paid back', () => {
    assert.deepEqual(performableTogether(of(100, 200), 99), []);
    assert.deepEqual(performableTogether([], 1_000), []);
  });

  it('each fit, cannot be extended, and together hold every option that fits alone', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 12 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 2_000 }), (given, creditableMinor) => {
        const options = of(...given);
        const sets = performableTogether(options, creditableMinor);
        const total = (set: readonly { readonly refundMinor: number }[]) =>
          sumOf(set.map(({ refundMinor }) => refundMinor));
        for (const set of sets) {
          assert.ok(total(set) <= creditableMinor);
          const left = options.filter((each) => !set.includes(each));
          assert.ok(left.every(({ refundMinor }) => total(set) + refundMinor > creditableMinor));
        }
        const alone = options.filter(({ refundMinor }) => refundMinor <= creditableMinor);
        assert.deepEqual(new Set(sets.flat()), new Set(alone));
        assert.ok(sets.length <= Math.max(options.length, 1));
        assert.ok(sets.every((set) => set.length <= (sets[0]?.length ?? 0)));
        assert.equal(new Set(sets.map((set) => set.map((each) => options.indexOf(each)).join())).size, sets.length);
      }),
      { numRuns: 500 },
    );
  });
});
