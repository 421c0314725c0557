/** What the erasure of a customer leaves of tickets: numbers, times and states, and no name. */
import assert from 'node:assert/strict';
import { StoredSoldOrders } from '../../../activities/orders/sold-orders.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import { ORDER } from '../../../activities/shared/order-kind.ts';
import { TICKET_MAILS } from '../../../activities/tickets/mail-document.ts';
import { ticketErasureStep } from '../../../activities/tickets/ticket-erasure.ts';
import { readBarcode } from '../../../barcode/signed-barcode.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { OURS, sampleTraveller, THEIRS } from '../../support/sample-orders.ts';
import { theTicket } from '../../support/sample-tickets.ts';
import { useObjectStore } from '../../support/stack.ts';
import { ANNA, BERIT, TicketFixture, work } from './ticket-fixture.ts';

describe('the erasure of a customer with tickets', () => {
  const fixture = new TicketFixture('ticket-erasure');
  let objects: ObjectStore;
  before(async () => {
    await fixture.open();
    await TICKET_MAILS.ensureIndexes(fixture.orders.here.connection);
    objects = await ObjectStore.open(await useObjectStore());
  });
  beforeEach(async () => {
    await fixture.clear();
    fixture.customers.set(BERIT, { firstName: 'Berit', surname: 'Ås', language: 'nob' });
    await objects.deletePrefix('tickets/');
    await TICKET_MAILS.open(fixture.orders.here.connection).deleteMany({});
  });
  after(async () => {
    objects?.close();
    await fixture.close();
  });

  const step = () => {
    const { connection, keys } = fixture.orders.here;
    return ticketErasureStep({ connection, keys, objects, sold: () => new StoredSoldOrders(connection) });
  };
  /** With its PDF, which the key of the order seals. */
  async function issued(travellers: readonly CustomerNumber[], contact: CustomerNumber): Promise<Order> {
    const wish = travellers.map((customerNumber) => sampleTraveller({ customerNumber }));
    const order = await fixture.sell({ travellers: wish, contact });
    for (const { group } of await fixture.issue(order)) {
      const { signed } = theTicket(group);
      assert.ok(signed);
      await objects.put(signed.pdfKey, Buffer.from('%PDF'), 'application/pdf');
    }
    return order;
  }
  async function left(order: Order) {
    const groups = await fixture.here.store.listOfOrder(OURS, order.id);
    const pdfs = await Array.fromAsync(objects.list(`tickets/${order.id}/`));
    const keys = await fixture.orders.here.keys.listExisting([ORDER.subjectOf(order.id)]);
    const tickets = groups.flatMap(({ group }) => group.ticketDistributions);
    return {
      tickets: tickets.length,
      barcodes: tickets.filter(({ signed }) => signed).length,
      pdfs: pdfs.length,
      keys: keys.size,
    };
  }

  for (const [role, travellers, contact] of [
    ['the contact', [BERIT], ANNA],
    ['one of the travellers', [BERIT, ANNA], BERIT],
  ] as const) {
    it(`destroys the barcodes and PDFs of orders that name her as ${role}`, async () => {
      const order = await issued(travellers, contact);
      const other = await issued([BERIT], BERIT);
      assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), false);
      await Promise.all([step().erase(OURS, CUSTOMER.subjectOf(ANNA)), step().erase(OURS, CUSTOMER.subjectOf(ANNA))]);
      assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), true);
      assert.deepEqual(await left(order), { tickets: travellers.length, barcodes: 0, pdfs: 0, keys: 0 });
      assert.deepEqual(await left(other), { tickets: 1, barcodes: 1, pdfs: 1, keys: 1 });
    });
  }

  it('destroys those of tickets that were passed on to her, and those that she has passed on', async () => {
    const [received, given] = [await issued([BERIT], BERIT), await issued([ANNA], BERIT)];
    for (const [order, toCustomerNumber] of [
      [received, ANNA],
      [given, BERIT],
    ] as const) {
      const groupIds = (await fixture.here.store.listOfOrder(OURS, order.id)).map(({ group }) => group.id);
      await fixture.here.updates.transferHolder(OURS, { groupIds, toCustomerNumber }, work());
      for (const id of groupIds) await fixture.here.issuer.sign(OURS, id, work());
    }
    await step().erase(OURS, CUSTOMER.subjectOf(ANNA));
    for (const order of [received, given]) {
      assert.deepEqual(await left(order), { tickets: 2, barcodes: 0, pdfs: 0, keys: 0 });
    }
  });

  it('removes the addresses that calls have named for her orders, also where no ticket was issued', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller()], contact: ANNA });
    const mailings = TICKET_MAILS.open(fixture.orders.here.connection);
    const addressed = { orderId: order.id, sealedAddress: Buffer.from('sealed'), keyId: 'key', revision: 1 };
    await mailings.insertMany([
      { ...addressed, _id: 'hers' },
      { orderId: order.id, addressFingerprint: 'of an address that is needed no more', revision: 1, _id: 'sent' },
      { ...addressed, _id: 'other', orderId: 'OTHER222' },
    ] as never);
    assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), false);
    await Promise.all([step().erase(OURS, CUSTOMER.subjectOf(ANNA)), step().erase(OURS, CUSTOMER.subjectOf(ANNA))]);
    assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), true);
    const kept = { $or: [{ sealedAddress: { $exists: true } }, { addressFingerprint: { $exists: true } }] };
    const addresses = await mailings.find(kept).toArray();
    assert.deepEqual(
      addresses.map(({ _id }) => _id),
      ['other'],
    );
  });

  it('leaves the tickets of another organisation, and those of other subjects', async () => {
    const order = await issued([ANNA], ANNA);
    await step().erase(THEIRS, CUSTOMER.subjectOf(ANNA));
    await step().erase(OURS, ORDER.subjectOf(order.id));
    assert.deepEqual(await left(order), { tickets: 1, barcodes: 1, pdfs: 1, keys: 1 });
    assert.equal(await step().isErased(OURS, ORDER.subjectOf(order.id)), true);
  });

  it('goes on where it was interrupted', async () => {
    const order = await issued([ANNA], ANNA);
    await fixture.orders.here.keys.destroyOf(ORDER.subjectOf(order.id));
    assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), false);
    await fixture.here.collection.updateMany({}, { $unset: { 'ticketDistributions.$[].signed': '' } as never });
    assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), false);
    await step().erase(OURS, CUSTOMER.subjectOf(ANNA));
    assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), true);
    assert.deepEqual(await left(order), { tickets: 1, barcodes: 0, pdfs: 0, keys: 0 });
  });

  it('is not undone by tickets that are signed at the same time', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller({ customerNumber: ANNA })], contact: ANNA });
    // Names were read before, the key that seals them is destroyed before the write: it is not written, and signed anew.
    let signatures = 0;
    fixture.beforeSigning = async () => {
      signatures += 1;
      if (signatures > 1) return;
      await step().erase(OURS, CUSTOMER.subjectOf(ANNA));
      fixture.customers.clear();
    };
    const [stored] = await fixture.issue(order);
    assert.ok(stored);
    const place = { organisationId: OURS, orderId: order.id };
    const barcode = await fixture.here.barcodes.open(place, theTicket(stored.group));
    assert.equal(signatures, 2);
    assert.doesNotMatch(JSON.stringify(barcode && readBarcode(barcode).ticket.travelerDetail), /Anna/);
    assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), false);
  });
});
