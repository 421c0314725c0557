/** Lines that a refund holds, or that cannot be signed: mails and receipts of the others go out, and theirs follow. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { TicketAccessor } from '../../../activities/tickets/ticket-access.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { lockForRefund, refundLines } from '../../../workflows/orders/rules/refunding.ts';
import {
  beginGivingBack,
  endGivingBack,
  lockToPay,
  noteWithdrawn,
} from '../../../workflows/orders/rules/ticket-withdrawal.ts';
import type { OrderLineId } from '../../../workflows/shared/ids.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { BERIT, DeliveryWorld } from './delivery-world.ts';

const AGAIN_MS = 31_000;
const work = () => ({ workId: randomUUID(), correlationId: 'c' });
const placeOf = ({ id: orderId, version: orderVersion }: Order) => ({ organisationId: OURS, orderId, orderVersion });
const locked = { code: 'ORDER_LOCKED', headers: { 'Retry-After': '30' } };

describe('a delivery beside lines that are held', () => {
  let world: DeliveryWorld;
  before(async () => {
    world = await DeliveryWorld.open('held-lines');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const ownerOf = ({ id }: Order) => `refund/${id}/1`;
  const refunding = (order: Order, parts = 1) => {
    const [{ id: orderLineId, price } = assert.fail()] = order.orderLines;
    const amountMinor = price.amountMinor / parts;
    const part = { orderLineId, shareMinor: amountMinor, refundMinor: amountMinor, feeId: 'fee' };
    // With parts of itself that are given back, the line goes on.
    return { orderVersion: order.version, lines: [{ ...part, ...(parts > 1 && { travellerIds: [] }) }] };
  };
  /** Its money is back, and its next version is confirmed. */
  const pay = async (order: Order, parts = 1) => {
    const { fixture } = world.money;
    const of = refunding(order, parts);
    const creditedMinor = of.lines[0]?.refundMinor ?? assert.fail();
    await fixture.change(order.id, (before) => ({
      order: { ...before, money: { ...before.money, creditedMinor } },
      events: [],
    }));
    const refunded = await fixture.change(order.id, (before, now) =>
      refundLines(before, { ...of, lockOwner: ownerOf(order) }, now),
    );
    return refunded.order;
  };
  /** Of the first line. */
  const lock = async (order: Order) => {
    await world.money.fixture.change(order.id, (before, now) =>
      lockForRefund(before, { ...refunding(order), owner: ownerOf(order) }, now),
    );
  };
  const released = async (order: Order) => {
    const { tickets, mailings } = world.parts;
    const orderLineIds = refunding(order).lines.map((line) => line.orderLineId);
    await new TicketAccessor(tickets, mailings).release({ organisationId: OURS, orderId: order.id, orderLineIds });
    await world.sweep().startPending();
  };
  const fail = async (order: Order) => {
    await world.money.fixture.change(order.id, (before, now) => unlockOrder(before, { owner: ownerOf(order) }, now));
    await released(order);
  };
  /** Its draft of version 2 cancels the first line, and pays the money back: its ticket is withdrawn before. */
  const withdraw = async (order: Order) => {
    const { fixture } = world.money;
    const [{ id } = assert.fail()] = order.orderLines;
    const owner = `order-confirmation/${order.id}/v2`;
    await fixture.change(order.id, (before, now) => cancelLines(before, { orderLineIds: [id] }, now));
    await fixture.change(order.id, (before, now) => lockToPay(before, { owner }, now));
    await fixture.change(order.id, (before, now) => noteWithdrawn(before, before.lock ?? assert.fail(), now));
    return owner;
  };
  const giveBack = async ({ id }: Order, owner: string) => {
    const { fixture } = world.money;
    await fixture.change(id, (before, now) => beginGivingBack(before, { owner }, now));
    await fixture.change(id, (before, now) =>
      endGivingBack(before, { ...(before.lock ?? assert.fail()), keptIds: [] }, now),
    );
  };
  /** The sweep, once the pause of held lines is over. Nobody releases them. */
  const later = async () => {
    world.money.fixture.now = new Date(world.money.fixture.now.getTime() + AGAIN_MS);
    await world.sweep().startPending();
  };
  const ofLines = async (order: Order): Promise<ReadonlyMap<OrderLineId, string | undefined>> => {
    const stored = await world.parts.tickets.listOfOrder(OURS, order.id);
    return new Map(stored.map(({ group }) => [group.orderLineId, group.ticketDistributions[0]?.status]));
  };
  /** What an operator hears of. */
  const unplanned = async () => {
    const soon = new Date(world.money.fixture.now.getTime() + 1_000);
    return (await world.parts.mailings.listUnplanned(soon, 9)).map(({ id }) => id);
  };
  const mailingsOf = async ({ id }: Order) => await world.parts.mailings.listOfOrder(OURS, id);

  it('sends the others, refuses calls for the held one, and sends it once its refund has failed', async () => {
    const order = await world.sold([undefined, undefined]);
    const [held, free] = order.orderLines.map(({ id }) => id) as [OrderLineId, OrderLineId];
    await lock(order);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'WAITING' });
    assert.deepEqual([...(await ofLines(order))], [[free, 'DISTRIBUTED']]);
    const { calls } = world;
    await assert.rejects(calls.generate(placeOf(order), { orderLineIds: [held] }, work()), locked);
    await calls.generate(placeOf(order), { orderLineIds: [free] }, work());
    await calls.generate(placeOf(order), {}, work());
    for (let times = 0; times < 3; times += 1) {
      await assert.rejects(calls.distribute(placeOf(order), { resend: false }, work()), locked);
    }
    assert.equal((await mailingsOf(order)).length, 1);
    assert.equal(world.gate.mails.length, 1);
    await fail(order);
    await until(async () => world.gate.mails.length === 2, { what: 'the mail with the ticket that was held' });
    await until(async () => (await ofLines(order)).get(held) === 'DISTRIBUTED', { what: 'its outcome' });
    await until(async () => (await mailingsOf(order))[0]?.state === 'DONE', { what: 'the mailing' });
    assert.equal(world.gate.mails.length, 2);
  });

  it('sends nothing more once the refund has been paid', async () => {
    const order = await world.sold([undefined, undefined]);
    const [, free] = order.orderLines.map(({ id }) => id);
    await lock(order);
    await world.start(order);
    await world.ended(order);
    await pay(order);
    await released(order);
    await until(async () => (await mailingsOf(order))[0]?.state === 'DONE', { what: 'the mailing' });
    assert.deepEqual([...(await ofLines(order)).keys()], [free]);
    assert.equal(world.gate.mails.length, 1);
  });

  it('leaves a line that has been paid back in part to the mailing of the next version', async () => {
    const order = await world.sold([undefined, undefined]);
    const [held] = order.orderLines.map(({ id }) => id) as [OrderLineId];
    await lock(order);
    await world.start(order);
    await world.ended(order);
    const next = await pay(order, 2);
    await released(order);
    await until(async () => (await mailingsOf(order))[0]?.state === 'DONE', { what: 'the first mailing' });
    assert.equal(world.gate.mails.length, 1);
    await world.start(next);
    await world.ended(next);
    assert.equal((await ofLines(order)).get(held), 'DISTRIBUTED');
    assert.deepEqual(
      (await mailingsOf(order)).map(({ mails }) => mails.length),
      [1, 1],
    );
  });

  for (const unmailed of ['has no payment page', 'is of a channel that sends nothing by itself']) {
    it(`sends a line itself where the next version ${unmailed}`, async () => {
      const hasPage = unmailed.includes('page');
      world.autoDistribute = !hasPage;
      const order = await world.sold([undefined, undefined]);
      const [held] = order.orderLines.map(({ id }) => id) as [OrderLineId];
      if (hasPage) await world.paidOn(order, randomUUID());
      await lock(order);
      await world.start(order);
      await world.ended(order);
      const next = await pay(order, 2);
      if (hasPage) await world.paidOn(order);
      world.autoDistribute = false;
      await released(order);
      await until(async () => (await mailingsOf(order))[0]?.state === 'DONE', { what: 'the first mailing' });
      await world.start(next);
      await world.ended(next);
      assert.equal((await ofLines(order)).get(held), 'DISTRIBUTED');
      assert.deepEqual(
        (await mailingsOf(order)).map(({ mails }) => mails.length),
        [2, 0],
      );
      assert.equal(world.gate.mails.length, 2);
    });
  }

  it('sends what a withdrawal has held once its tickets are given back, though nobody releases it', async () => {
    const order = await world.sold([undefined, undefined]);
    const [held, free] = order.orderLines.map(({ id }) => id) as [OrderLineId, OrderLineId];
    const owner = await withdraw(order);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'WAITING' });
    assert.deepEqual([...(await ofLines(order))], [[free, 'DISTRIBUTED']]);
    await giveBack(order, owner);
    await later();
    await until(async () => (await ofLines(order)).get(held) === 'DISTRIBUTED', { what: 'the ticket that was held' });
    await until(async () => (await mailingsOf(order))[0]?.state === 'DONE', { what: 'the mailing' });
    assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
    assert.equal(world.gate.mails.length, 2);
  });

  it('tells a page that has ended that all was sent once the held line is, too', async () => {
    const order = await world.sold([undefined, undefined]);
    const pageId = randomUUID();
    await world.paidOn(order, pageId);
    world.lacking.add(pageId);
    await lock(order);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'WAITING' });
    assert.deepEqual([await world.statuses(order), world.told], [['DISTRIBUTED'], []]);
    await fail(order);
    await until(async () => world.told.length > 0, { what: 'what the page is told' });
    assert.deepEqual([await world.statuses(order), world.told], [['DISTRIBUTED', 'DISTRIBUTED'], [pageId]]);
  });

  it('ends where the confirmation of the withdrawal has paid the held line back, and tells the page', async () => {
    const order = await world.sold([undefined, undefined]);
    const { client } = world.money.server.temporal;
    const pageId = randomUUID();
    await world.paidOn(order, pageId);
    const [, free] = order.orderLines.map(({ id }) => id);
    const owner = await withdraw(order);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'WAITING' });
    const { fixture } = world.money;
    await fixture.change(order.id, (before) => {
      const creditedMinor = order.orderLines[0]?.price.amountMinor ?? assert.fail();
      return { order: { ...before, money: { ...before.money, creditedMinor } }, events: [] };
    });
    await fixture.change(order.id, (before, now) => confirmOrder(before, { orderVersion: 2, lockOwner: owner }, now));
    // Of a later draft.
    await world.paidOn(order, randomUUID());
    await later();
    await until(async () => (await mailingsOf(order))[0]?.state === 'DONE', { what: 'the mailing' });
    assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
    const { events } = await client.workflow.getHandle(`deliver/${order.id}/v1`).fetchHistory();
    const told = events?.flatMap(
      ({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) =>
        signal?.workflowExecution?.workflowId ?? [],
    );
    assert.deepEqual(told, [`payment-page/${pageId}`]);
    assert.deepEqual([...(await ofLines(order)).keys()], [free]);
    assert.equal(world.gate.mails.length, 1);
  });

  it('sends what a refund has held though the process died before it released that', async () => {
    const order = await world.sold();
    await lock(order);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'WAITING' });
    // It still runs: the line stays held, and is not late.
    await later();
    await until(async () => ((await mailingsOf(order))[0]?.planAgainAt ?? 0) > world.money.fixture.now, {
      what: 'the next plan',
    });
    assert.deepEqual(await unplanned(), []);
    await world.money.fixture.change(order.id, (before, now) => unlockOrder(before, { owner: ownerOf(order) }, now));
    await later();
    await world.untilStatus(order, 'DISTRIBUTED');
    await until(async () => (await mailingsOf(order))[0]?.state === 'DONE', { what: 'the mailing' });
    assert.equal(world.gate.mails.length, 1);
  });

  it('refuses every call where all lines are held, and writes nothing down', async () => {
    const order = await world.sold();
    await lock(order);
    await assert.rejects(world.calls.generate(placeOf(order), {}, work()), locked);
    await assert.rejects(world.calls.distribute(placeOf(order), { resend: true }, work()), locked);
    assert.deepEqual(await mailingsOf(order), []);
  });

  it('sends what is held to the address that the call has named', async () => {
    world.autoDistribute = false;
    world.customers.set(BERIT, { email: 'berit@example.org', language: 'eng' });
    const order = await world.sold([undefined, undefined]);
    await lock(order);
    const given = { resend: false, email: 'desk@example.org' };
    await world.calls.distribute(placeOf(order), given, work());
    await until(async () => world.gate.inbox('desk@example.org').length === 1, { what: 'the mail with the others' });
    await fail(order);
    await until(async () => world.gate.inbox('desk@example.org').length === 2, { what: 'the mail with the held one' });
    assert.equal(world.gate.mails.length, 2);
  });

  it('sends on request what cannot be signed yet, where the confirmation sends nothing by itself', async () => {
    world.autoDistribute = false;
    world.canSign = false;
    const order = await world.sold();
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'WAITING' });
    await world.calls.distribute(placeOf(order), { resend: false }, work());
    assert.equal((await mailingsOf(order)).length, 2);
    world.canSign = true;
    await later();
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.equal(world.gate.mails.length, 1);
  });

  it('sends the receipt of tickets that cannot be signed, and the tickets once they can', async () => {
    const { money } = world;
    const place = await money.authorised(undefined, { order: await world.draft() });
    await money.callback(place);
    await until(async () => (await money.transaction(place)).authorisationId !== undefined, { what: 'it' });
    assert.equal(await money.capture(place), 'CAPTURED');
    await money.ended(place);
    const order = await money.order(place);
    world.canSign = false;
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'WAITING' });
    assert.deepEqual(await unplanned(), [`deliver/${order.id}/v1`]);
    const subjects = () => world.gate.mails.map(({ mail }) => mail.subject ?? '');
    assert.equal(subjects().length, 1);
    assert.match(subjects()[0] ?? '', /Kvittering/);
    await assert.rejects(world.calls.generate(placeOf(order), {}, work()), { code: 'UNAVAILABLE' });
    const calls = (await mailingsOf(order)).length;
    await world.calls.distribute(placeOf(order), { resend: false }, work());
    await world.calls.distribute(placeOf(order), { resend: false }, work());
    assert.equal((await mailingsOf(order)).length, calls);
    world.canSign = true;
    money.fixture.now = new Date(money.fixture.now.getTime() + AGAIN_MS);
    await world.sweep().startPending();
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.equal(subjects().length, 2);
  });
});
