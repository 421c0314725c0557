/** Captures, cancellations and credits whose worker or workflow dies in between, with the payment provider simulator. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PaymentPageId } from '../../../workflows/shared/ids.ts';
import { paymentPageWorkflowId } from '../../../workflows/shared/payment-page-signals.ts';
import { until } from '../../support/until.ts';
import { MoneyWorld, type PaidPlace } from './money-world.ts';

describe('captures whose worker or workflow dies', function () {
  this.timeout(60_000);
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

  it('declines once when a worker dies after a soft decline', async () => {
    world.breakOn('captureMoney', 'after');
    const place = await world.authorised('4000002500003155');
    await assert.rejects(world.capture(place), { code: 'SOFT_DECLINE' });
    assert.equal((await world.transaction(place)).round, 2);
  });

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
