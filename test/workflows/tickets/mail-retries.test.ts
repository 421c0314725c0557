/** Mail servers that fail, over the 24 hours in which mails are tried. Time is skipped. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { StoredSoldOrders } from '../../../activities/orders/sold-orders.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import { TicketAccessor } from '../../../activities/tickets/ticket-access.ts';
import { ticketErasureStep } from '../../../activities/tickets/ticket-erasure.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { GateMode } from '../../support/mail-gate.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { BERIT, DeliveryWorld } from './delivery-world.ts';

const HOUR_MS = 3_600_000;

describe('a mail that does not arrive', () => {
  let world: DeliveryWorld;
  before(async () => {
    world = await DeliveryWorld.open('mail-retries', { skipping: true });
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  async function tried(mode: GateMode): Promise<Order> {
    const order = await world.sold();
    world.gate.mode = mode;
    await world.start(order);
    await world.untilTried(order, 1);
    return order;
  }

  for (const mode of ['SHUT', 'SILENT', 'CUT'] as const) {
    it(`is sent again under the same Message-ID when the server is ${mode}`, async () => {
      const order = await tried(mode);
      const [failed] = await world.tickets(order);
      assert.equal(failed?.status, 'DISTRIBUTING');
      assert.match(failed?.distributionDetails.lastFailure ?? '', /^[A-Z0-9_ .]+$/);
      world.gate.mode = 'OPEN';
      assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
      const [ticket] = await world.tickets(order);
      assert.equal(ticket?.status, 'DISTRIBUTED');
      assert.deepEqual([ticket?.distributionDetails.attempts, ticket?.distributionDetails.lastFailure], [2, undefined]);
      assert.equal(world.gate.mails.length, mode === 'CUT' ? 2 : 1);
      assert.equal(world.gate.inbox().length, 1);
    });
  }

  it('is given up after 24 hours, and goes out when it is sent again', async () => {
    const order = await tried('SHUT');
    const begun = world.money.fixture.now.getTime();
    assert.deepEqual(await world.ended(order), { outcome: 'FAILED' });
    const [stored] = await world.parts.tickets.listOfOrder(OURS, order.id);
    const hours = ((stored?.group.updatedAt.getTime() ?? 0) - begun) / HOUR_MS;
    assert.ok(hours >= 24 && hours < 24.1, `${hours} h`);
    const [ticket] = await world.tickets(order);
    assert.equal(ticket?.status, 'FAILED');
    // Six times within the first hour, each hour from then on, and at the end.
    assert.equal(ticket?.distributionDetails.attempts, 30);
    world.gate.mode = 'OPEN';
    const place = { organisationId: OURS, orderId: order.id, orderVersion: order.version };
    await world.calls.distribute(place, { resend: false }, { workId: randomUUID(), correlationId: 'c' });
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.equal(world.gate.inbox().length, 1);
  });

  it('brings the tickets of the others, signed anew, where a traveller was erased meanwhile', async () => {
    world.customers.set(BERIT, { firstName: 'Berit', language: 'nob' });
    const order = await world.sold([BERIT]);
    world.gate.mode = 'SHUT';
    await world.start(order);
    await world.untilTried(order, 1);
    const { connection, keys } = world.money.fixture.here;
    const sold = () => new StoredSoldOrders(connection);
    const step = ticketErasureStep({ connection, keys, objects: world.objects, sold });
    await step.erase(OURS, CUSTOMER.subjectOf(BERIT));
    world.customers.delete(BERIT);
    world.gate.mode = 'OPEN';
    assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
    const [mail] = world.gate.inbox('anna@example.org');
    assert.equal(mail?.mail.attachments.length, 1);
    assert.ok((await world.tickets(order))[0]?.signed);
  });

  it('fails at once for an address that the server refuses, and the other goes out', async () => {
    world.customers.set(BERIT, { firstName: 'Berit', email: 'unknown@example.org', language: 'nob' });
    const order = await world.sold([BERIT, undefined]);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'FAILED' });
    const found = await world.tickets(order);
    const hers = found.find(({ travellers }) => travellers.some(({ customerNumber }) => customerNumber === BERIT));
    assert.equal(hers?.status, 'FAILED');
    assert.match(hers?.distributionDetails.lastFailure ?? '', /^550/);
    assert.deepEqual(found.map(({ status }) => status).toSorted(), ['DISTRIBUTED', 'FAILED']);
    assert.equal(world.gate.inbox('anna@example.org').length, 1);
  });

  it('is not sent once its tickets were replaced or disabled', async () => {
    const order = await tried('SHUT');
    const [stored] = await world.parts.tickets.listOfOrder(OURS, order.id);
    const lines = { organisationId: OURS, orderId: order.id, orderLineIds: [stored?.group.orderLineId as never] };
    const disabled = { reason: 'REFUNDED', disabledBy: 'refund/1' } as const;
    await new TicketAccessor(world.parts.tickets, world.parts.mailings).disable(lines, disabled, {
      correlationId: 'c',
      clientId: 'c',
    });
    world.gate.mode = 'OPEN';
    await world.ended(order);
    assert.equal(world.gate.mails.length, 0);
    assert.deepEqual(await world.statuses(order), ['DISABLED']);
    await new TicketAccessor(world.parts.tickets, world.parts.mailings).restore(lines, 'refund/1', {
      correlationId: 'c',
      clientId: 'c',
    });
    assert.deepEqual(await world.statuses(order), ['GENERATED']);
  });

  it('goes out once the refund that has disabled its tickets has failed', async () => {
    const order = await tried('SHUT');
    const [stored] = await world.parts.tickets.listOfOrder(OURS, order.id);
    const lines = { organisationId: OURS, orderId: order.id, orderLineIds: [stored?.group.orderLineId as never] };
    const access = new TicketAccessor(world.parts.tickets, world.parts.mailings);
    await access.disable(lines, { reason: 'REFUNDED', disabledBy: 'refund/1' }, { correlationId: 'c', clientId: 'c' });
    world.gate.mode = 'OPEN';
    await world.ended(order);
    for (let time = 0; time < 2; time += 1)
      await access.restore(lines, 'refund/1', { correlationId: 'c', clientId: 'c' });
    const sweep = world.sweep();
    const isSent = async () => {
      await sweep.startPending();
      return (await world.statuses(order)).includes('DISTRIBUTED');
    };
    await until(isSent, { what: 'the mail with the ticket that is valid again' });
    assert.equal(world.gate.mails.length, 1);
    assert.equal((await world.parts.mailings.listOfOrder(OURS, order.id)).length, 2);
  });

  it('goes out where the same party has disabled and restored its tickets twice', async () => {
    const order = await tried('SHUT');
    const [stored] = await world.parts.tickets.listOfOrder(OURS, order.id);
    const lines = { organisationId: OURS, orderId: order.id, orderLineIds: [stored?.group.orderLineId as never] };
    const access = new TicketAccessor(world.parts.tickets, world.parts.mailings);
    const party = 'confirmation/2';
    const work = { correlationId: 'c', clientId: 'c' };
    const mailings = async () => (await world.parts.mailings.listOfOrder(OURS, order.id)).length;
    const sweep = world.sweep();
    const untilAttempts = async (attempts: number) =>
      await until(
        async () => {
          await sweep.startPending();
          return ((await world.tickets(order))[0]?.distributionDetails.attempts ?? 0) >= attempts;
        },
        { what: `${attempts} attempts` },
      );
    const disableBeforeItsMail = async () => {
      await access.disable(lines, { reason: 'REFUNDED', disabledBy: party }, work);
      world.gate.mode = 'OPEN';
      await world.ended(order);
    };
    await disableBeforeItsMail();
    await access.restore(lines, party, work);
    world.gate.mode = 'SHUT';
    await untilAttempts(2);
    await disableBeforeItsMail();
    assert.equal(world.gate.mails.length, 0);
    for (let time = 0; time < 2; time += 1) await access.restore(lines, party, work);
    assert.equal(await mailings(), 3);
    await untilAttempts(3);
    assert.equal(world.gate.mails.length, 1);
    assert.deepEqual(await world.statuses(order), ['DISTRIBUTED']);
  });

  it('notes nothing for a ticket that it does not show any more', async () => {
    const order = await world.sold([undefined, undefined]);
    world.gate.mode = 'SHUT';
    await world.start(order);
    await world.untilTried(order, 1);
    const [first] = await world.parts.tickets.listOfOrder(OURS, order.id);
    const lines = { organisationId: OURS, orderId: order.id, orderLineIds: [first?.group.orderLineId as never] };
    const access = new TicketAccessor(world.parts.tickets, world.parts.mailings);
    await access.disable(lines, { reason: 'REFUNDED', disabledBy: 'refund/1' }, { correlationId: 'c', clientId: 'c' });
    world.gate.mode = 'OPEN';
    assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
    assert.equal(world.gate.inbox()[0]?.mail.attachments.length, 1);
    await access.restore(lines, 'refund/1', { correlationId: 'c', clientId: 'c' });
    assert.deepEqual(await world.statuses(order), ['GENERATED', 'DISTRIBUTED']);
    const [restored] = await world.tickets(order);
    assert.equal(restored?.distributionDetails.distributedAt, undefined);
    const place = { organisationId: OURS, orderId: order.id, orderVersion: order.version };
    await world.calls.distribute(place, { resend: false }, { workId: randomUUID(), correlationId: 'c' });
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.equal(world.gate.inbox().length, 2);
  });

  it('goes on by the sweep when its workflow is lost', async () => {
    const order = await tried('SHUT');
    await world.untilResting(order);
    // A workflow that is terminated would end the skipping of time.
    await world.handle(order).cancel();
    await world.untilCancelled(order);
    world.gate.mode = 'OPEN';
    world.money.fixture.now = new Date(world.money.fixture.now.getTime() + 3 * 60_000);
    await world.sweep().startLate();
    assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
    assert.equal(world.gate.inbox('anna@example.org').length, 1);
  });
});
