/** Drafts that are due while payments of them are open, on a time-skipping server, with and without faults. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { lockOrder, unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { MINUTE_MS, sampleFee } from '../../support/sample-orders.ts';
import { ExpiryWorld } from './expiry-world.ts';

describe('orderExpiry', () => {
  let world: ExpiryWorld;

  before(async () => {
    world = await ExpiryWorld.open('order-expiry');
  });
  beforeEach(() => world.reset());
  after(() => world?.close());

  const now = async ({ id }: Order) => (await world.fixture.here.store.get('ANY', id)).order;
  const seatOf = ({ reservations }: Order) => reservations[0]?.id ?? assert.fail('no seat');
  const stateOf = (order: Order) => world.fixture.keeper.states.get(seatOf(order));

  it('ends the draft once its transactions are cancelled, and frees its seats', async () => {
    const order = await world.dueDraft();
    const draft = await world.fixture.here.store.get('ANY', order.id);
    world.openAtEachLook = [1, 1];
    assert.deepEqual(await world.end(draft.order), { ended: 'EXPIRED' });
    const after = await now(order);
    assert.deepEqual([after.status, after.lock, stateOf(draft.order)], ['EXPIRED', undefined, 'RELEASED']);
    assert.equal(world.looks, 3);
    await world.fixture.checkEvents(order.id);
  });

  it('locks the draft meanwhile, so that nothing is captured or written', async () => {
    const order = await world.dueDraft();
    const refusals: unknown[] = [];
    world.openAtEachLook = [1];
    world.meanwhile = async () => {
      const writes = await Promise.allSettled([
        world.fixture.change(order.id, (before, at) => lockOrder(before, { owner: 'capture/1/1' }, at)),
        world.fixture.change(order.id, (before, at) => addFee(before, { fee: sampleFee('MANUAL', 100) }, at)),
      ]);
      refusals.push(...writes.map((write) => (write.status === 'rejected' ? write.reason : write.value)));
    };
    await world.end(order);
    assert.ok(refusals.length >= 4);
    for (const refusal of refusals) assert.equal(refusal instanceof ServiceError && refusal.code, 'ORDER_LOCKED');
  });

  it('confirms the order when a capture that ran has paid it', async () => {
    const order = await world.dueDraft();
    world.meanwhile = async () => world.note(order, { capturedMinor: 10_000 });
    assert.deepEqual(await world.end(order), { ended: 'CONFIRMED' });
    const after = await now(order);
    assert.deepEqual([after.status, after.version, after.lock], ['CONFIRMED', 1, undefined]);
    assert.equal(stateOf(after), 'CONFIRMED');
  });

  it('has money credited that does not pay the order, and then ends the draft', async () => {
    const order = await world.dueDraft();
    world.meanwhile = async (look) => (look === 1 ? world.note(order, { capturedMinor: 4_000 }) : undefined);
    assert.deepEqual(await world.end(order), { ended: 'EXPIRED' });
    const after = await now(order);
    assert.deepEqual([world.credits, after.money.creditedMinor], [1, 4_000]);
  });

  it('goes back to the version that was confirmed before', async () => {
    const { order: confirmed } = await world.fixture.confirmed();
    const fee = sampleFee('MANUAL', 2_000);
    const { order } = await world.fixture.change(confirmed.id, (before, at) => addFee(before, { fee }, at));
    await world.skip(21);
    assert.deepEqual(await world.end(order), { ended: 'RESET' });
    const after = await now(order);
    assert.deepEqual([after.status, after.version, after.fees], ['CONFIRMED', 1, []]);
    assert.equal(stateOf(after), 'CONFIRMED');
  });

  it('waits for a capture that holds the lock, for as long as it takes', async () => {
    const order = await world.dueDraft();
    const owner = 'capture/1/1';
    await world.fixture.change(order.id, (before, at) => lockOrder(before, { owner }, at));
    const beganAt = world.fixture.now.getTime();
    const expiry = await world.start(order);
    await world.skip(30);
    assert.equal(world.looks, 0);
    await world.fixture.change(order.id, (before, at) => unlockOrder(before, { owner }, at));
    assert.deepEqual(await expiry.result(), { ended: 'EXPIRED' });
    assert.ok(world.fixture.now.getTime() - beganAt >= 30 * MINUTE_MS);
  });

  it('goes on in further runs, and asks less often, while an outcome stays unknown', async () => {
    const order = await world.dueDraft();
    const owner = 'capture/1/1';
    await world.fixture.change(order.id, (before, at) => lockOrder(before, { owner }, at));
    const expiry = await world.start(order);
    await world.skip(150);
    assert.notEqual((await expiry.describe()).runId, expiry.firstExecutionRunId);
    assert.equal(world.looks, 0);
    await world.fixture.change(order.id, (before, at) => unlockOrder(before, { owner }, at));
    assert.deepEqual(await expiry.result(), { ended: 'EXPIRED' });
  });

  it('leaves a draft whose time was raised', async () => {
    const { order } = await world.fixture.withSeat();
    assert.deepEqual(await world.end(order), { ended: 'OVER' });
    assert.equal((await now(order)).status, 'DRAFT');
  });

  for (const when of ['before', 'after'] as const) {
    it(`has the same outcome when every step fails ${when} its effect, repeatedly`, async () => {
      const order = await world.dueDraft();
      world.meanwhile = async (look) => (look === 1 ? world.note(order, { capturedMinor: 4_000 }) : undefined);
      for (const name of ['lockDraft', 'endOpenTransactions', 'endDraft', 'creditDraft'] as const) {
        world.breakOn(name, when, 2);
      }
      assert.deepEqual(await world.end(order), { ended: 'EXPIRED' });
      const after = await now(order);
      assert.deepEqual([after.status, after.money.creditedMinor], ['EXPIRED', 4_000]);
      await world.fixture.checkEvents(order.id);
    });
  }
});
