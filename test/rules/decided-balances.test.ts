/** The rules of an operator's decision on money that a draft owes back. */
import assert from 'node:assert/strict';
import {
  type Credit,
  createCredit,
  decideBalance,
  isDeciding,
  noteDecisionStep,
  notePaidOtherwise,
  notePart,
} from '../../workflows/payments/rules/credit.ts';
import type { CreditId, DistributionChannelId, OrderId, PaymentId, TransactionId } from '../../workflows/shared/ids.ts';
import { NOW, OURS } from '../support/sample-orders.ts';

const ELSEWHERE = { how: 'ELSEWHERE', reason: 'BANK_TRANSFER' } as const;
const GIVEN_UP = { how: 'GIVEN_UP', reason: 'CUSTOMER_AGREED' } as const;
const transactionId = 7 as TransactionId;

describe('decisions on balances', () => {
  const created = (reason: Credit['reason'] = 'BALANCE'): Credit =>
    createCredit(
      {
        ...{ id: 4711 as CreditId, organisationId: OURS, orderId: 'K7QW2MXP' as OrderId, orderVersion: 2 },
        ...{ currency: 'NOK', distributionChannelId: 'SVC:DistributionChannel:Web' as DistributionChannelId, reason },
        parts: [
          {
            ...{ paymentId: 8 as PaymentId, transactionId, amountMinor: 2_000 },
            ...{ paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' },
          },
        ],
      },
      NOW,
    );
  const ended = (credit: Credit, status: 'CREDITED' | 'FAILED') => notePart(credit, { transactionId, status }, NOW);
  const refuses = (credit: Credit, wanted: typeof ELSEWHERE | typeof GIVEN_UP = ELSEWHERE) =>
    assert.throws(() => decideBalance(credit, wanted, NOW), { code: 'INVALID_STATE' });

  it('are taken once, of balances that were refused alone', () => {
    refuses(created());
    refuses(ended(created(), 'CREDITED'));
    for (const reason of ['COMPENSATION', 'REFUND', 'DRAFT'] as const) refuses(ended(created(reason), 'FAILED'));
    const decided = decideBalance(ended(created(), 'FAILED'), ELSEWHERE, NOW);
    assert.deepEqual(decided.decision, { ...ELSEWHERE, state: 'ASKED', at: NOW });
    assert.equal(decideBalance(decided, { ...ELSEWHERE, reason: 'CASH' }, NOW), decided);
    refuses(decided, GIVEN_UP);
  });

  it('go on from one step alone, and another one may follow what the draft did not owe', () => {
    const decided = decideBalance(ended(created(), 'FAILED'), ELSEWHERE, NOW);
    assert.equal(noteDecisionStep(decided, { from: 'HELD', to: 'DONE' }, NOW), decided);
    const held = noteDecisionStep(decided, { from: 'ASKED', to: 'HELD' }, NOW);
    assert.equal(noteDecisionStep(held, { from: 'ASKED', to: 'REFUSED' }, NOW), held);
    const done = noteDecisionStep(held, { from: 'HELD', to: 'DONE' }, NOW);
    assert.deepEqual([decided, held, done].map(isDeciding), [true, true, false]);
    refuses(done, GIVEN_UP);
    const refused = noteDecisionStep(held, { from: 'HELD', to: 'REFUSED' }, NOW);
    assert.equal(isDeciding(refused), false);
    assert.equal(decideBalance(refused, GIVEN_UP, NOW).decision?.state, 'ASKED');
  });

  it('are noted as done of what was paid and failed later, unless one was taken before', () => {
    const failed = ended(ended(created(), 'CREDITED'), 'FAILED');
    const settled = notePaidOtherwise(failed, ELSEWHERE, NOW);
    assert.deepEqual(settled.decision, { ...ELSEWHERE, state: 'DONE', at: NOW });
    assert.equal(notePaidOtherwise(settled, { reason: 'CASH' }, NOW), settled);
    const decided = decideBalance(failed, GIVEN_UP, NOW);
    assert.equal(notePaidOtherwise(decided, ELSEWHERE, NOW), decided);
    const refused = noteDecisionStep(decided, { from: 'ASKED', to: 'REFUSED' }, NOW);
    assert.equal(notePaidOtherwise(refused, ELSEWHERE, NOW).decision?.how, 'ELSEWHERE');
    for (const reason of ['COMPENSATION', 'REFUND'] as const) {
      assert.throws(() => notePaidOtherwise(created(reason), ELSEWHERE, NOW), { code: 'INVALID_STATE' });
    }
  });
});
