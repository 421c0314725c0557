/** What sold versions mean in the ledger, made again later: exactly what the write that sold them has posted. */
import assert from 'node:assert/strict';
import { StoredOrderBooks } from '../../../activities/orders/order-books.ts';
import { StoredSoldOrders } from '../../../activities/orders/sold-orders.ts';
import { importOrder } from '../../../workflows/orders/rules/creation.ts';
import { resetOrder } from '../../../workflows/orders/rules/endings.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { replaceLines } from '../../../workflows/orders/rules/line-replacement.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { NOW, OURS, sampleFee, sampleLine, sampleOrder, THEIRS } from '../../support/sample-orders.ts';
import { OrderFixture, request } from './order-fixture.ts';

describe('the books of orders', () => {
  const fixture = new OrderFixture('order-books');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const books = () => new StoredOrderBooks(new StoredSoldOrders(fixture.there.connection), fixture.there.connection);
  const posted = async (id: OrderId) =>
    (await fixture.events(id)).flatMap(({ type, entry }) => (/OrderConfirmed|OrderImported/.test(type) ? [entry] : []));

  it('say the same of each version, also of those that later ones have replaced', async () => {
    const { order } = await fixture.confirmed();
    await fixture.change(order.id, (before, now) => addLines(before, { lines: [sampleLine()] }, now));
    await fixture.change(order.id, (before, now) => resetOrder(before, {}, now));
    await fixture.change(order.id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', 700) }, now));
    await fixture.pay(order.id);
    const { order: changed } = await fixture.confirm(order.id);
    await fixture.change(order.id, (before, now) => addFee(before, { fee: sampleFee('BOOKING', 300) }, now));
    const sold = await Promise.all(
      [1, changed.version].map(async (version) => await books().findSold(order.id, version)),
    );
    assert.equal(changed.version, 3);
    assert.deepEqual(
      sold.map((each) => each?.entry),
      await posted(order.id),
    );
    assert.deepEqual(new Set(sold.map((each) => each?.organisationId)), new Set([OURS]));
    assert.equal(await books().findSold(order.id, 2), undefined);
    assert.equal(await books().findSold(order.id, 4), undefined);
    assert.equal(await books().findSold('AAAAAAAA' as OrderId, 1), undefined);
  });

  it('show a version with the one that was confirmed before it, to its organisation alone', async () => {
    const { order } = await fixture.confirmed();
    await fixture.change(order.id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', 700) }, now));
    await fixture.pay(order.id);
    await fixture.confirm(order.id);
    const sold = new StoredSoldOrders(fixture.there.connection);
    const [first, second] = [await sold.findSold(OURS, order.id, 1), await sold.findSold('ANY', order.id, 2)];
    assert.deepEqual([first?.version.version, first?.before, first?.version.fees.length], [1, undefined, 0]);
    assert.deepEqual([second?.version.fees.length, second?.before?.version, second?.order.version], [1, 1, 2]);
    assert.equal(await sold.findSold(THEIRS, order.id, 1), undefined);
  });

  it('know what an import has brought, and versions that cost the same', async () => {
    const money = { amountMinor: 10_000, paymentTypeGroup: 'CASH', paymentType: 'CASH', confirmedAt: NOW, rrn: '1' };
    const command = { externalReference: 'OLD', importedAt: NOW, lines: [sampleLine()], capturedMinor: 10_000 };
    const { order } = await fixture.here.store.create(OURS, request(), (id, now) =>
      importOrder({ ...sampleOrder({ id }), ...command, importedTransactions: [money] }, now),
    );
    const [line = assert.fail('it has a line')] = order.orderLines;
    const renamed = { ...line, externalReference: 'row-1' };
    await fixture.change(order.id, (before, now) => replaceLines(before, { lines: [renamed] }, now));
    await fixture.confirm(order.id);
    const sold = await Promise.all([1, 2].map(async (version) => await books().findSold(order.id, version)));
    assert.deepEqual(
      sold.map((each) => each?.entry),
      await posted(order.id),
    );
    assert.deepEqual([sold[0]?.entry !== undefined, sold[1]], [true, { organisationId: OURS }]);
  });
});
