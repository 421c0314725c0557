/** Sweeps of payments take every transaction and credit that is lost, however many wait rightly. On a real database. */
import assert from 'node:assert/strict';
import { PaymentSweeps } from '../../../activities/payments/payment-sweeps.ts';
import { createLog } from '../../../platform/log.ts';
import { IDLE_MS } from '../../../workflows/payments/rules/cancelling.ts';
import { OURS } from '../../support/sample-orders.ts';
import { PaymentFixture, work } from './payment-fixture.ts';

/** More than a page. */
const MANY = 210;

describe('sweeps of payments', () => {
  const fixture = new PaymentFixture('payment-sweeps');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const none = async () => assert.fail('nothing of it is asked');
  const swept = () => {
    const [woken, started] = [[] as number[], [] as number[]];
    const sweeps = new PaymentSweeps({
      ...{ payments: fixture.here.store, credits: fixture.here.credits, notes: { tell: none } },
      workflows: {
        wake: async ({ transactionId }) => void woken.push(transactionId),
        startCredit: async ({ creditId }) => void started.push(creditId),
      },
      orders: () => ({ pagesOfLocked: async function* () {}, unlock: none, confirm: none }),
      orderReads: () => ({ get: none }),
      log: createLog({ level: 'silent', name: 'payment-sweeps' }),
      now: () => new Date(fixture.now.getTime() + IDLE_MS * 2),
    });
    return { sweeps, woken, started };
  };

  it('wake every transaction that is idle', async () => {
    const made = await Promise.all(Array.from({ length: MANY }, async () => await fixture.create()));
    const ids = made.flatMap(({ payment }) => payment.transactions.map(({ id }) => Number(id)));
    const { sweeps, woken } = swept();
    await sweeps.wakeCaptures();
    assert.equal(woken.length, MANY);
    assert.deepEqual(new Set(woken), new Set(ids));
  });

  it('start every credit without an outcome, again and again', async () => {
    const { payment } = await fixture.create();
    const [{ id: transactionId, paymentTypeGroup, paymentType } = assert.fail()] = payment.transactions;
    const part = { paymentId: payment.id, transactionId, amountMinor: 1, paymentTypeGroup, paymentType };
    const { orderId, orderVersion, distributionChannelId, currency } = payment;
    const of = { organisationId: OURS, orderId, orderVersion, distributionChannelId, currency, parts: [part] };
    const make = async () =>
      await fixture.here.credits.create(OURS, work(), (id) => ({ id, ...of, reason: 'REFUND' }), {
        pendingStart: true,
      });
    const made = await Promise.all(Array.from({ length: MANY }, make));
    const { sweeps, started } = swept();
    await sweeps.startCredits();
    await sweeps.startCredits();
    assert.equal(started.length, MANY * 2);
    assert.deepEqual(new Set(started), new Set(made.map(({ credit }) => Number(credit.id))));
  });
});
