/** What became of a refund and its order. Callers: the tests of this folder. */
import assert from 'node:assert/strict';
import type { Refund } from '../../../workflows/refunds/rules/refund.ts';
import { until } from '../../support/until.ts';
import { CREDIT, type RefundWorld } from './refund-world.ts';

export async function needsAttention(world: RefundWorld, refund: Refund): Promise<void> {
  const isAsked = async () => (await world.read(refund)).refund.status === 'NEEDS_ATTENTION';
  await until(isAsked, { what: 'the question to an operator' });
}

/** The order is confirmed without the line, and keeps this fee of it. */
export async function assertRefunded(world: RefundWorld, of: Refund, keptMinor: number): Promise<void> {
  const { order, refund } = await world.read(of);
  assert.deepEqual([refund.status, refund.refundedVersion, refund.creditId], ['COMPLETED', 2, CREDIT]);
  assert.deepEqual([order.status, order.version, order.lock, order.reservations], ['CONFIRMED', 2, undefined, []]);
  assert.equal(order.orderLines[0]?.status, 'CANCELLED');
  assert.deepEqual(
    order.fees.map(({ type, price }) => [type, price.amountMinor]),
    keptMinor === 0 ? [] : [['REFUNDING', keptMinor]],
  );
  assert.equal(order.money.capturedMinor - order.money.creditedMinor, keptMinor);
  assert.ok(world.disabled);
  await world.fixture.checkEvents(order.id);
}

/** Nothing was paid back, and the ticket is valid. */
export async function assertAsBefore(world: RefundWorld, of: Refund, code: string): Promise<void> {
  const { order, refund } = await world.read(of);
  assert.deepEqual([refund.status, refund.failure?.code], ['FAILED', code]);
  assert.deepEqual([order.status, order.version, order.lock], ['CONFIRMED', 1, undefined]);
  assert.deepEqual([world.disabled, world.creditedMinor], [false, 0]);
}
