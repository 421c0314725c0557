/** A step that hangs between the lock of its order and its capture: its next attempt may have given the lock back. */
import assert from 'node:assert/strict';
import { createCaptureActivities } from '../../../activities/payments/capture/capture-activities.ts';
import type { CaptureDependencies } from '../../../activities/payments/capture/capture-context.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../../workflows/payments/rules/payment-change.ts';
import { draftOrder, later, NOW, OURS } from '../../support/sample-orders.ts';
import { createdPayment, theTransaction } from '../../support/sample-payments.ts';

describe('a capture that hangs before it begins', () => {
  it('begins nothing, and is tried again', async () => {
    let now = NOW;
    let unlocks = 0;
    const payment = createdPayment({ provider: 'BOOK', paymentTypeGroup: 'CASH', paymentType: 'CASH' });
    const { id: paymentId, orderId } = payment;
    const orders = {
      lockForCapture: async () => {
        now = later(1);
        return draftOrder();
      },
      unlock: async () => {
        unlocks += 1;
      },
    };
    const change = async (_of: unknown, _id: unknown, _work: unknown, decide: Decide) => {
      decide(payment, now);
      assert.fail('A capture has begun without the lock of its order');
    };
    const payments = { get: async () => ({ payment, isUntold: false }), change };
    const dependencies = { payments, orders: () => orders, now: () => now } as unknown as CaptureDependencies;
    const { captureMoney } = createCaptureActivities(dependencies);
    const place = { organisationId: OURS, orderId, paymentId, transactionId: theTransaction(payment).id };
    await assert.rejects(captureMoney({ ...place, correlationId: 'c', callId: 'call' }), { code: 'UNAVAILABLE' });
    assert.equal(unlocks, 0, 'the lock is left to the next attempt');
  });
});

type Decide = (payment: Payment, now: Date) => PaymentChange;
