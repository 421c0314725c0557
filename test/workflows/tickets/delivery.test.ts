/** Deliveries from a confirmation to the mails, and by calls; steps that die in between. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { ANNA, BERIT, DeliveryWorld } from './delivery-world.ts';

const BERITS = { firstName: 'Berit', surname: 'Å', email: 'berit@example.org', language: 'eng' } as const;
const work = () => ({ workId: randomUUID(), correlationId: 'c' });
const placeOf = ({ id: orderId, version: orderVersion }: Order) => ({ organisationId: OURS, orderId, orderVersion });

describe('a delivery', () => {
  let world: DeliveryWorld;
  before(async () => {
    world = await DeliveryWorld.open('delivery');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  async function delivered(...wish: Parameters<DeliveryWorld['sold']>): Promise<Order> {
    const order = await world.sold(...wish);
    await world.start(order);
    await world.ended(order);
    return order;
  }

  it('sends the tickets of a confirmation once, however often it is told', async () => {
    const order = await world.sold();
    await world.start(order);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
    await world.start(order);
    const [mail, ...more] = world.gate.mails;
    assert.equal(more.length, 0);
    assert.deepEqual(mail?.to, ['anna@example.org']);
    assert.match(mail?.mail.subject ?? '', /Billett/);
    assert.equal(mail?.mail.attachments.length, 1);
    const [ticket] = await world.tickets(order);
    assert.equal(ticket?.status, 'DISTRIBUTED');
    assert.equal(ticket?.distributionDetails.attempts, 1);
    assert.equal(mail?.mail.messageId, `<${ticket?.id}.${ANNA}.1@example.org>`);
  });

  it('sends travellers with an address their own tickets, and the contact all others', async () => {
    world.customers.set(BERIT, BERITS);
    const order = await delivered([BERIT, undefined]);
    const [hers] = world.gate.inbox('berit@example.org');
    const [others] = world.gate.inbox('anna@example.org');
    assert.equal(world.gate.mails.length, 2);
    assert.match(hers?.mail.subject ?? '', /Ticket/);
    assert.equal(hers?.mail.attachments.length, 1);
    assert.equal(others?.mail.attachments.length, 1);
    assert.notEqual(hers?.mail.attachments[0]?.filename, others?.mail.attachments[0]?.filename);
    assert.deepEqual(await world.statuses(order), ['DISTRIBUTED', 'DISTRIBUTED']);
  });

  it('makes tickets and sends nothing where the channel does not distribute by itself', async () => {
    world.autoDistribute = false;
    const order = await delivered();
    assert.deepEqual(await world.ended(order), { outcome: 'NOTHING' });
    assert.deepEqual([world.gate.mails.length, await world.statuses(order)], [0, ['GENERATED']]);
    await world.calls.distribute(placeOf(order), { resend: false }, work());
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.equal(world.gate.mails.length, 1);
  });

  describe('whose payment page has ended without its tickets', () => {
    const UNKNOWN = { firstName: 'Anna', email: 'unknown@example.org', language: 'nob' } as const;
    const KNOWN = { ...UNKNOWN, email: 'anna@example.org' };

    /** The mail server refuses the address of the contact. */
    async function undelivered(...wish: Parameters<DeliveryWorld['sold']>) {
      const pageId = randomUUID();
      world.customers.set(ANNA, UNKNOWN);
      const order = await world.sold(...wish);
      await world.paidOn(order, pageId);
      world.lacking.add(pageId);
      await world.start(order);
      assert.deepEqual([await world.ended(order), world.told], [{ outcome: 'FAILED' }, []]);
      return { order, pageId };
    }

    it('tells the page once a call has sent all of them', async () => {
      const { order, pageId } = await undelivered();
      await world.calls.distribute(placeOf(order), { resend: false }, work());
      await world.ended(order);
      assert.deepEqual(world.told, [], 'the address is refused still');
      world.customers.set(ANNA, KNOWN);
      world.breakOn('sendDue', 'after');
      await world.calls.distribute(placeOf(order), { resend: false }, work());
      await world.untilStatus(order, 'DISTRIBUTED');
      await world.ended(order);
      assert.deepEqual([...new Set(world.told)], [pageId]);
    });

    it('tells it nothing while a ticket of somebody else has not arrived', async () => {
      world.customers.set(BERIT, { ...BERITS, email: 'unknown2@example.org' });
      const { order, pageId } = await undelivered([BERIT, undefined]);
      world.customers.set(ANNA, KNOWN);
      await world.calls.distribute(placeOf(order), { resend: false }, work());
      await world.ended(order);
      assert.deepEqual((await world.statuses(order)).toSorted(), ['DISTRIBUTED', 'FAILED']);
      assert.deepEqual(world.told, []);
      world.customers.set(BERIT, BERITS);
      await world.calls.distribute(placeOf(order), { resend: false }, work());
      await world.ended(order);
      assert.deepEqual(world.told, [pageId]);
    });

    it('tells it once the successors of its tickets have arrived', async () => {
      const { order, pageId } = await undelivered();
      world.customers.set(BERIT, BERITS);
      const { start, handle } = await world.transferred(order, BERIT);
      await start();
      assert.deepEqual([await handle.result(), world.told], [{ outcome: 'DELIVERED' }, [pageId]]);
    });

    it('asks for nothing where the page has all', async () => {
      const { order } = await undelivered();
      world.lacking.clear();
      world.customers.set(ANNA, KNOWN);
      await world.calls.distribute(placeOf(order), { resend: false }, work());
      await world.ended(order);
      assert.deepEqual(world.told, []);
    });
  });

  it('has nothing to send where nobody has an address, and says so', async () => {
    world.customers.set(ANNA, { firstName: 'Anna', language: 'nob' });
    const order = await delivered();
    assert.deepEqual(await world.ended(order), { outcome: 'UNADDRESSED' });
    assert.deepEqual(await world.statuses(order), ['GENERATED']);
    await assert.rejects(world.calls.distribute(placeOf(order), { resend: false }, work()), {
      code: 'NO_DELIVERY_ADDRESS',
    });
    await world.calls.distribute(placeOf(order), { resend: false, email: 'desk@example.org' }, work());
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.equal(world.gate.inbox('desk@example.org').length, 1);
  });

  it('sends again only on request, under another Message-ID', async () => {
    const order = await delivered();
    await world.calls.distribute(placeOf(order), { resend: false }, work());
    const again = work();
    await world.calls.distribute(placeOf(order), { resend: true }, again);
    await until(async () => world.gate.mails.length === 2, { what: 'the second mail' });
    await world.calls.distribute(placeOf(order), { resend: true }, again);
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.deepEqual(
      world.gate.inbox().map(({ mail }) => mail.messageId?.split('.').at(2)?.at(0)),
      ['1', '2'],
    );
    const [ticket] = await world.tickets(order);
    assert.equal(ticket?.distributionDetails.attempts, 2);
  });

  it('writes nothing down for calls that have nothing to send, also where nobody has an address any more', async () => {
    const order = await delivered();
    world.customers.clear();
    await world.calls.distribute(placeOf(order), { resend: false }, work());
    assert.equal((await world.parts.mailings.listOfOrder(OURS, order.id)).length, 1);
    await assert.rejects(world.calls.distribute(placeOf(order), { resend: true }, work()), {
      code: 'NO_DELIVERY_ADDRESS',
    });
    assert.equal(world.gate.mails.length, 1);
  });

  it('sends what others have had to an address that is new, once', async () => {
    const order = await delivered();
    const distribute = async (email: string) =>
      await world.calls.distribute(placeOf(order), { resend: false, email }, work());
    await distribute('desk@example.org');
    await until(async () => world.gate.inbox('desk@example.org').length === 1, { what: 'the mail to the desk' });
    await world.untilStatus(order, 'DISTRIBUTED');
    await distribute('Desk@Example.org');
    // The contact has had it.
    await distribute('ANNA@example.org');
    assert.equal((await world.parts.mailings.listOfOrder(OURS, order.id)).length, 2);
    await distribute('bus@example.org');
    await until(async () => world.gate.inbox('bus@example.org').length === 1, { what: 'the mail to the bus' });
    assert.equal(world.gate.mails.length, 3);
  });

  it('makes tickets on request, before anybody has asked to send them', async () => {
    const order = await world.sold();
    await world.calls.generate(placeOf(order), { orderLineIds: order.orderLines.map(({ id }) => id) }, work());
    const [ticket] = await world.tickets(order);
    assert.equal(ticket?.status, 'GENERATED');
    const [stored] = await world.parts.tickets.listOfOrder(OURS, order.id);
    const pdf = stored && ticket && (await world.parts.pdfs.read({ group: stored.group, ticket }));
    assert.equal(Buffer.from(pdf?.subarray(0, 5) ?? []).toString(), '%PDF-');
    // The confirmation is followed later, and finds the tickets.
    await world.start(order);
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.equal(world.gate.mails.length, 1);
  });

  it('refuses lines that the order does not have', async () => {
    const order = await world.sold();
    const request = { orderLineIds: [randomUUID() as never] };
    await assert.rejects(world.calls.generate(placeOf(order), request, work()), { code: 'UNKNOWN_ORDER_LINE' });
  });

  it('disables the tickets of lines that a later version cancels, and sends those of no other again', async () => {
    const order = await delivered([undefined, undefined]);
    const [line] = order.orderLines;
    const { fixture } = world.money;
    await fixture.change(order.id, (before, now) => cancelLines(before, { orderLineIds: [line?.id as never] }, now));
    await fixture.pay(order.id);
    const { order: next } = await fixture.confirm(order.id);
    await world.start(next);
    await world.ended(next);
    assert.deepEqual((await world.statuses(order)).toSorted(), ['DISABLED', 'DISTRIBUTED']);
    assert.equal(world.gate.mails.length, 1);
  });

  for (const name of ['issueDocuments', 'sendDue'] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`sends one mail when ${name} dies ${when} its effect`, async () => {
        world.breakOn(name, when, 2);
        const order = await delivered();
        assert.ok(world.ran.filter((ran) => ran === name).length >= 3);
        assert.equal(world.gate.mails.length, 1);
        assert.deepEqual(await world.statuses(order), ['DISTRIBUTED']);
      });
    }
  }

  it('writes a mail that a call has named down, and the sweep sends it where the call died', async () => {
    world.autoDistribute = false;
    const order = await delivered();
    const { mailings } = world.parts;
    const mailing = {
      id: `asked/${randomUUID()}`,
      ...placeOf(order),
      workflow: `deliver/${order.id}/v${order.version}`,
    };
    const wish = { kind: 'ASKED', resend: false, isGiven: false } as const;
    await mailings.create({ ...mailing, wish, correlationId: 'c' });
    await world.sweep().startPending();
    assert.equal(world.gate.mails.length, 0);
    world.money.fixture.now = new Date(world.money.fixture.now.getTime() + 31_000);
    await world.sweep().startPending();
    await world.untilStatus(order, 'DISTRIBUTED');
    assert.equal(world.gate.mails.length, 1);
  });
});
