/** Refunds from the request to their end: every outcome of the providers, and a death before and after each step. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import type { RefundActivities } from '../../../workflows/refunds/activities.ts';
import type { Refund } from '../../../workflows/refunds/rules/refund.ts';
import { sampleFee } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { RefundWorld } from './refund-world.ts';

const HOUR_MS = 3600_000;

describe('refund', () => {
  let world: RefundWorld;
  before(async () => {
    world = await RefundWorld.open('refund-workflow');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world?.close());

  const assertRefunded = async (refund: Refund, keptMinor: number) => {
    const { order, refund: ended } = await world.read(refund);
    assert.deepEqual([ended.status, ended.refundedVersion, ended.creditId], ['COMPLETED', 2, 4711]);
    assert.deepEqual([order.status, order.version, order.lock, order.reservations], ['CONFIRMED', 2, undefined, []]);
    const [line] = order.orderLines;
    assert.equal(line?.status, 'CANCELLED');
    assert.deepEqual(
      order.fees.map(({ type, price }) => [type, price.amountMinor]),
      keptMinor === 0 ? [] : [['REFUNDING', keptMinor]],
    );
    assert.equal(order.money.capturedMinor - order.money.creditedMinor, keptMinor);
    assert.ok(world.disabled);
    await world.fixture.checkEvents(order.id);
  };
  const assertAsBefore = async (refund: Refund, code: string) => {
    const { order, refund: ended } = await world.read(refund);
    assert.deepEqual([ended.status, ended.failure?.code], ['FAILED', code]);
    assert.deepEqual([order.status, order.version, order.lock], ['CONFIRMED', 1, undefined]);
    assert.deepEqual([world.disabled, world.creditedMinor], [false, 0]);
  };
  const needsAttention = async (refund: Refund) => {
    const isAsked = async () => (await world.read(refund)).refund.status === 'NEEDS_ATTENTION';
    await until(isAsked, { what: 'the question to an operator' });
  };

  it('disables the tickets before the money is credited, and then confirms the order', async () => {
    const { refund } = await world.requested({ keptMinor: 3_000 });
    assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
    assert.deepEqual(world.steps, ['disabled', 'credit', 'paid']);
    assert.equal(world.credit?.orderVersion, 2);
    await assertRefunded(refund, 3_000);
  });

  it('ends as it began when every provider refuses', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN', 'REFUSED'];
    assert.deepEqual(await world.end(refund), { status: 'FAILED' });
    assert.deepEqual(world.steps, ['disabled', 'credit', 'restored']);
    await assertAsBefore(refund, 'REFUSED_BY_ISSUER');
  });

  it('waits for hours while the outcome is unknown, and never asks for the credit again', async () => {
    const { refund } = await world.requested();
    world.answers = [...Array.from({ length: 20 }, () => 'UNKNOWN' as const), 'CREDITED'];
    assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
    await assertRefunded(refund, 0);
  });

  it('asks an operator after a day, and ends by itself when the provider answers', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN'];
    const running = await world.start(refund);
    await world.skip(25 * HOUR_MS);
    await needsAttention(refund);
    assert.ok((await world.read(refund)).order.lock);
    world.answers = ['CREDITED'];
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    await assertRefunded(refund, 0);
  });

  it('counts as paid what an operator has paid in another way', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN'];
    const running = await world.start(refund);
    await world.skip(25 * HOUR_MS);
    await needsAttention(refund);
    assert.equal(await world.resolve(refund, 'CREDITED_ELSEWHERE'), 'NEEDS_ATTENTION');
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    assert.ok(world.steps.includes('settle ELSEWHERE'));
    await assertRefunded(refund, 0);
  });

  it('given up before anything was paid leaves all as it was', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN'];
    const running = await world.start(refund);
    await world.skip(25 * HOUR_MS);
    await needsAttention(refund);
    await world.resolve(refund, 'GIVEN_UP');
    assert.deepEqual(await running.result(), { status: 'FAILED' });
    await assertAsBefore(refund, 'REFUSED_BY_ISSUER');
  });

  it('given up after a part was paid keeps the rest as a fee', async () => {
    const { refund } = await world.requested();
    world.answers = [{ paidMinor: 4_000 }];
    const running = await world.start(refund);
    await needsAttention(refund);
    await world.resolve(refund, 'GIVEN_UP');
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    await assertRefunded(refund, (refund.operations[0]?.shareMinor ?? 0) - 4_000);
  });

  it('takes no decision that nobody asks for', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN'];
    const running = await world.start(refund);
    await until(() => world.credit !== undefined, { what: 'the credit' });
    await assert.rejects(world.resolve(refund, 'GIVEN_UP'));
    world.answers = ['CREDITED'];
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
  });

  it('fails where the order has changed since it was asked for', async () => {
    const { order, refund } = await world.requested();
    const fee = sampleFee('MANUAL', 500);
    await world.fixture.change(order.id, (before, at) => addFee(before, { fee }, at));
    assert.deepEqual(await world.end(refund), { status: 'FAILED' });
    const { refund: ended, order: after } = await world.read(refund);
    assert.deepEqual([ended.failure?.code, after.status, after.lock], ['ORDER_VERSION_MISMATCH', 'DRAFT', undefined]);
  });

  it('fails where the ticket has been used meanwhile, and gives the others back', async () => {
    const { refund } = await world.requested();
    const [{ orderLineId } = { orderLineId: '' as never }] = refund.operations;
    world.uses = [{ orderLineId, usedAt: new Date(), usedLegIds: [] }];
    assert.deepEqual(await world.end(refund), { status: 'FAILED' });
    await assertAsBefore(refund, 'TICKET_ALREADY_USED');
  });

  it('waits for another party that holds the lock, but not for ever', async () => {
    const { order, refund } = await world.requested();
    await world.fixture.change(order.id, (before, at) => lockOrder(before, { owner: 'capture/1/1' }, at));
    assert.deepEqual(await world.end(refund), { status: 'FAILED' });
    const { refund: ended, order: after } = await world.read(refund);
    assert.deepEqual([ended.failure?.code, after.lock?.owner], ['ORDER_LOCKED', 'capture/1/1']);
  });

  it('started again after its end changes nothing', async () => {
    const { refund } = await world.requested();
    await world.end(refund);
    const { order } = await world.read(refund);
    assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
    assert.deepEqual((await world.read(refund)).order, order);
  });

  const STEPS: readonly (keyof RefundActivities)[] = ['beginRefund', 'creditRefund', 'awaitCredit', 'completeRefund'];
  for (const step of STEPS) {
    for (const when of ['before', 'after'] as const) {
      it(`ends the same where ${step} dies ${when} its effect`, async () => {
        const { refund } = await world.requested({ keptMinor: 1_000 });
        world.breakOn(step, when, 2);
        assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
        await assertRefunded(refund, 1_000);
      });
    }
  }
  for (const when of ['before', 'after'] as const) {
    it(`is undone where undoRefund dies ${when} its effect`, async () => {
      const { refund } = await world.requested();
      world.answers = ['REFUSED'];
      world.breakOn('undoRefund', when, 2);
      assert.deepEqual(await world.end(refund), { status: 'FAILED' });
      await assertAsBefore(refund, 'REFUSED_BY_ISSUER');
    });
  }
});
