/** Captures, cancellations and credits whose worker or workflow dies in between, with the payment provider simulator. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { excessMinor } from '../../../workflows/orders/rules/amounts.ts';
import { creditWorkflowId } from '../../../workflows/payments/messages.ts';
import type { PaymentPageId } from '../../../workflows/shared/ids.ts';
import { paymentPageWorkflowId } from '../../../workflows/shared/payment-page-signals.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { MoneyWorld, type PaidPlace, untilNextRun } from './money-world.ts';

describe('captures whose worker or workflow dies', () => {
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('capture-deaths');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  for (const name of ['openTerminal', 'captureMoney'] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`goes on when a worker dies ${when} ${name}`, async () => {
        world.breakOn(name, when, 2);
        const place = await world.authorised();
        assert.equal(await world.capture(place), 'CAPTURED');
        assert.equal((await world.order(place)).status, 'CONFIRMED');
        assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
      });
    }
  }

  for (const when of ['before', 'after'] as const) {
    it(`goes on when a worker dies ${when} cancelTransaction`, async () => {
      world.breakOn('cancelTransaction', when, 2);
      const place = await world.authorised();
      assert.equal(await world.cancel(place), 'CANCELLED');
      const { operations, authorisationId, intent } = await world.transaction(place);
      assert.equal(operations.filter(({ operation }) => operation === 'CANCEL').length, 1);
      assert.ok(authorisationId, 'what was authorised is known');
      assert.equal(intent, undefined, 'and given back');
      assert.equal((await world.order(place)).paymentRefs[0]?.openTransactions, 0);
      assert.deepEqual(await world.ended(place), { status: 'CANCELLED' });
      assert.deepEqual(await world.ledger(place), { captures: 0, captured: 0, refunded: 0 });
    });

    it(`goes on when a worker dies ${when} payBack`, async () => {
      world.breakOn('payBack', when, 2);
      const place = await world.authorised();
      await world.owesMore(place);
      await world.capture(place);
      await world.creditDraft(place);
      const made = async () => (await world.credits.listOfOrder(OURS, place.orderId))[0];
      await until(async () => (await made()) !== undefined, { what: 'the credit' });
      const stored = (await made()) ?? assert.fail();
      const { workflow } = world.server.temporal.client;
      const handle = workflow.getHandle(creditWorkflowId({ creditId: stored.credit.id }));
      assert.deepEqual(await handle.result(), { status: 'CREDITED' });
      assert.equal(excessMinor(await world.order(place)), 0);
      const { status, credits } = await world.transaction(place);
      assert.deepEqual([status, credits.length], ['CREDITED', 1]);
      assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 10_000 });
    });

    it(`goes on when a worker dies ${when} captureMoney has the money refunded`, async () => {
      world.breakOn('captureMoney', when, 2);
      const place = await world.authorised();
      await paidTwice(place);
      const { status, lock } = await world.order(place);
      assert.deepEqual([status, lock], ['CONFIRMED', undefined]);
      assert.equal((await world.transaction(place)).status, 'CREDITED');
      assert.equal((await world.credits.listOfOrder(OURS, place.orderId)).length, 1);
      assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 10_000 });
    });
  }

  it('declines once when a worker dies after a soft decline', async () => {
    world.breakOn('captureMoney', 'after');
    const place = await world.authorised('4000002500003155');
    await assert.rejects(world.capture(place), { code: 'SOFT_DECLINE' });
    assert.equal((await world.transaction(place)).round, 2);
  });

  it('goes on in a new run after many messages', async () => {
    const place = await world.authorised();
    await untilNextRun(world, place);
    assert.equal(await world.capture(place), 'CAPTURED');
    assert.deepEqual(await world.ended(place), { status: 'CAPTURED' });
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  /** Another system pays the same while the capture runs, so its money is credited. */
  const paidTwice = async (place: PaidPlace): Promise<void> => {
    await world.fault({ call: 'capture', mode: 'SLOW', count: 1, delayMs: 700 });
    const captured = world.capture(place).catch(() => undefined);
    await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
    const other = { paymentId: 2, orderVersion: 1, capturedMinor: 10_000, creditedMinor: 0, openTransactions: 0 };
    await world.money.notePayment(OURS, place.orderId, other, { correlationId: 'c', clientId: 'x' });
    await captured;
    await world.ended(place);
  };
  /** Its workflow is lost while the provider has not captured yet, and the order is locked. */
  const lost = async (place: PaidPlace, begin: () => Promise<unknown>): Promise<void> => {
    await world.fault({ call: 'capture', mode: 'FAIL_BEFORE', count: 1_000 });
    const begun = begin().catch(() => undefined);
    await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
    await world.handle(place).terminate('lost');
    await begun;
    await fetch(`${world.simulator.url}/faults`, { method: 'DELETE' });
    world.fixture.now = new Date(Date.now() + 10 * 60_000);
  };
  const confirmed = async (place: PaidPlace): Promise<void> => {
    await until(async () => (await world.order(place)).status === 'CONFIRMED', { what: 'the order' });
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  };

  it('come back when their workflow is lost while it holds the order', async () => {
    const place = await world.authorised();
    await lost(place, () => world.capture(place));
    await world.sweeps.wakeCaptures();
    await confirmed(place);
  });

  it('still tell their payment page when they come back', async () => {
    const pageId = randomUUID() as PaymentPageId;
    const place = await world.authorised(undefined, { pageId });
    await lost(place, () => world.callback(place));
    // Nobody works on it: its history keeps the signals.
    const page = await world.server.temporal.client.workflow.start('paymentPage', {
      workflowId: paymentPageWorkflowId(pageId),
      taskQueue: 'nobody',
    });
    await world.sweeps.wakeCaptures();
    await confirmed(place);
    const signals = async () =>
      ((await page.fetchHistory()).events ?? []).flatMap(
        ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? [],
      );
    await until(async () => (await signals()).includes('captureSettled'), { what: 'the signal' });
    await page.terminate();
  });
});
