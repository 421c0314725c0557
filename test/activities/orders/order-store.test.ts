/** Orders as they are stored: each write once, whatever is repeated and however many write at once. */
import assert from 'node:assert/strict';
import { orderIdOf } from '../../../activities/orders/order-id.ts';
import type { OrderState, SealText } from '../../../activities/orders/order-types.ts';
import { StoredSoldOrders } from '../../../activities/orders/sold-orders.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { createOrder, type ImportedOrder, importOrder } from '../../../workflows/orders/rules/creation.ts';
import { noteDisruption } from '../../../workflows/orders/rules/disruption.ts';
import { resetOrder } from '../../../workflows/orders/rules/endings.ts';
import { setContactInfo, setSpecialOrderCause } from '../../../workflows/orders/rules/facts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { CustomerNumber, OrderId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { checkMoney, checkSeats } from '../../support/order-checks.ts';
import {
  later,
  NOW,
  OURS,
  sampleFee,
  sampleLine,
  sampleOrder,
  sampleTraveller,
  THEIRS,
} from '../../support/sample-orders.ts';
import { OrderFixture, request } from './order-fixture.ts';

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error ?? new Error('nothing was refused');
  return error.code;
}

describe('order store', () => {
  const fixture = new OrderFixture('order-store');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const addPlainLine = (order: Order, now: Date) => addLines(order, { lines: [sampleLine()] }, now);

  it('makes an order with an id of eight letters that are not mistaken for each other', async () => {
    const { order, revision } = await fixture.create();
    assert.match(order.id, /^[ABCDEFGHJKLMNPQRSTUVWXYZ23456789]{8}$/);
    assert.equal(revision, 1);
    assert.deepEqual((await fixture.there.store.get(OURS, order.id)).order, order);
  });

  it('makes one order for a request, also when it is repeated and raced', async () => {
    const work = request();
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        (at % 2 ? fixture.here : fixture.there).store.create(OURS, work, (id, now) =>
          createOrder(sampleOrder({ id }), now),
        ),
      ),
    );
    assert.equal(new Set(made.map(({ order }) => order.id)).size, 1);
    assert.equal(await fixture.here.collection.countDocuments(), 1);
    await fixture.checkEvents(made[0]?.order.id ?? assert.fail());
  });

  it('answers the order that another attempt has inserted since it was looked for', async () => {
    const work = request();
    const attempts = Array.from({ length: 8 }, async (_, at) => {
      const { store } = at % 2 ? fixture.here : fixture.there;
      const id = orderIdOf(work.workId, at % 3);
      const make = (now: Date) => createOrder(sampleOrder({ id }), now);
      return await store.insert(OURS, work, id, make, { isLookedFor: true });
    });
    const ids = new Set((await Promise.all(attempts)).map((made) => made?.order.id));
    assert.equal(ids.size, 1);
    assert.equal(await fixture.here.collection.countDocuments(), 1);
    await fixture.checkEvents([...ids][0] ?? assert.fail());
  });

  it('takes the next id where another order has the first', async () => {
    const work = request();
    await fixture.here.store.insert(OURS, request(), orderIdOf(work.workId, 0), (now) =>
      createOrder(sampleOrder({ id: orderIdOf(work.workId, 0) }), now),
    );
    const { order } = await fixture.create({}, work);
    assert.equal(order.id, orderIdOf(work.workId, 1));
    assert.equal((await fixture.create({}, work)).order.id, order.id);
  });

  it('makes no key for the order of another organisation that has the id', async () => {
    const work = request();
    const id = orderIdOf(work.workId, 0);
    await fixture.here.store.insert(THEIRS, request(), id, (now) =>
      createOrder(sampleOrder({ id, organisationId: THEIRS }), now),
    );
    const sealed = (order: Order, now: Date, seal: SealText) =>
      setSpecialOrderCause(order, { causeCode: 'OTHER', description: seal('cause', 'late') }, now);
    const { store } = fixture.here;
    const made = await store.create(
      OURS,
      work,
      (orderId, now, seal) => sealed(createOrder(sampleOrder({ id: orderId }), now).order, now, seal),
      { seals: true },
    );
    assert.equal(made.order.id, orderIdOf(work.workId, 1));
    const theirs = await store.change(THEIRS, id, request(), sealed, { seals: true });
    assert.equal(theirs.texts.causeDescription, 'late');
  });

  describe('imports', () => {
    const paid = (rrn: string, at = NOW): Partial<ImportedOrder> => ({
      importedTransactions: [
        { ...{ amountMinor: 10_500, paymentTypeGroup: 'CASH', paymentType: 'CASH' }, confirmedAt: at, rrn },
      ],
    });
    const take = async (more: Partial<ImportedOrder>, { work = request(), organisationId = OURS, at = 0 } = {}) => {
      const { store } = at % 2 ? fixture.here : fixture.there;
      const facts = { ...sampleOrder({ organisationId }), externalReference: 'OLD', importedAt: NOW };
      const content = { lines: [sampleLine()], fees: [sampleFee('BOOKING', 500)], capturedMinor: 10_500 };
      const make = (id: OrderId, now: Date) => importOrder({ ...facts, ...content, ...more, id }, now);
      return await store.create(organisationId, work, make);
    };

    it('take money of a reference and day once in an organisation', async () => {
      const tries = await Promise.allSettled(
        Array.from({ length: 6 }, async (_, at) => await take(paid('SAME'), { at })),
      );
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
      const codes = tries.flatMap((each) => (each.status === 'rejected' ? [(each.reason as ServiceError).code] : []));
      assert.deepEqual(new Set(codes), new Set(['DUPLICATE_TRANSACTION']));
      assert.equal(await fixture.here.collection.countDocuments(), 1);
    });

    it('take another reference, day and organisation', async () => {
      await take(paid('SAME'));
      await take(paid('OTHER'));
      await take(paid('SAME', later(-24 * 60)));
      await take(paid('SAME'), { organisationId: THEIRS });
      assert.equal(await fixture.here.collection.countDocuments(), 4);
    });

    it('answer a repeated request with its order', async () => {
      const work = request();
      const made = await Promise.all([0, 1, 2, 3].map(async (at) => await take(paid('SAME'), { work, at })));
      assert.equal(new Set(made.map(({ order }) => order.id)).size, 1);
    });
  });

  it('does not tell a foreign order from an absent one', async () => {
    const { order } = await fixture.create();
    const { store } = fixture.here;
    assert.equal(await codeOf(store.get(THEIRS, order.id)), 'NOT_FOUND');
    assert.equal(await codeOf(store.get(OURS, orderIdOf('no such work', 0))), 'NOT_FOUND');
    assert.equal(await codeOf(store.change(THEIRS, order.id, request(), addPlainLine)), 'NOT_FOUND');
    assert.equal(await codeOf(store.getVersion(THEIRS, order.id, 1)), 'NOT_FOUND');
    assert.equal((await store.get('ANY', order.id)).order.organisationId, OURS);
  });

  it('changes once for a request, also when it is repeated and raced', async () => {
    const { order } = await fixture.create();
    const work = request();
    const stores = [fixture.here.store, fixture.there.store];
    await Promise.all(stores.flatMap((store) => [1, 2, 3].map(() => store.change(OURS, order.id, work, addPlainLine))));
    const { order: after, revision } = await fixture.here.store.get(OURS, order.id);
    assert.deepEqual([after.orderLines.length, revision], [1, 2]);
    await fixture.checkEvents(order.id);
  });

  it('keeps every one of many changes at once', async () => {
    const { order } = await fixture.create();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? fixture.here : fixture.there).store.change(OURS, order.id, request(), addPlainLine),
      ),
    );
    const { order: after, revision } = await fixture.here.store.get(OURS, order.id);
    assert.deepEqual([after.orderLines.length, revision], [20, 21]);
    await fixture.checkEvents(order.id);
  });

  it('writes nothing for a command without an effect', async () => {
    const { order } = await fixture.create({ contact: '1000000001' as CustomerNumber });
    const { revision } = await fixture.change(order.id, (before, now) =>
      setContactInfo(before, { contact: '1000000001' as CustomerNumber }, now),
    );
    assert.equal(revision, 1);
  });

  it('refuses a state that the caller has not read, and lets the repeat of a write pass', async () => {
    const { order, revision } = await fixture.create();
    const ifMatch = (state: OrderState) => {
      if (state.revision !== revision) throw new ServiceError('REVISION_CONFLICT', 'The order has changed.');
    };
    const { store } = fixture.here;
    const work = request();
    await store.change(OURS, order.id, work, addPlainLine, { ifMatch });
    await store.change(OURS, order.id, work, addPlainLine, { ifMatch });
    assert.equal(await codeOf(store.change(OURS, order.id, request(), addPlainLine, { ifMatch })), 'REVISION_CONFLICT');
  });

  it('confirms a version once, however many ask', async () => {
    const { order } = await fixture.withSeat();
    await fixture.pay(order.id);
    const confirm = (before: Order, now: Date) => confirmOrder(before, { orderVersion: 1 }, now);
    const stores = [fixture.here.store, fixture.there.store];
    await Promise.all(stores.flatMap((store) => [1, 2, 3].map(() => store.change(OURS, order.id, request(), confirm))));
    const events = await fixture.events(order.id);
    assert.equal(events.filter(({ type }) => type.includes('OrderConfirmed')).length, 1);
    await fixture.checkEvents(order.id);
  });

  it('tells of a change to several lines in both topics, in one sequence', async () => {
    const { order } = await fixture.create();
    await fixture.change(order.id, (before, now) => addLines(before, { lines: [sampleLine(), sampleLine()] }, now));
    const events = (await fixture.events(order.id)).slice(1);
    assert.deepEqual(
      events.map(({ topic, sequence, type }) => [topic, sequence, type]),
      [
        ['order-events-dev', 2, 'service.order.OrderLineAdded.v1'],
        ['order-events-dev', 3, 'service.order.OrderLineAdded.v1'],
        ['order-event-collections-dev', 4, 'service.order.OrderLinesAdded.v1'],
      ],
    );
    const { orderId, organisationId, clientId, correlationId } = events[0]?.data.meta ?? assert.fail();
    assert.deepEqual([orderId, organisationId, clientId], [order.id, OURS, 'partner']);
    assert.match(correlationId, /^correlation-/);
  });
});

describe('versions of stored orders', () => {
  const fixture = new OrderFixture('order-versions');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const change = async (order: Order, amountMinor: number) => {
    await fixture.change(order.id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', amountMinor) }, now));
  };

  it('are answered for ever as they were confirmed', async () => {
    const { order } = await fixture.confirmed();
    const seen = new Map<number, unknown>();
    for (let version = 1; version <= 4; version += 1) {
      const { store } = fixture.there;
      seen.set(version, contentOf((await store.getVersion(OURS, order.id, version)).order));
      for (const [number, content] of seen) {
        assert.deepEqual(contentOf((await store.getVersion(OURS, order.id, number)).order), content);
      }
      await change(order, version * 1_000);
      for (const [number, content] of seen) {
        assert.deepEqual(contentOf((await store.getVersion(OURS, order.id, number)).order), content);
      }
      await fixture.pay(order.id);
      await fixture.confirm(order.id);
    }
    const { order: last } = await fixture.here.store.get(OURS, order.id);
    assert.deepEqual([last.version, last.fees.length], [5, 4]);
    checkMoney(last);
    checkSeats(last);
  });

  it('that were reset are absent, and their numbers are not used again', async () => {
    const { order } = await fixture.confirmed();
    await change(order, 1_000);
    await fixture.change(order.id, (before, now) => resetOrder(before, {}, now));
    assert.equal(await codeOf(fixture.here.store.getVersion(OURS, order.id, 2)), 'NOT_FOUND');
    await change(order, 2_000);
    const { order: after } = await fixture.here.store.get(OURS, order.id);
    assert.equal(after.version, 3);
    assert.equal((await fixture.here.store.getVersion(OURS, order.id, 1)).order.status, 'CONFIRMED');
    await fixture.checkEvents(order.id);
  });

  const withdrawn = (order: Order, now: Date) => noteDisruption(order, { causeOf: () => 'WITHDRAWN' }, now);
  const secondVersion = async () => {
    const { order } = await fixture.confirmed();
    await fixture.change(order.id, (before, now) => addFee(before, { fee: sampleFee('REDUCTION', -2_500) }, now));
    await fixture.change(order.id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', 2_500) }, now));
    return order.id;
  };
  const causesOf = async (orderId: OrderId, version: number) =>
    (await fixture.there.store.getVersion(OURS, orderId, version)).order.orderLines.map(
      (line) => line.disruption?.cause,
    );

  it('keeps a version with the mark that it got after an attempt to keep it died', async () => {
    const orderId = await secondVersion();
    let decisions = 0;
    const dying = fixture.change(orderId, (before, now) => {
      decisions += 1;
      // The version is kept between the first and the second.
      if (decisions > 1) throw new Error('died');
      return confirmOrder(before, { orderVersion: 2 }, now);
    });
    await assert.rejects(dying, /died/);
    await fixture.change(orderId, withdrawn);
    await fixture.change(orderId, (before, now) => confirmOrder(before, { orderVersion: 2 }, now));
    assert.deepEqual(await causesOf(orderId, 1), ['WITHDRAWN']);
    const sold = await new StoredSoldOrders(fixture.here.connection).findSold(OURS, orderId, 2);
    assert.equal(sold?.before?.orderLines[0]?.disruption?.cause, 'WITHDRAWN');
  });

  it('keeps a version with the mark of a writer that came between', async () => {
    for (let round = 0; round < 20; round += 1) {
      const orderId = await secondVersion();
      const [, marked] = await Promise.all([
        fixture.change(orderId, (before, now) => confirmOrder(before, { orderVersion: 2 }, now)),
        fixture.there.store.change(OURS, orderId, request(), withdrawn),
      ]);
      // The mark came before the second version was confirmed, or after: then the first had been replaced.
      const isOfFirst = marked.order.confirmed?.version === 1;
      assert.deepEqual(await causesOf(orderId, 1), [isOfFirst ? 'WITHDRAWN' : undefined]);
      assert.deepEqual(await causesOf(orderId, 2), ['WITHDRAWN']);
    }
  });
});

describe('texts of stored orders', () => {
  const fixture = new OrderFixture('order-texts');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  it('are sealed, and opened for the caller', async () => {
    const fee = sampleFee('MANUAL', 1_000);
    const { order } = await fixture.here.store.create(
      OURS,
      request(),
      (id, now, seal) => {
        const created = createOrder(sampleOrder({ id, travellers: [sampleTraveller()] }), now);
        return setSpecialOrderCause(
          created.order,
          { causeCode: 'SCHOOL', description: seal('cause', 'for Ola Nordmann') },
          now,
        );
      },
      { seals: true },
    );
    await fixture.here.store.change(
      OURS,
      order.id,
      request(),
      (before, now, seal) => addFee(before, { fee: { ...fee, reason: seal(`fee/${fee.id}`, 'Ola came late') } }, now),
      { seals: true },
    );
    const { texts } = await fixture.there.store.get(OURS, order.id);
    assert.equal(texts.causeDescription, 'for Ola Nordmann');
    assert.equal(texts.feeReasons.get(fee.id), 'Ola came late');
    const stored = await fixture.here.collection.findOne({ _id: order.id }, { promoteBuffers: true });
    assert.ok(!JSON.stringify(stored).includes(Buffer.from('Ola').toString('base64')));
    assert.ok(!Buffer.concat([stored?.causeDescription ?? Buffer.alloc(0)]).includes('Ola'));
  });

  it('get a key once, also when two first texts come at once', async () => {
    const { order } = await fixture.create();
    await Promise.all(
      [fixture.here, fixture.there].map(({ store }, at) => {
        const fee = sampleFee('MANUAL', 1_000);
        const decide: Parameters<typeof store.change>[3] = (before, now, seal) =>
          addFee(before, { fee: { ...fee, reason: seal(`fee/${fee.id}`, `reason ${at}`) } }, now);
        return store.change(OURS, order.id, request(), decide, { seals: true });
      }),
    );
    const { texts } = await fixture.here.store.get(OURS, order.id);
    assert.deepEqual([...texts.feeReasons.values()].sort(), ['reason 0', 'reason 1']);
    assert.equal(await fixture.here.keysConnection.collection('subject_keys').countDocuments(), 1);
  });
});

function contentOf({ version, status, travellers, orderLines, fees, reservations, lastConfirmedAt }: Order) {
  return { version, status, travellers, orderLines, fees, reservations, lastConfirmedAt };
}
