/** Receipts of real orders: what they say, version after version, and that each version has one. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ensureImportedPayment } from '../../../activities/payments/imported-payment.ts';
import { endCompensated } from '../../../workflows/orders/rules/compensation.ts';
import { importOrder } from '../../../workflows/orders/rules/creation.ts';
import { resetOrder } from '../../../workflows/orders/rules/endings.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { compensationOwner } from '../../../workflows/orders/rules/refund-locks.ts';
import type { CustomerNumber, OrderId, RefundId } from '../../../workflows/shared/ids.ts';
import { priceWithTax } from '../../../workflows/shared/price.ts';
import { NOW, OURS, sampleFee, sampleLine, sampleOrder, THEIRS, VAT } from '../../support/sample-orders.ts';
import { anna, request as write } from '../customers/customer-fixture.ts';
import { request } from '../orders/order-fixture.ts';
import { ReceiptFixture, SELLER, versionOf } from './receipt-fixture.ts';

const WORK = { correlationId: 'c' };

describe('the receipts of an order', () => {
  const fixture = new ReceiptFixture('receipt-issuing');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  it('say what was sold, who paid how, and who has sold it', async () => {
    const order = await fixture.soldOrder(34_900);
    const { receipt, status, timeZone, copyOf } = await fixture.issue(order);
    assert.deepEqual([receipt.organisationId, receipt.year, receipt.number], [OURS, 2026, 1]);
    assert.deepEqual([receipt.receiptType, receipt.orderId, receipt.orderVersion], ['SALE', order.id, 1]);
    assert.deepEqual([receipt.totalMinor, receipt.currency, receipt.language], [34_900, 'NOK', 'nno']);
    assert.deepEqual(receipt.vat, [{ basisPoints: 1_200, code: 'VAT_LOW', baseMinor: 31_161, taxMinor: 3_739 }]);
    const [paid, ...others] = receipt.payments;
    assert.deepEqual(
      [paid?.paymentType, paid?.last4, paid?.amountMinor, paid?.at, others],
      ['VISA', '1111', 34_900, NOW, []],
    );
    const { legalName: name, ...facts } = SELLER;
    assert.deepEqual(receipt.seller, { name, ...facts });
    assert.deepEqual([status, timeZone, copyOf], ['CREATED', 'Europe/Oslo', undefined]);
  });

  it('stay as they are when the catalogue changes, and name a seller without facts', async () => {
    const order = await fixture.soldOrder();
    const { receipt } = await fixture.issue(order);
    const { content } = await fixture.catalogue.current();
    await fixture.catalogue.replace({ ...content, organisations: [{ id: OURS, name: 'Andre' }] });
    assert.deepEqual((await fixture.issue(order, fixture.there)).receipt, receipt);
    const next = await fixture.issue(await fixture.soldOrder());
    assert.deepEqual(next.receipt.seller, { name: 'Andre' });
  });

  it('follow each confirmed version, and end with a cancellation', async () => {
    const { id } = await fixture.soldOrder(10_000);
    await fixture.orders.change(id, (before, now) => addFee(before, { fee: sampleFee('BOOKING', 700) }, now));
    const second = await fixture.sell(id);
    const { order: third } = await fixture.orders.change(id, (before, now) =>
      cancelLines(before, { orderLineIds: before.orderLines.map((each) => each.id) }, now),
    );
    await fixture.sell(id);
    const receipts = [];
    for (const version of [1, second.version, third.version]) receipts.push(await fixture.issue({ id, version }));
    assert.deepEqual(
      receipts.map(({ receipt }) => [receipt.receiptType, receipt.totalMinor, receipt.number]),
      [
        ['SALE', 10_000, 1],
        ['CHANGE', 700, 2],
        ['CANCEL', -10_000, 3],
      ],
    );
    assert.deepEqual(
      receipts.map(({ receipt }) => [receipt.payments.length, receipt.credits.map(({ last4 }) => last4)]),
      [
        [1, []],
        [1, []],
        [0, ['1111']],
      ],
    );
  });

  it('are none of drafts, free orders, foreign orders and versions that never were', async () => {
    const { order: draft } = await fixture.orders.create();
    const free = await fixture.soldOrder(0);
    const order = await fixture.soldOrder();
    for (const version of [versionOf(draft), versionOf(free), versionOf({ id: order.id, version: 2 })]) {
      assert.equal(await fixture.here.issuing.issue(version, WORK), undefined);
      assert.equal(await fixture.here.issuing.typeOf(version), undefined);
    }
    const foreign = { ...versionOf(order), tenancy: THEIRS };
    assert.equal(await fixture.here.issuing.issue(foreign, WORK), undefined);
    assert.equal(await fixture.here.issuing.issue({ ...foreign, orderId: 'AAAAAAAA' as OrderId }, WORK), undefined);
    assert.equal(await fixture.here.issuing.typeOf({ ...versionOf(order), tenancy: 'ANY' }), 'SALE');
  });

  it('are one for a version, however often and wherever it is asked for', async () => {
    const order = await fixture.soldOrder();
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => await fixture.issue(order, at % 2 ? fixture.here : fixture.there)),
    );
    assert.equal(new Set(all.map(({ receipt }) => receipt.reference)).size, 1);
    assert.deepEqual(new Set(all.map(({ receipt }) => receipt.number)), new Set([1]));
    assert.equal(await fixture.here.connection.collection('receipts').countDocuments(), 1);
  });

  it('wait for money that is on its way back', async () => {
    const order = await fixture.soldOrder(10_000);
    await fixture.capture(order, 10_000);
    await assert.rejects(fixture.issue(order), { code: 'UNAVAILABLE' });
    await fixture.credit(order, 10_000, 'COMPENSATION');
    const { receipt } = await fixture.issue(order);
    assert.deepEqual([receipt.totalMinor, receipt.payments.length, receipt.credits.length], [10_000, 2, 1]);
  });

  it('have the language of the contact, else of the channel', async () => {
    const { customerNumber } = await fixture.profiles.create(anna({ languagePreference: 'eng' }), write());
    const ofContact = await fixture.issue(await fixture.soldOrder(100, { contact: customerNumber }));
    assert.deepEqual([ofContact.receipt.language, ofContact.contact], ['eng', customerNumber]);
    const gone = await fixture.issue(await fixture.soldOrder(100, { contact: '9999999999' as CustomerNumber }));
    assert.equal(gone.receipt.language, 'nno');
  });

  it('have the money that a draft has taken and an operator has kept, with its fee', async () => {
    const { id } = await fixture.soldOrder();
    const { order: draft } = await fixture.orders.change(id, (before, now) =>
      addFee(before, { fee: sampleFee('MANUAL', 500) }, now),
    );
    await fixture.capture(draft, 500);
    await fixture.credit(draft, 200, 'COMPENSATION');
    const refundId = '00000000-0000-4000-8000-000000000001' as RefundId;
    const lockOwner = compensationOwner({ orderId: id, refundId });
    await fixture.orders.change(id, (before, now) => lockOrder(before, { owner: lockOwner }, now));
    const ended = { orderVersion: 2, refundId, givenUpMinor: 300, lockOwner };
    const { order: kept } = await fixture.orders.change(id, (before, now) => endCompensated(before, ended, now));
    assert.deepEqual([kept.status, kept.version], ['CONFIRMED', 3]);
    const { receipt } = await fixture.issue(kept);
    assert.deepEqual([receipt.receiptType, receipt.totalMinor], ['CHANGE', 300]);
    const amounts = (moved: typeof receipt.payments) => moved.map(({ amountMinor }) => amountMinor);
    assert.deepEqual([amounts(receipt.payments), amounts(receipt.credits)], [[500], [200]]);
    assert.deepEqual(
      receipt.lines.map(({ kind, price }) => [kind, price.amountMinor]),
      [['FEE', 300]],
    );
  });

  it('leave out what an earlier draft has taken and paid back', async () => {
    const { id } = await fixture.soldOrder();
    const { order: draft } = await fixture.orders.change(id, (before, now) =>
      addFee(before, { fee: sampleFee('MANUAL', 500) }, now),
    );
    await fixture.capture(draft, 500);
    await fixture.credit(draft, 500, 'COMPENSATION');
    await fixture.orders.change(id, (before, now) => resetOrder(before, {}, now));
    await fixture.orders.change(id, (before, now) => addFee(before, { fee: sampleFee('BOOKING', 700) }, now));
    const { receipt } = await fixture.issue(await fixture.sell(id));
    assert.deepEqual([receipt.orderVersion, receipt.totalMinor], [3, 700]);
    assert.deepEqual([receipt.payments.length, receipt.credits.length], [1, 0]);
  });

  it('count what paid an imported order elsewhere', async () => {
    const money = { amountMinor: 10_000, paymentTypeGroup: 'CASH', paymentType: 'CASH', confirmedAt: NOW, rrn: '1' };
    const imported = { externalReference: 'OLD', importedAt: NOW, lines: [sampleLine()], capturedMinor: 10_000 };
    const { order } = await fixture.orders.here.store.create(OURS, request(randomUUID()), (id, now) =>
      importOrder({ ...sampleOrder({ id }), ...imported, importedTransactions: [money] }, now),
    );
    const { receipt } = await fixture.issue(order);
    assert.deepEqual([receipt.receiptType, receipt.totalMinor], ['SALE', 10_000]);
    // Once it has a payment, from which it is credited, the money is not counted twice.
    await ensureImportedPayment(fixture, order, request());
    const captured = await fixture.moneyOf(order, 1);
    assert.deepEqual(
      captured.map(({ amountMinor, at }) => [amountMinor, at]),
      [[10_000, NOW]],
    );
    assert.deepEqual(receipt.payments, [
      { paymentTypeGroup: 'CASH', paymentType: 'CASH', amountMinor: 10_000, at: NOW },
    ]);
    assert.deepEqual(receipt.lines[0]?.price, priceWithTax(10_000, VAT));
  });
});
