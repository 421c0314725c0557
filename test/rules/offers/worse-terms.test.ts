/** What decides among offers of equal prices. */
import assert from 'node:assert/strict';
import { WORST_TERMS, worseTerms } from '../../../workflows/offers/rules/worse-terms.ts';
import type { ChangeRuleSet, RefundRuleSet } from '../../../workflows/shared/fares.ts';

const refunds = (...percents: readonly number[]): RefundRuleSet => ({
  ...{ id: 'r', currency: 'NOK' },
  rules: percents.map((refundPercent) => ({
    ...{ id: String(refundPercent), untilBefore: 'PT0S', refundPercent, feeAmountMinor: 0, unusedOnly: true },
  })),
});
const changes: ChangeRuleSet = {
  ...{ id: 'c', currency: 'NOK', rules: [{ id: 'free', untilBefore: 'PT0S', feeAmountMinor: 0 }] },
};
const none: ChangeRuleSet = { ...changes, rules: [] };

describe('the terms of a ticket', () => {
  it('are the better, the more is given back at best, and then when it may be changed', () => {
    const ordered = [
      worseTerms(refunds(100, 50), changes),
      worseTerms(refunds(50, 100), none),
      worseTerms(refunds(50), changes),
      worseTerms(refunds(50), none),
      worseTerms(refunds(), changes),
      worseTerms(undefined, undefined),
    ];
    assert.deepEqual(ordered, [0, 1, 100, 101, 200, WORST_TERMS]);
  });
});
