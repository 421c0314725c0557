/** Which amounts are captured for a payment page, and what its captured money must do. */
import assert from 'node:assert/strict';
import { assertOwed, isInVain } from '../../workflows/payments/rules/capture.ts';
import type { PaymentPageId } from '../../workflows/shared/ids.ts';
import { createdPayment, TOTAL, theTransaction } from '../support/sample-payments.ts';

const OF_PAGE = { paymentPageId: '6f0d2a3e-0f3c-8b11-9d4e-5a1f0f2d7c01' as PaymentPageId };

describe('the amount of a capture', () => {
  const owed = (more: object, owedMinor: number) => {
    const payment = createdPayment(more);
    assertOwed(payment, theTransaction(payment), owedMinor);
  };
  const refusal = { code: 'AMOUNT_MISMATCH' };

  it('is for a page exactly what is owed', () => {
    owed(OF_PAGE, TOTAL);
    assert.throws(() => owed(OF_PAGE, TOTAL + 2_500), { ...refusal, message: /300\.00 NOK, and 325\.00 NOK is owed/ });
    assert.throws(() => owed(OF_PAGE, TOTAL - 1), refusal);
  });

  it('is otherwise at most what is owed', () => {
    owed({}, TOTAL);
    owed({}, TOTAL + 2_500);
    assert.throws(() => owed({}, TOTAL - 1), refusal);
  });

  it('is in vain where it confirms nothing: also a part, where a page has captured it', () => {
    const cases = [2_500, 0, -1].map((owedMinor) => [isInVain(OF_PAGE, owedMinor), isInVain({}, owedMinor)]);
    assert.deepEqual(cases, [
      [true, false],
      [true, true],
      [true, true],
    ]);
  });
});
