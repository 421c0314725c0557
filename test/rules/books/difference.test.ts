/** What a reconciliation calls a difference, and how often it counts it. */
import assert from 'node:assert/strict';
import {
  compareBalance,
  compareEntries,
  compareMovement,
  type Difference,
} from '../../../workflows/books/rules/difference.ts';
import { addFindings, findingsOf, NOTHING_FOUND } from '../../../workflows/books/rules/reconciled-day.ts';
import { noteCredited, noteDispute, noteDisputeWon, reserveCredit } from '../../../workflows/payments/rules/credits.ts';
import { paymentOfImport } from '../../../workflows/payments/rules/imported-order.ts';
import { isMoneyEvent, postedEvents } from '../../../workflows/payments/rules/postings.ts';
import type {
  CreditId,
  DistributionChannelId,
  OrderId,
  OrganisationId,
  PaymentId,
  TransactionId,
} from '../../../workflows/shared/ids.ts';
import { capturedPayment, TRANSACTION_ID } from '../../support/sample-payments.ts';

const CHANNEL = 'SVC:DistributionChannel:Web' as DistributionChannelId;
const NOW = new Date('2026-11-28T09:00:00Z');
const OF = { organisationId: 1 as OrganisationId, orderId: 'AAAAAAAA' as OrderId, currency: 'NOK' };
const BALANCE: Difference = { kind: 'ORDER_BALANCE', ...OF, expectedMinor: 300, foundMinor: 200 };

describe('the difference of a confirmed order', () => {
  const order = { ...OF, totalMinor: 300, balanceMinor: 0 };

  it('is none where ledger and order say that it is paid', () => {
    assert.equal(compareBalance(order, 0), undefined);
  });

  it('is what the customer owes, or has paid too much, by the ledger or by the order itself', () => {
    assert.deepEqual(compareBalance(order, 100), BALANCE);
    assert.deepEqual(compareBalance({ ...order, balanceMinor: 100 }, 0), BALANCE);
    assert.deepEqual(compareBalance({ ...order, balanceMinor: -50 }, -50), { ...BALANCE, foundMinor: 350 });
  });

  it('counts once, however many events of the day lead to the order', () => {
    const found = findingsOf({ events: 1 }, [BALANCE]);
    const other = findingsOf({ events: 1 }, [{ ...BALANCE, orderId: 'BBBBBBBB' as OrderId }]);
    const all = [found, found, other].reduce(addFindings, NOTHING_FOUND);
    assert.deepEqual([all.events, all.differences, all.told.length], [3, 2, 2]);
  });

  it('takes nothing from other kinds', () => {
    const missing = findingsOf({}, [{ ...BALANCE, kind: 'ENTRY_MISSING', mended: 'ENTERED' }]);
    assert.equal(addFindings(missing, missing).differences, 2);
    assert.equal(addFindings(missing, findingsOf({}, [BALANCE])).differences, 2);
  });
});

describe('the movement of a dispute', () => {
  const dispute = { provider: 'STRIPE', reference: '7/9', kind: 'DISPUTE', amountMinor: 3_000, key: 'dp_1' } as const;
  const disputed = noteDispute(capturedPayment(), { transactionId: TRANSACTION_ID, amountMinor: 3_000 }, NOW).payment;

  it('is known in the currency of its sale', () => {
    assert.equal(compareMovement({ ...dispute, currency: 'NOK' }, disputed), undefined);
  });

  it('is a difference in another currency: the ledger has nothing of it', () => {
    const given = { transactionId: TRANSACTION_ID, amountMinor: 3_000, currency: 'EUR' };
    const foreign = noteDispute(capturedPayment(), given, NOW).payment;
    for (const amountMinor of [3_000, -3_000]) {
      const payment = amountMinor > 0 ? foreign : noteDisputeWon(foreign, given, NOW).payment;
      const found = compareMovement({ ...dispute, amountMinor, currency: 'EUR' }, payment);
      const { kind, expectedMinor, foundMinor, currency } = found ?? assert.fail('nothing is told');
      assert.deepEqual([kind, expectedMinor, foundMinor, currency], ['AMOUNT', 0, amountMinor, 'EUR']);
    }
  });
});

describe('the entries of a payment that came with its order', () => {
  it('are those of its credits alone: the import has entered what was captured', () => {
    const [transactionId, creditId] = [7 as TransactionId, 9 as CreditId];
    const method = { paymentTypeGroup: 'CASH', paymentType: 'CASH', rrn: '1', confirmedAt: NOW };
    const { payment } = paymentOfImport(
      {
        ...{ ...OF, id: 5 as PaymentId, distributionChannelId: CHANNEL, orderVersion: 1 },
        transactions: [{ id: transactionId, amountMinor: 300, ...method }],
      },
      NOW,
    );
    const reserved = reserveCredit(payment, { creditId, parts: [{ transactionId, amountMinor: 100 }] }, NOW);
    const credited = noteCredited(reserved.payment, { creditId, transactionId }, NOW);
    const postings = postedEvents(credited)
      .filter(isMoneyEvent)
      .flatMap(({ entry }) => entry?.postings ?? []);
    assert.equal(postings.length, 2);
    assert.equal(compareEntries(credited.payment, postings), undefined);
    assert.equal(compareEntries(credited.payment, [])?.kind, 'ENTRIES');
  });
});
