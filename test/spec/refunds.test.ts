/** Refunds shown by data: refunds.yaml says what each gives back and keeps. Amounts are kroner; departure is 2026-11-25 09:00. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { balanceMinor, totalAmountMinor } from '../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { refundOptions } from '../../workflows/refunds/rules/refund-options.ts';
import { planOperations } from '../../workflows/refunds/rules/refund-plan.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { at } from './support/offer-case.ts';
import {
  factsOf,
  minor,
  type RefundCase,
  type RefundStep,
  refundCases,
  refunded,
  requestOf,
  soldOrder,
} from './support/refund-case.ts';

const kroner = (amountMinor: number) => amountMinor / 100;

function show(one: RefundCase): void {
  let order = soldOrder(one);
  if (one.options) {
    const options = refundOptions(factsOf(one, order), {}, at(one.at));
    const told = options.map(({ orderLineId, refundMinor, shareMinor, legIds }) => {
      const of = legIds ? ` of ${legIds.join(', ')}` : '';
      return `${orderLineId} gives ${kroner(refundMinor)} keeps ${kroner(shareMinor - refundMinor)}${of}`;
    });
    assert.deepEqual(told, one.options);
  }
  for (const step of one.refunds) order = shown(one, step, order);
}

/** The order after this step. */
function shown(one: RefundCase, step: RefundStep, order: Order): Order {
  const now = at(step.at ?? one.at);
  const facts = factsOf(one, order);
  const inForce = refundOptions(facts, {}, now);
  const ruleOf = (line: string) => inForce.find(({ orderLineId }) => orderLineId === line)?.refundRuleId ?? 'R1';
  const plan = () => planOperations(facts, requestOf(step, order, ruleOf), now);
  if (step.refused !== undefined) {
    assert.throws(plan, (error) => error instanceof ServiceError && error.code === step.refused);
    return order;
  }
  const planned = plan();
  assert.deepEqual(
    planned.map(({ refundMinor }) => kroner(refundMinor)),
    [step.gives ?? []].flat(),
  );
  if (step.keeps !== undefined) {
    assert.deepEqual(
      planned.map(({ shareMinor, refundMinor }) => kroner(shareMinor - refundMinor)),
      [step.keeps].flat(),
    );
  }
  const after = refunded(order, planned, now);
  assert.deepEqual([after.status, after.lock, balanceMinor(after)], ['CONFIRMED', undefined, 0]);
  if (step.total !== undefined) assert.equal(totalAmountMinor(after), minor(step.total));
  return after;
}

describe('refunds', () => {
  for (const one of refundCases.parse(parse(readFileSync(new URL('./refunds.yaml', import.meta.url), 'utf8')))) {
    it(one.about, () => show(one));
  }
});
