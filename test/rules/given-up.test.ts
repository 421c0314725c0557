/** What operators have given up of a draft's money, and what its next compensation asks for. */
import assert from 'node:assert/strict';
import { planCompensation } from '../../workflows/payments/rules/compensation-plan.ts';
import {
  type Credit,
  type CreditReason,
  createCredit,
  decideCredit,
  notePart,
} from '../../workflows/payments/rules/credit.ts';
import { givenUpOf } from '../../workflows/payments/rules/given-up.ts';
import { NOW } from '../support/sample-orders.ts';
import {
  CREDIT_ID,
  capturedPayment,
  PAYMENT_ID,
  samplePayment,
  TOTAL,
  TRANSACTION_ID,
} from '../support/sample-payments.ts';

const { organisationId, distributionChannelId, orderId } = samplePayment();
const refused = (amountMinor: number, reason: CreditReason = 'COMPENSATION'): Credit => {
  const part = { paymentId: PAYMENT_ID, transactionId: TRANSACTION_ID, amountMinor };
  const parts = [{ ...part, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' }];
  const facts = { organisationId, distributionChannelId, orderId, orderVersion: 1, currency: 'NOK' };
  const credit = createCredit({ ...facts, id: CREDIT_ID, reason, parts }, NOW);
  return notePart(credit, { transactionId: TRANSACTION_ID, status: 'FAILED' }, NOW);
};
const givenUp = (credit: Credit) => decideCredit(credit, 'GIVEN_UP', NOW);

describe('money that an operator has given up', () => {
  const payments = [capturedPayment()];
  const sumOf = (...credits: Credit[]) => givenUpOf(payments, credits, 1).get(TRANSACTION_ID);

  it('is what a provider refused of compensations of the version', () => {
    assert.equal(sumOf(givenUp(refused(4_000))), 4_000);
    assert.equal(sumOf(givenUp(refused(4_000)), givenUp(refused(5_000))), 9_000);
    assert.equal(sumOf(refused(4_000)), undefined);
    assert.equal(sumOf(decideCredit(givenUp(refused(4_000)), 'ELSEWHERE', NOW)), undefined);
    assert.equal(sumOf(givenUp(refused(4_000, 'REFUND'))), undefined);
    assert.equal(sumOf({ ...givenUp(refused(4_000)), orderVersion: 2 }), undefined);
  });

  it('is never more than the transaction has', () => {
    assert.equal(sumOf(givenUp(refused(TOTAL)), givenUp(refused(TOTAL))), TOTAL);
  });

  it('is asked for again only where nothing else is left', () => {
    const asked = (credits: readonly Credit[]) =>
      planCompensation(payments, TOTAL, 1, credits).parts.map(({ amountMinor }) => amountMinor);
    assert.deepEqual(asked([]), [TOTAL]);
    assert.deepEqual(asked([givenUp(refused(4_000))]), [TOTAL - 4_000]);
    assert.deepEqual(asked([givenUp(refused(TOTAL))]), [TOTAL]);
  });
});
