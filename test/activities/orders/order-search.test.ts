/** Search of orders by each field of the contract. */
import assert from 'node:assert/strict';
import type { OrderSearchTerm } from '../../../activities/orders/order-filter.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import {
  later,
  NOW,
  OURS,
  sampleFee,
  sampleLine,
  sampleTraveller,
  seatedLine,
  THEIRS,
} from '../../support/sample-orders.ts';
import { OrderFixture, request } from './order-fixture.ts';

type Wanted = readonly OrderSearchTerm[];

describe('order search', () => {
  const fixture = new OrderFixture('order-search');
  /** Sold: a seat on the ride, and a pass of another day. */
  let sold: Order;
  /** A draft with a fee and nothing else. */
  let draft: Order;
  let foreign: Order;

  before(async () => {
    await fixture.open();
    await fixture.clear();
    const traveller = sampleTraveller();
    const created = await fixture.create({
      travellers: [traveller],
      contact: '1000000001' as CustomerNumber,
      createdBy: '1000000002' as CustomerNumber,
      externalReference: 'A-1',
      pos: 'desk 4',
    });
    const { line, reservation } = seatedLine({ traveller, externalReference: 'L-1' });
    const pass = sampleLine({
      amountMinor: 50_000,
      travelSpecification: { legs: [], startOfValidity: later(1_000), endOfValidity: later(5_000) },
    });
    await fixture.change(created.order.id, (order, now) =>
      addLines(order, { lines: [line, pass], reservations: [reservation] }, now),
    );
    await fixture.pay(created.order.id);
    sold = (await fixture.confirm(created.order.id)).order;
    fixture.passes(1);
    const other = await fixture.create();
    draft = (
      await fixture.change(other.order.id, (order, now) => addFee(order, { fee: sampleFee('MANUAL', 100) }, now))
    ).order;
    foreign = (await fixture.create({ organisationId: THEIRS })).order;
  });
  after(async () => await fixture.close());

  const find = async (terms: Wanted, tenancy: Parameters<typeof fixture.here.search.search>[0] = OURS) => {
    const found = await fixture.here.search.search(tenancy, { terms, page: 1, perPage: 25, sortBy: 'asc' });
    assert.equal(found.totalItems, found.items.length);
    return found.items.map(({ order }) => order.id);
  };
  const is = (field: OrderSearchTerm['field'], ...values: (string | number | Date)[]): OrderSearchTerm => ({
    field,
    operator: values.length > 1 ? 'in' : 'eq',
    values,
  });

  it('finds its own orders alone, oldest first', async () => {
    assert.deepEqual(await find([]), [sold.id, draft.id]);
    assert.deepEqual(await find([], THEIRS), [foreign.id]);
    assert.deepEqual((await find([], 'ANY')).length, 3);
    assert.deepEqual(await find([is('organisationId', THEIRS)]), []);
  });

  it('finds an order by each of its facts', async () => {
    const [seat] = sold.reservations;
    const [line] = sold.orderLines;
    const facts: Wanted = [
      is('id', sold.id),
      is('status', 'CONFIRMED'),
      is('lastConfirmedAt', NOW),
      is('createdAt', NOW),
      is('totalAmount', 60_000),
      is('contact', '1000000001'),
      is('createdBy', '1000000002'),
      is('externalReference', 'A-1'),
      is('orderLineId', line?.id ?? ''),
      is('orderLineExternalReference', 'L-1'),
      is('reservationId', seat?.id ?? ''),
      is('fareProductId', 'SINGLE'),
      is('serviceJourneyId', 'RUT:ServiceJourney:1'),
      is('datedServiceJourneyId', 'RUT:ServiceJourney:1@2026-05-05'),
      is('fromStopPlaceId', 'NSR:StopPlace:1'),
      is('toStopPlaceId', 'NSR:StopPlace:2'),
      is('startTime', NOW),
      is('endTime', later(120)),
      is('pos', 'desk 4'),
      is('balance', 0),
    ];
    for (const fact of facts) assert.deepEqual(await find([fact]), [sold.id], fact.field);
    assert.deepEqual(await find(facts), [sold.id]);
    for (const both of [
      is('version', 1),
      is('currency', 'NOK'),
      is('distributionChannelId', sold.distributionChannelId),
    ]) {
      assert.deepEqual((await find([both])).length, 2, both.field);
    }
    assert.deepEqual(await find([is('balance', 100)]), [draft.id]);
  });

  it('takes a range for one line, not for two', async () => {
    const between = (from: Date, to: Date): Wanted => [
      { field: 'startTime', operator: 'gte', values: [from] },
      { field: 'startTime', operator: 'lt', values: [to] },
    ];
    assert.deepEqual(await find(between(NOW, later(1))), [sold.id]);
    // One line begins before it, and another after it.
    assert.deepEqual(await find(between(later(10), later(20))), []);
  });

  it('leaves out what a negative term names', async () => {
    assert.deepEqual(await find([{ field: 'status', operator: 'ne', values: ['CONFIRMED'] }]), [draft.id]);
    const notTheRide = { field: 'serviceJourneyId', operator: 'nin', values: ['RUT:ServiceJourney:1'] } as const;
    assert.deepEqual(await find([notTheRide]), [draft.id]);
    assert.deepEqual(await find([is('status', 'DRAFT', 'CONFIRMED')]), [sold.id, draft.id]);
  });

  it('answers pages in the order that is asked for', async () => {
    const page = async (number: number, sortBy: 'asc' | 'desc') =>
      await fixture.here.search.search(OURS, { terms: [], page: number, perPage: 1, sortBy, orderBy: 'totalAmount' });
    assert.deepEqual(
      (await page(1, 'desc')).items.map(({ order }) => order.id),
      [sold.id],
    );
    assert.deepEqual(
      (await page(2, 'desc')).items.map(({ order }) => order.id),
      [draft.id],
    );
    const beyond = await page(3, 'asc');
    assert.deepEqual([beyond.items.length, beyond.totalItems], [0, 2]);
  });

  it('opens the texts of each order', async () => {
    const fee = sampleFee('MANUAL', 100);
    await fixture.here.store.change(
      OURS,
      draft.id,
      request(),
      (order, now, seal) => addFee(order, { fee: { ...fee, reason: seal(`fee/${fee.id}`, 'came late') } }, now),
      { seals: true },
    );
    const { items } = await fixture.here.search.search(OURS, { terms: [], page: 1, perPage: 25, sortBy: 'asc' });
    assert.deepEqual(
      items.map(({ texts }) => texts.feeReasons.get(fee.id)),
      [undefined, 'came late'],
    );
  });
});
