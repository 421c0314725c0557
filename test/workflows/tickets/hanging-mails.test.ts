/** A mail server that hangs holds up no ticket: neither of its own order, nor of others. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MailSlots } from '../../../activities/shared/mail-slots.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { DeliveryWorld } from './delivery-world.ts';

/** Longer than a call waits for its answer. */
const HANGS_MS = 120_000;
const TIMES = { connectMs: HANGS_MS, greetMs: HANGS_MS, silentMs: HANGS_MS, mailMs: HANGS_MS };
const SLOTS = 2;
const ACTIVITIES = 4;

describe('beside a mail server that hangs', () => {
  let world: DeliveryWorld;
  before(async () => {
    const slots = new MailSlots({ atOnce: SLOTS });
    world = await DeliveryWorld.open('hanging-mails', { times: TIMES, slots, activitiesAtOnce: ACTIVITIES });
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const generate = async ({ id: orderId, version: orderVersion }: Order) =>
    await world.calls.generate({ organisationId: OURS, orderId, orderVersion }, {}, work());
  const work = () => ({ workId: randomUUID(), correlationId: 'c' });
  const sendsBegun = () => world.ran.filter((name) => name === 'sendDue').length;

  it('calls make the tickets of the orders whose mails hang, and of others', async () => {
    world.gate.mode = 'SILENT';
    const orders: Order[] = [];
    for (let count = 0; count < ACTIVITIES + 1; count += 1) orders.push(await world.sold());
    for (const order of orders) await world.start(order);
    // Without a limit, these would be all that the worker does at once.
    const hang = async () => world.gate.connections >= SLOTS && sendsBegun() >= ACTIVITIES;
    await until(hang, { what: 'mails that hang' });
    const other = await world.sold();
    await generate(other);
    assert.deepEqual(await world.statuses(other), ['GENERATED']);
    for (const order of orders) await generate(order);
    for (const order of orders) {
      const [ticket] = await world.tickets(order);
      assert.deepEqual([ticket?.status, ticket?.distributionDetails.attempts], ['DISTRIBUTING', 0]);
    }
    assert.deepEqual([world.gate.connections, world.gate.mails.length], [SLOTS, 0]);
    world.gate.mode = 'OPEN';
  });
});
