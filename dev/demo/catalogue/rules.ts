/** Rules of refund and change in the demo. Callers: the products, demo-catalogue.ts. */
import type { GivenChangeRule, GivenRefundRule, GivenRuleSet } from '../../../activities/catalogue/given-catalogue.ts';
import { kroner } from './texts.ts';

export type RefundRuleSetName = 'refund-free' | 'refund-fee' | 'refund-steps' | 'refund-period' | 'refund-none';
export type ChangeRuleSetName = 'change-free' | 'change-fee' | 'change-none';

const DEPARTURE = 'PT0S';
const NOTHING = kroner(0);

export const REFUND_RULE_SETS: readonly (GivenRuleSet<GivenRefundRule> & { readonly id: RefundRuleSetName })[] = [
  {
    id: 'refund-free',
    rules: [{ id: 'free', untilBefore: DEPARTURE, refundPercent: 100, feeAmount: NOTHING, unusedOnly: true }],
  },
  {
    id: 'refund-fee',
    rules: [{ id: 'fee', untilBefore: DEPARTURE, refundPercent: 100, feeAmount: kroner(20), unusedOnly: true }],
  },
  {
    id: 'refund-steps',
    rules: [
      { id: 'early', untilBefore: 'P7D', refundPercent: 90, feeAmount: NOTHING, unusedOnly: true },
      { id: 'week', fromBefore: 'P7D', untilBefore: 'P1D', refundPercent: 80, feeAmount: kroner(10), unusedOnly: true },
      {
        id: 'day',
        fromBefore: 'P1D',
        untilBefore: DEPARTURE,
        refundPercent: 50,
        feeAmount: kroner(25),
        unusedOnly: true,
      },
    ],
  },
  {
    // Half of a ticket for 30 days comes back during its first ten.
    id: 'refund-period',
    rules: [
      { id: 'before', untilBefore: DEPARTURE, refundPercent: 100, feeAmount: NOTHING, unusedOnly: true },
      {
        id: 'begun',
        fromBefore: DEPARTURE,
        untilBefore: '-P10D',
        refundPercent: 50,
        feeAmount: kroner(50),
        unusedOnly: false,
      },
    ],
  },
  { id: 'refund-none', rules: [] },
];

export const CHANGE_RULE_SETS: readonly (GivenRuleSet<GivenChangeRule> & { readonly id: ChangeRuleSetName })[] = [
  { id: 'change-free', rules: [{ id: 'free', untilBefore: DEPARTURE, feeAmount: NOTHING }] },
  {
    id: 'change-fee',
    rules: [
      { id: 'early', untilBefore: 'P1D', feeAmount: NOTHING },
      { id: 'late', fromBefore: 'P1D', untilBefore: DEPARTURE, feeAmount: kroner(50) },
    ],
  },
  { id: 'change-none', rules: [] },
];
