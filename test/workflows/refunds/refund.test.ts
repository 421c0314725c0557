/** Refunds from the request to their end: every outcome of the providers, and what operators decide. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { totalRefundMinor } from '../../../workflows/refunds/rules/refund-life.ts';
import { sampleFee } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { assertAsBefore, assertRefunded, needsAttention } from './refund-outcomes.ts';
import { ASKER, RefundWorld } from './refund-world.ts';

const HOUR_MS = 3600_000;
/** Where the outcome stays unknown: the same question as after a day, after a tenth of the looks at the provider. */
const ATTENTION_AFTER_MS = HOUR_MS;

describe('refund', () => {
  let world: RefundWorld;
  before(async () => {
    world = await RefundWorld.open('refund-workflow');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  it('disables the tickets before the money is credited, and then confirms the order', async () => {
    const { refund } = await world.requested({ keptMinor: 3_000 });
    assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
    assert.deepEqual(world.steps, ['disabled', 'credit', 'paid']);
    assert.equal(world.credit?.orderVersion, 2);
    await assertRefunded(world, refund, 3_000);
  });

  it('ends as it began when every provider refuses', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN', 'REFUSED'];
    assert.deepEqual(await world.end(refund), { status: 'FAILED' });
    assert.deepEqual(world.steps, ['disabled', 'credit', 'restored']);
    await assertAsBefore(world, refund, 'REFUSED_BY_ISSUER');
  });

  it('stays done when what was paid fails right after', async () => {
    const { refund } = await world.requested();
    world.answers = ['CREDITED_AND_FAILED'];
    assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
    await assertRefunded(world, refund, 0);
  });

  it('waits for hours while the outcome is unknown, and never asks for the credit again', async () => {
    const { refund } = await world.requested();
    world.answers = [...Array.from({ length: 20 }, () => 'UNKNOWN' as const), 'CREDITED'];
    assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
    await assertRefunded(world, refund, 0);
  });

  it('asks an operator after a day, and ends by itself when the provider answers', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN'];
    const running = await world.start(refund);
    await world.skip(25 * HOUR_MS);
    await needsAttention(world, refund);
    assert.ok((await world.read(refund)).order.lock);
    world.answers = ['CREDITED'];
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    await assertRefunded(world, refund, 0);
  });

  it('counts as paid what an operator has paid in another way', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN'];
    const running = await world.start(refund, ATTENTION_AFTER_MS);
    await world.skip(2 * ATTENTION_AFTER_MS);
    await needsAttention(world, refund);
    assert.equal(await world.resolve(refund, 'CREDITED_ELSEWHERE'), 'NEEDS_ATTENTION');
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    assert.ok(world.steps.includes('settle ELSEWHERE'));
    await assertRefunded(world, refund, 0);
  });

  it('given up before anything was paid leaves all as it was', async () => {
    const { refund } = await world.requested();
    world.answers = ['UNKNOWN'];
    const running = await world.start(refund, ATTENTION_AFTER_MS);
    await world.skip(2 * ATTENTION_AFTER_MS);
    await needsAttention(world, refund);
    await world.resolve(refund, 'GIVEN_UP');
    assert.deepEqual(await running.result(), { status: 'FAILED' });
    await assertAsBefore(world, refund, 'REFUSED_BY_ISSUER');
  });

  it('given up after a part was paid keeps the rest as a fee', async () => {
    const { refund } = await world.requested();
    world.answers = [{ paidMinor: 4_000 }];
    const running = await world.start(refund);
    await needsAttention(world, refund);
    await world.resolve(refund, 'GIVEN_UP');
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    await assertRefunded(world, refund, (refund.operations[0]?.shareMinor ?? 0) - 4_000);
  });

  for (const resolution of ['GIVEN_UP', 'CREDITED_ELSEWHERE'] as const) {
    it(`waits for the provider where ${resolution} meets an outcome that is unknown`, async () => {
      const { refund } = await world.requested();
      world.answers = ['UNKNOWN'];
      world.decided = 'UNKNOWN';
      const running = await world.start(refund, ATTENTION_AFTER_MS);
      await world.skip(2 * ATTENTION_AFTER_MS);
      await needsAttention(world, refund);
      await world.resolve(refund, resolution);
      await world.skip(HOUR_MS);
      const { order, refund: waiting } = await world.read(refund);
      assert.deepEqual([waiting.status, waiting.resolution, world.disabled], ['NEEDS_ATTENTION', resolution, true]);
      assert.ok(order.lock);
      world.answers = ['CREDITED'];
      assert.deepEqual(await running.result(), { status: 'COMPLETED' });
      await assertRefunded(world, refund, 0);
    });
  }

  it('asks again where money that an operator has paid was disputed meanwhile', async () => {
    const { refund } = await world.requested();
    world.answers = [{ paidMinor: 4_000 }];
    world.decided = 'DISPUTED';
    const running = await world.start(refund);
    await needsAttention(world, refund);
    await world.resolve(refund, 'CREDITED_ELSEWHERE');
    const isAskedAgain = async () =>
      world.steps.includes('settle ELSEWHERE') && (await world.read(refund)).refund.resolution === undefined;
    await until(isAskedAgain, { what: 'another question' });
    assert.equal((await world.read(refund)).refund.status, 'NEEDS_ATTENTION');
    await assert.rejects(world.resolve(refund, 'CREDITED_ELSEWHERE'));
    await world.resolve(refund, 'GIVEN_UP');
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    await assertRefunded(world, refund, (refund.operations[0]?.shareMinor ?? 0) - 4_000);
  });

  it('of a compensation leaves the order to the one who asked, when it is paid', async () => {
    const { refund } = await world.compensation();
    assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
    assert.deepEqual(world.steps, ['credit', 'paid', `wake ${ASKER}`]);
    assert.deepEqual([world.credit?.reason, world.credit?.orderVersion], ['COMPENSATION', 1]);
    const { order } = await world.read(refund);
    assert.deepEqual([order.status, order.lock], ['DRAFT', { owner: ASKER, since: order.lock?.since }]);
  });

  it('of a compensation pays nothing where its money is not owed any more, and frees the draft of its mark', async () => {
    const { refund } = await world.compensation();
    world.isPaidBefore = true;
    assert.deepEqual(await world.end(refund), { status: 'FAILED' });
    assert.deepEqual(world.steps, []);
    const { order, refund: ended } = await world.read(refund);
    assert.equal(ended.failure?.code, 'REFUND_AMOUNT_EXCEEDED');
    assert.deepEqual([order.status, order.lock], ['DRAFT', { owner: ASKER, since: order.lock?.since }]);
  });

  it('of a compensation pays nothing where its draft is in other hands, or has ended', async () => {
    for (const change of [unlocked, heldByOther, nextVersion]) {
      const { order, refund } = await world.compensation();
      await world.fixture.change(order.id, (before) => ({ order: change(before), events: [] }));
      assert.deepEqual(await world.end(refund), { status: 'FAILED' });
      assert.equal((await world.read(refund)).refund.failure?.code, 'INVALID_STATE');
      assert.deepEqual(world.steps, []);
    }
  });

  it('of a compensation asks an operator at once when it is refused, and ends the draft after the decision', async () => {
    const { refund } = await world.compensation();
    world.answers = ['REFUSED'];
    const running = await world.start(refund);
    await needsAttention(world, refund);
    assert.match((await world.read(refund)).order.lock?.owner ?? '', /^compensation\//);
    await world.resolve(refund, 'CREDITED_ELSEWHERE');
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    const { order, refund: ended } = await world.read(refund);
    assert.deepEqual([order.status, order.lock, ended.resolution], ['EXPIRED', undefined, 'CREDITED_ELSEWHERE']);
    const news = ['page CREDIT_OUTSTANDING', 'settle ELSEWHERE', 'paid', 'page CREDITED'];
    assert.deepEqual(world.steps, ['credit', ...news, `wake ${ASKER}`]);
    await world.fixture.checkEvents(order.id);
  });

  it('of a compensation that was paid in part and given up counts what was paid', async () => {
    const { refund } = await world.compensation();
    world.answers = [{ paidMinor: 4_000 }];
    const running = await world.start(refund);
    await needsAttention(world, refund);
    await world.resolve(refund, 'GIVEN_UP');
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    const { order, refund: ended } = await world.read(refund);
    assert.deepEqual([totalRefundMinor(ended), order.status], [4_000, 'EXPIRED']);
    assert.deepEqual([order.lock, balanceMinor(order)], [undefined, -6_000]);
  });

  it('of a compensation waits while the outcome is unknown, and then holds the draft', async () => {
    const { refund } = await world.compensation();
    world.answers = ['UNKNOWN'];
    const running = await world.start(refund, ATTENTION_AFTER_MS);
    await world.skip(2 * ATTENTION_AFTER_MS);
    await needsAttention(world, refund);
    world.answers = ['CREDITED'];
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
    const { order } = await world.read(refund);
    assert.deepEqual([order.status, order.lock], ['EXPIRED', undefined]);
    assert.ok(world.steps.includes('page CREDITED'));
  });

  it('of a compensation is refused by another compensation of the order alone, and refuses no other refund', async () => {
    const { refund } = await world.requested();
    const { id: _id, status: _status, createdAt: _at, updatedAt: _until, disabledTicketIds: _ids, ...content } = refund;
    const work = () => ({ workId: crypto.randomUUID(), correlationId: 'c', clientId: 'payments' });
    const compensation = { askedBy: ASKER };
    const made = () => ({ ...content, id: crypto.randomUUID() as typeof refund.id, compensation });
    const { refund: running } = await world.refunds.create(made(), work());
    assert.deepEqual(await world.refunds.findCompensating(running.organisationId, running.orderId), running);
    // But the same money is paid back once.
    await assert.rejects(world.refunds.create(made(), work()), { code: 'REFUND_IN_PROGRESS' });
    const counts = (await world.refunds.countRunning()).map(({ status, count }) => [status, count]);
    assert.deepEqual(counts, [['REQUESTED', 2]]);
    const other = { ...content, id: crypto.randomUUID() as typeof refund.id };
    await assert.rejects(world.refunds.create(other, work()), { code: 'REFUND_IN_PROGRESS' });
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
    await assertAsBefore(world, refund, 'TICKET_ALREADY_USED');
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

  it('takes no decision that is not one of these, or that has a free text', async () => {
    const { refund } = await world.requested();
    world.answers = [{ paidMinor: 4_000 }];
    const running = await world.start(refund);
    await needsAttention(world, refund);
    for (const wrong of [{ resolution: 'PAID' }, { reason: 'Kari was paid in cash' }, { reason: undefined }]) {
      await assert.rejects(world.send(refund, { resolution: 'GIVEN_UP', reason: 'BANK', ...wrong }));
    }
    assert.equal((await world.read(refund)).refund.resolution, undefined);
    world.answers = ['CREDITED'];
    assert.deepEqual(await running.result(), { status: 'COMPLETED' });
  });
});

function unlocked({ lock: _lock, ...order }: Order): Order {
  return order;
}

function heldByOther(order: Order): Order {
  return { ...order, ...(order.lock && { lock: { ...order.lock, owner: 'capture/8/9' } }) };
}

function nextVersion(order: Order): Order {
  return { ...order, version: 2 };
}
