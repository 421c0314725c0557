/** A dispute that is reported before the capture of its money is noted. */
import assert from 'node:assert/strict';
import type { TransactionPlace } from '../../../activities/payments/capture-calls.ts';
import type { PaymentProvider, RawCallback } from '../../../activities/payments/provider/payment-provider.ts';
import { ReportIntake, type ReportIntakeOptions } from '../../../activities/payments/report-intake.ts';
import { beginCapture } from '../../../workflows/payments/rules/capture.ts';
import type { PaymentPageId } from '../../../workflows/shared/ids.ts';
import { NOW } from '../../support/sample-orders.ts';
import { createdPayment, TRANSACTION_ID } from '../../support/sample-payments.ts';

const PAGE = '6f0d2a3e-0f3c-8b11-9d4e-5a1f0f2d7c01' as PaymentPageId;

describe('a dispute of money whose capture is not noted yet', () => {
  it('wakes the capture, which tells its page, and is sent again', async () => {
    const created = createdPayment({ provider: 'BOOK', paymentTypeGroup: 'CASH', paymentPageId: PAGE });
    const { payment } = beginCapture(created, { transactionId: TRANSACTION_ID }, NOW);
    const woken: TransactionPlace[] = [];
    const intake = new ReportIntake({
      payments: { findByTransaction: async () => ({ payment }) },
      reports: { takeOnce: async (_name: string, _id: string, take: () => Promise<void>) => await take() },
      workflows: { wake: async (place: TransactionPlace) => void woken.push(place) },
    } as unknown as ReportIntakeOptions);
    const report = { id: 'r1', paymentId: payment.id, transactionId: TRANSACTION_ID };
    const trouble = { kind: 'DISPUTED', amountMinor: 100, currency: 'NOK' } as const;
    const provider = {
      name: 'BOOK',
      verifyCallback: async () => ({ ...report, trouble }),
    } as unknown as PaymentProvider;
    await assert.rejects(intake.take(provider, {} as RawCallback, 'c'), { code: 'UNAVAILABLE' });
    assert.deepEqual(
      woken.map(({ transactionId, paymentPageId }) => [transactionId, paymentPageId]),
      [[TRANSACTION_ID, PAGE]],
    );
  });
});
