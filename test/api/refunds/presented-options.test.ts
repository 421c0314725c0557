/** Options of a long order as JSON: one option may be in as many sets as there are options. */
import assert from 'node:assert/strict';
import type { PlannedOption, PlannedOptions } from '../../../activities/refunds/refunding.ts';
import { presentOptions } from '../../../api/refunds/presenters.ts';
import { performableTogether } from '../../../workflows/refunds/rules/refund-sets.ts';

const LINES = 200;

describe('options of refunds as JSON', () => {
  it('name each option by one id in every set, which is made once', () => {
    let reads = 0;
    const options = Array.from({ length: LINES }, (_, at) => ({
      ...{ orderLineId: `line-${at}`, shareMinor: 100, refundMinor: 100, expiresAt: new Date(0), parts: [] },
      rule: { id: 'RULE', refundPercent: 100, feeAmountMinor: 0 },
      get orderLineVersion() {
        reads += 1;
        return 1;
      },
    })) as unknown as readonly PlannedOption[];
    const together = performableTogether(options, LINES * 50);
    const order = { id: 'ABCDEFGH', currency: 'NOK', orderLines: [] } as unknown as PlannedOptions['order'];
    const json = presentOptions({ order, orderVersion: 1, options, found: [], together });
    const ids = json.options.map(({ transientId }) => transientId);
    assert.equal(new Set(ids).size, LINES);
    const sets = json.optionIdsThatCanBePerformedTogether;
    assert.equal(sets.length, LINES / 2 + 1);
    assert.deepEqual(
      sets,
      together.map((set) => set.map((option) => ids[options.indexOf(option)])),
    );
    // Once for its id, and once for its reference.
    assert.equal(reads, 2 * LINES);
  });
});
