/** Successors of tickets, orders that do not add up, and what payment pages are told. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { TicketAccessor } from '../../../activities/tickets/ticket-access.ts';
import { openPayload, parsePayloadKeys } from '../../../platform/temporal/payload-codec.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { lockForRefund, refundLines } from '../../../workflows/orders/rules/refunding.ts';
import { paymentPageWorkflow, paymentPageWorkflowId } from '../../../workflows/payment-page/messages.ts';
import type { PaymentPageId } from '../../../workflows/shared/ids.ts';
import { payByCard } from '../../support/provider-simulator.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';
import { GOOD_CARD } from '../payments/money-world.ts';
import { ANNA, BERIT, DeliveryWorld } from './delivery-world.ts';

const HOUR_MS = 3_600_000;
const BERITS = { firstName: 'Berit', surname: 'Å', email: 'berit@example.org', language: 'eng' } as const;

describe('a reissue', () => {
  let world: DeliveryWorld;
  before(async () => {
    world = await DeliveryWorld.open('reissue');
  });
  beforeEach(async () => {
    await world.reset();
    world.customers.set(BERIT, BERITS);
  });
  after(async () => await world.close());

  async function delivered(): Promise<Order> {
    const order = await world.sold([ANNA]);
    await world.start(order);
    await world.ended(order);
    return order;
  }

  it('signs the successor and sends it to the new holder, once', async () => {
    const order = await delivered();
    const { start, handle } = await world.transferred(order, BERIT);
    await Promise.all([start(), start()]);
    assert.deepEqual(await handle.result(), { outcome: 'DELIVERED' });
    const [before, after] = await world.tickets(order);
    assert.deepEqual([before?.status, after?.status], ['REPLACED', 'DISTRIBUTED']);
    assert.ok(after?.signed);
    assert.equal(world.gate.inbox('berit@example.org').length, 1);
    assert.equal(world.gate.mails.length, 2);
  });

  it('of tickets that were changed again meanwhile sends the last holder one mail', async () => {
    const order = await delivered();
    const first = await world.transferred(order, BERIT);
    const second = await world.transferred(order, ANNA);
    await Promise.all([first.start(), second.start()]);
    await Promise.all([first.handle.result(), second.handle.result()]);
    assert.deepEqual(await world.statuses(order), ['REPLACED', 'REPLACED', 'DISTRIBUTED']);
    assert.equal(world.gate.inbox('berit@example.org').length, 0);
    assert.equal(world.gate.inbox('anna@example.org').length, 2);
  });

  it('lets calls send where the holder has an address, and refuses where he has none', async () => {
    const order = await delivered();
    const { start, handle } = await world.transferred(order, BERIT);
    await start();
    await handle.result();
    const place = { organisationId: OURS, orderId: order.id, orderVersion: order.version };
    const distribute = async (resend: boolean) =>
      await world.calls.distribute(place, { resend }, { workId: randomUUID(), correlationId: 'c' });
    world.customers.set(ANNA, { firstName: 'Anna', language: 'nob' });
    const mailings = async () => (await world.parts.mailings.listOfOrder(OURS, order.id)).length;
    const before = await mailings();
    await distribute(true);
    await until(async () => world.gate.inbox('berit@example.org').length === 2, { what: 'the second mail' });
    assert.equal(await mailings(), before + 1);
    world.customers.set(ANNA, { firstName: 'Anna', email: 'anna@example.org', language: 'nob' });
    world.customers.set(BERIT, { firstName: 'Berit', language: 'eng' });
    await assert.rejects(distribute(true), { code: 'NO_DELIVERY_ADDRESS' });
    assert.equal(await mailings(), before + 1);
  });

  it('tells the order of a moved start where the call has died before it', async () => {
    const order = await delivered();
    const [stored] = await world.parts.tickets.listOfOrder(OURS, order.id);
    const { id: groupId, ticketDistributions } = stored?.group ?? assert.fail();
    const startOfValidity = new Date((ticketDistributions[0]?.startOfValidity.getTime() ?? 0) - HOUR_MS);
    const work = { workId: randomUUID(), correlationId: 'c', clientId: 'partner' };
    await world.updates.updateValidities(OURS, [{ groupId, startOfValidity }], work);
    const { collection, store } = world.money.fixture.here;
    const forgotten = { 'orderLines.0.movedStart': '', 'confirmed.orderLines.0.movedStart': '' };
    await collection.updateOne({ _id: order.id }, { $unset: forgotten } as never);
    const place = { organisationId: OURS, orderId: order.id, groupId, number: 1 };
    await world.calls.startReissue(place, work);
    const told = async () => (await store.get(OURS, order.id)).order.orderLines[0]?.movedStart?.to;
    await until(async () => (await told())?.getTime() === startOfValidity.getTime(), { what: 'the moved start' });
  });

  it('is started by the sweep where the call has died', async () => {
    const order = await delivered();
    const { handle } = await world.transferred(order, BERIT);
    world.money.fixture.now = new Date(world.money.fixture.now.getTime() + 10_000);
    await world.sweep().startReissues();
    assert.deepEqual(await handle.result(), { outcome: 'DELIVERED' });
  });

  for (const hasFailed of [true, false]) {
    it(`waits for a refund of its line, and ${hasFailed ? 'is sent once that has failed' : 'ends when that is paid'}`, async () => {
      const order = await delivered();
      const [{ id: orderLineId, price } = assert.fail()] = order.orderLines;
      const owner = `refund/${order.id}/1`;
      const { start, handle } = await world.transferred(order, BERIT);
      const { fixture } = world.money;
      const { amountMinor } = price;
      const line = { orderLineId, shareMinor: amountMinor, refundMinor: amountMinor, feeId: 'fee' };
      const refunding = { orderVersion: order.version, lines: [line] };
      await fixture.change(order.id, (before, now) => lockForRefund(before, { ...refunding, owner }, now));
      await start();
      assert.deepEqual(await handle.result(), { outcome: 'WAITING' });
      assert.deepEqual(await world.statuses(order), ['REPLACED', 'GENERATED']);
      assert.equal(world.ran.filter((name) => name === 'issueSuccessors').length, 1);
      const { tickets, mailings } = world.parts;
      const access = new TicketAccessor(tickets, mailings);
      const lines = { organisationId: OURS, orderId: order.id, orderLineIds: [orderLineId] };
      if (hasFailed) await fixture.change(order.id, (before, now) => unlockOrder(before, { owner }, now));
      else {
        await access.disable(lines, { reason: 'REFUNDED', disabledBy: owner }, { correlationId: 'c', clientId: 'c' });
        await fixture.change(order.id, (before) => ({
          order: { ...before, money: { ...before.money, creditedMinor: amountMinor } },
          events: [],
        }));
        await fixture.change(order.id, (before, now) => refundLines(before, { ...refunding, lockOwner: owner }, now));
      }
      await access.release(lines);
      await world.sweep().startPending();
      const mailing = async () => await mailings.get(OURS, handle.workflowId);
      await until(async () => (await mailing()).state === 'DONE', { what: 'the mailing' });
      assert.deepEqual(await handle.result(), { outcome: hasFailed ? 'DELIVERED' : 'NOTHING' });
      assert.deepEqual(await world.statuses(order), ['REPLACED', hasFailed ? 'DISTRIBUTED' : 'DISABLED']);
      assert.equal(world.gate.inbox('berit@example.org').length, hasFailed ? 1 : 0);
    });
  }

  it('sends nothing where the ticket was sent to nobody', async () => {
    world.autoDistribute = false;
    const order = await delivered();
    const { start, handle } = await world.transferred(order, BERIT);
    await start();
    assert.deepEqual(await handle.result(), { outcome: 'NOTHING' });
    assert.deepEqual(await world.statuses(order), ['REPLACED', 'GENERATED']);
  });

  it('and a delivery sign nothing of an order that does not add up', async () => {
    const order = await world.sold();
    await world.spoil(order);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'FAILED' });
    assert.deepEqual([(await world.tickets(order)).length, world.gate.mails.length], [0, 0]);
    const [mailing] = await world.parts.mailings.listOfOrder(OURS, order.id);
    assert.deepEqual([mailing?.state, mailing?.receipt?.state], ['REFUSED', 'NONE']);
    assert.ok(
      mailing?.faults?.some((fault) => fault.startsWith('NOT_PAID')),
      String(mailing?.faults),
    );
    const place = { organisationId: OURS, orderId: order.id, orderVersion: order.version };
    const asked = world.calls.generate(place, {}, { workId: randomUUID(), correlationId: 'c' });
    await assert.rejects(asked, { code: 'INVALID_STATE' });
  });

  it('holds back no receipt of money that was captured', async () => {
    const { money } = world;
    const order = await world.draft();
    const place = await money.payment({ order });
    await payByCard(await money.terminal(place), GOOD_CARD);
    await money.callback(place);
    await until(async () => (await money.transaction(place)).authorisationId !== undefined, { what: 'the money' });
    assert.equal(await money.capture(place), 'CAPTURED');
    await money.ended(place);
    await world.spoilValidity(order);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'FAILED' });
    const [mailing] = await world.parts.mailings.listOfOrder(OURS, order.id);
    assert.deepEqual([mailing?.state, mailing?.receipt?.state], ['REFUSED', 'SENT']);
    assert.deepEqual((await world.tickets(order)).length, 0);
    const [receipt, ...others] = world.gate.inbox('anna@example.org');
    assert.match(receipt?.mail.subject ?? '', /^Kvittering/);
    assert.equal(others.length, 0);
  });

  for (const [outcome, settled] of [
    ['delivered', { delivered: true }],
    ['not delivered', { delivered: false }],
    ['not to be delivered, since nobody has an address', { delivered: true, isUnaddressed: true }],
  ] as const) {
    it(`tells the payment page that its order was ${outcome}`, async () => {
      const { client } = world.money.server.temporal;
      const pageId = randomUUID() as PaymentPageId;
      const workflowId = paymentPageWorkflowId(pageId);
      // Nobody runs it: its history holds what it was told.
      await client.workflow.start(paymentPageWorkflow.type, { taskQueue: 'nobody', workflowId, args: [{}] });
      const isUnaddressed = 'isUnaddressed' in settled;
      if (isUnaddressed) world.customers.set(ANNA, { firstName: 'Anna', language: 'nob' });
      const order = await world.sold();
      await world.paidOn(order, pageId);
      if (!settled.delivered) await world.spoil(order);
      await world.start(order);
      await world.ended(order);
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      const signals = events?.flatMap(({ workflowExecutionSignaledEventAttributes: each }) => each ?? []);
      assert.equal(signals?.[0]?.signalName, 'deliverySettled');
      const [sealed] = signals?.[0]?.input?.payloads ?? [];
      const told = await openPayload(parsePayloadKeys(PAYLOAD_KEYS), sealed ?? {}, { namespace: 'default' });
      assert.deepEqual(JSON.parse(Buffer.from(told.data ?? []).toString()), settled);
      assert.equal(world.gate.mails.length, settled.delivered && !isUnaddressed ? 1 : 0);
      await client.workflow.getHandle(workflowId).terminate();
    });
  }
});
