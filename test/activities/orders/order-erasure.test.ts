/** What the erasure of a customer leaves of orders. */
import assert from 'node:assert/strict';
import { MAX_EVER_NAMED } from '../../../activities/orders/ever-named.ts';
import { createListKept, listErasedOrders } from '../../../activities/orders/kept-orders.ts';
import { ORDER_VERSIONS } from '../../../activities/orders/order-document.ts';
import { orderErasureStep, versionsWithTexts } from '../../../activities/orders/order-erasure.ts';
import { ordersNaming } from '../../../activities/orders/orders-naming.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import { ORDER } from '../../../activities/shared/order-kind.ts';
import { setContactInfo } from '../../../workflows/orders/rules/facts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { removeTravellers } from '../../../workflows/orders/rules/travellers.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { CUSTOMER as ANNA } from '../../rules/order-commands.ts';
import { OURS, sampleFee, sampleTraveller, THEIRS } from '../../support/sample-orders.ts';
import { OrderFixture, request } from './order-fixture.ts';

const BERIT = '1000000009' as typeof ANNA;

describe('the erasure of a customer', () => {
  const fixture = new OrderFixture('order-erasure');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const subject = CUSTOMER.subjectOf(ANNA);
  const step = () => {
    const { connection, keys, store: orders } = fixture.here;
    return orderErasureStep({ connection, keys, orders });
  };
  const withText = async (id: OrderId, text: string) => {
    const fee = sampleFee('MANUAL', 1_000);
    await fixture.here.store.change(
      OURS,
      id,
      request(),
      (order, now, seal) => addFee(order, { fee: { ...fee, reason: seal(`fee/${fee.id}`, text) } }, now),
      { seals: true },
    );
    return fee.id;
  };
  const sold = async () => {
    const traveller = sampleTraveller({ customerNumber: ANNA });
    const { order } = await fixture.create({ contact: ANNA, createdBy: ANNA, travellers: [traveller] });
    const fee = await withText(order.id, 'Anna came late');
    await fixture.pay(order.id);
    await fixture.confirm(order.id);
    return { id: order.id, fee };
  };
  /** Every traveller leaves. */
  const withoutAnna = async (id: OrderId) =>
    await fixture.change(id, (order, now) =>
      removeTravellers(order, { travellerIds: order.travellers.map((traveller) => traveller.id) }, now),
    );
  const get = async (id: OrderId) => await fixture.here.store.get(OURS, id);

  it('destroys the texts of the orders that she is the contact of, in all their versions', async () => {
    const { id, fee } = await sold();
    await withText(id, 'and again');
    await fixture.pay(id);
    await fixture.confirm(id);
    assert.equal((await fixture.here.store.getVersion(OURS, id, 1)).texts.feeReasons.get(fee), 'Anna came late');
    assert.equal(await step().isErased(OURS, subject), false);
    await Promise.all([step().erase(OURS, subject), step().erase(OURS, subject)]);
    assert.equal(await step().isErased(OURS, subject), true);
    assert.equal((await get(id)).texts.feeReasons.size, 0);
    assert.equal((await fixture.here.store.getVersion(OURS, id, 1)).texts.feeReasons.size, 0);
    assert.equal(await fixture.here.keysConnection.collection('subject_keys').countDocuments(), 0);
    const stored = [
      ...(await fixture.here.collection.find().toArray()),
      ...(await ORDER_VERSIONS.open(fixture.here.connection).find().toArray()),
    ];
    assert.ok(stored.length > 1);
    assert.ok(!JSON.stringify(stored).includes('"reason"'));
  });

  for (const [role, named] of [
    ['a traveller', () => ({ travellers: [sampleTraveller({ customerNumber: ANNA })] })],
    [
      'a traveller of a customer who stays',
      () => ({ contact: BERIT, travellers: [sampleTraveller({ customerNumber: ANNA })] }),
    ],
    ['the creator', () => ({ createdBy: ANNA })],
  ] as const)
    it(`destroys the texts of orders that name her as ${role}`, async () => {
      const { order } = await fixture.create(named());
      const sale = await fixture.withSeat();
      const fee = await withText(order.id, 'Anna came late');
      const other = await withText(sale.order.id, 'somebody else');
      assert.equal(await step().isErased(OURS, subject), false);
      await fixture.pay(order.id);
      await fixture.confirm(order.id);
      assert.equal(await step().isErased(OURS, subject), false);
      await Promise.all([step().erase(OURS, subject), step().erase(OURS, subject)]);
      assert.equal(await step().isErased(OURS, subject), true);
      assert.equal((await get(order.id)).texts.feeReasons.get(fee), undefined);
      assert.equal((await get(order.id)).order.fees.length, 1);
      assert.equal((await get(sale.order.id)).texts.feeReasons.get(other), 'somebody else');
      assert.equal(await fixture.here.keysConnection.collection('subject_keys').countDocuments(), 1);
    });

  const texts = async (id: OrderId, fee: string) => {
    const { store } = fixture.here;
    const all = [await store.get(OURS, id), await store.getVersion(OURS, id, 1)];
    return all.map((each) => each.texts.feeReasons.get(fee));
  };
  const erasedBoth = async (id: OrderId, fee: string) => {
    assert.equal(await step().isErased(OURS, subject), false);
    assert.deepEqual(await texts(id, fee), ['Anna came late', 'Anna came late']);
    await Promise.all([step().erase(OURS, subject), step().erase(OURS, subject)]);
    assert.equal(await step().isErased(OURS, subject), true);
    assert.deepEqual(await texts(id, fee), [undefined, undefined]);
    await fixture.checkEvents(id);
  };

  it('destroys the texts of orders whose contact and creator were replaced', async () => {
    const { id, fee } = await sold();
    await fixture.change(id, (order, now) => setContactInfo(order, { contact: BERIT, createdBy: BERIT }, now));
    await withoutAnna(id);
    await erasedBoth(id, fee);
  });

  it('destroys the texts of orders whose confirmed version alone names her', async () => {
    const traveller = sampleTraveller({ customerNumber: ANNA });
    const { order } = await fixture.create({ travellers: [traveller] });
    const fee = await withText(order.id, 'Anna came late');
    await fixture.pay(order.id);
    await fixture.confirm(order.id);
    await withoutAnna(order.id);
    const { order: draft } = await get(order.id);
    assert.deepEqual([draft.status, draft.travellers.length, draft.confirmed?.travellers.length], ['DRAFT', 0, 1]);
    await erasedBoth(order.id, fee);
    assert.equal((await get(order.id)).order.status, 'DRAFT');
  });

  it('destroys the texts of orders whose earlier versions alone name her', async () => {
    const { id, fee } = await sold();
    await fixture.change(id, (order, now) => setContactInfo(order, {}, now));
    await withoutAnna(id);
    await fixture.pay(id);
    await fixture.confirm(id);
    const { order } = await get(id);
    assert.deepEqual([order.status, order.version, order.contact, order.travellers], ['CONFIRMED', 2, undefined, []]);
    await erasedBoth(id, fee);
  });

  it('finds orders that were written before everyone named was listed', async () => {
    const { id, fee } = await sold();
    await fixture.here.collection.updateOne({ _id: id }, { $unset: { everNamed: '' } });
    await fixture.change(id, (order, now) => setContactInfo(order, { contact: BERIT }, now));
    await withoutAnna(id);
    await erasedBoth(id, fee);
  });

  it('lists no more customers than an order may have', async () => {
    const { order } = await fixture.create({ contact: ANNA });
    const everNamed = Array.from({ length: MAX_EVER_NAMED }, (_, at) => String(2_000_000_000 + at) as typeof ANNA);
    await fixture.here.collection.updateOne({ _id: order.id }, { $set: { everNamed: [ANNA, ...everNamed.slice(1)] } });
    const replace = async (contact: typeof ANNA) =>
      await fixture.change(order.id, (before, now) => setContactInfo(before, { contact }, now));
    await assert.rejects(replace(BERIT), { code: 'INVALID_STATE' });
    const known = everNamed.at(-1) ?? assert.fail();
    assert.equal((await replace(known)).order.contact, known);
  });

  it('finds the orders that name her by indexes', async () => {
    for (const { filter, hint } of ordersNaming(OURS, ANNA)) {
      const { queryPlanner } = await fixture.here.collection.find(filter, { hint }).explain();
      assert.equal(queryPlanner.winningPlan.inputStage?.indexName, hint);
    }
  });

  it('finds earlier versions by their orders, without a walk over all', async () => {
    const { id } = await sold();
    const found = ORDER_VERSIONS.open(fixture.here.connection).find(versionsWithTexts([id]));
    const { queryPlanner } = await found.explain();
    assert.equal(queryPlanner.winningPlan.inputStage?.indexName, 'of_order');
  });

  it('leaves sold orders with her number, and drafts without it', async () => {
    const { id } = await sold();
    const traveller = sampleTraveller({ customerNumber: ANNA });
    const { order: draft } = await fixture.create({ createdBy: ANNA, travellers: [traveller] });
    await step().erase(OURS, subject);
    const { order } = await get(id);
    assert.deepEqual([order.contact, order.travellers[0]?.customerNumber], [ANNA, ANNA]);
    const { order: left } = await get(draft.id);
    assert.deepEqual([left.createdBy, left.travellers[0]?.customerNumber], [undefined, undefined]);
    assert.equal(left.travellers.length, 1);
    await fixture.checkEvents(draft.id);
  });

  it('ends also where a capture runs', async () => {
    const { order } = await fixture.create({ contact: ANNA });
    await fixture.change(order.id, (before, now) => lockOrder(before, { owner: 'capture/1/1' }, now));
    await step().erase(OURS, subject);
    assert.equal((await get(order.id)).order.contact, undefined);
    assert.equal(await step().isErased(OURS, subject), true);
  });

  it('touches no order of another customer or organisation', async () => {
    const { order } = await fixture.create({ contact: ANNA });
    const fee = await withText(order.id, 'came late');
    await step().erase(THEIRS, subject);
    await step().erase(OURS, CUSTOMER.subjectOf(BERIT));
    await step().erase(OURS, ORDER.subjectOf(order.id));
    const { texts, order: after } = await get(order.id);
    assert.deepEqual([texts.feeReasons.get(fee), after.contact], ['came late', ANNA]);
  });

  it('lets a restore know whose keys it must not bring back, and an order have texts again', async () => {
    const { id } = await sold();
    const { connection } = fixture.here;
    const erased = async () => await Array.fromAsync(listErasedOrders(connection));
    const kept = await createListKept({ mongo: connection });
    const ours = ORDER.subjectOf(id);
    assert.deepEqual([await erased(), [...(await kept([ours]))]], [[], [ours]]);
    await step().erase(OURS, subject);
    assert.deepEqual([await erased(), [...(await kept([ours]))]], [[ours], []]);
    const fee = await withText(id, 'paid at the desk');
    assert.equal((await get(id)).texts.feeReasons.get(fee), 'paid at the desk');
    assert.deepEqual([await erased(), [...(await kept([ours, ORDER.subjectOf('AAAAAAAA' as OrderId)]))]], [[], [ours]]);
  });
});
