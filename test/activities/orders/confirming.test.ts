/** Confirming an order whose balance is owed to the customer; the area of payments is played by the test. */
import assert from 'node:assert/strict';
import { type ConfirmRequest, confirmFor } from '../../../activities/orders/confirming.ts';
import { createOrderExpiryActivities } from '../../../activities/orders/order-expiry-activities.ts';
import { resetFor } from '../../../activities/orders/resetting.ts';
import type { WithdrawnTickets } from '../../../activities/orders/withdrawing.ts';
import type { OrderPayments } from '../../../activities/shared/order-payments.ts';
import type { OrderWork } from '../../../activities/shared/orders.ts';
import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { replaceLines } from '../../../workflows/orders/rules/line-replacement.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { settle } from '../../rules/order-commands.ts';
import { checkMoney } from '../../support/order-checks.ts';
import { OURS, sampleFee } from '../../support/sample-orders.ts';
import { OrderFixture, request } from './order-fixture.ts';

describe('confirming', () => {
  const fixture = new OrderFixture('confirming');
  let credits: number;
  /** Of lines whose tickets are disabled. */
  const disabled = new Set<string>();
  before(async () => await fixture.open());
  beforeEach(async () => {
    await fixture.clear();
    credits = 0;
    disabled.clear();
  });
  after(async () => await fixture.close());

  const payments: OrderPayments = {
    endOpenTransactions: async () => 0,
    endNeedless: async () => {},
    isCrediting: async () => false,
    creditDraft: async () => assert.fail('no draft is due'),
    creditBalance: async ({ orderId }) => {
      credits += 1;
      await fixture.change(orderId, (order, now) => ({
        order: settle(order, now, totalAmountMinor(order)),
        events: [],
      }));
    },
  };
  const tickets = (): WithdrawnTickets => ({
    disable: async ({ orderLineIds }) => {
      for (const id of orderLineIds) disabled.add(id);
      return [];
    },
    restore: async ({ orderLineIds }) => {
      for (const id of orderLineIds) disabled.delete(id);
    },
  });
  /** Sold, and then made cheaper by 20.00. */
  const cheaper = async () => {
    const { order } = await fixture.confirmed();
    const changed = await fixture.change(order.id, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -2_000) }, now),
    );
    return changed.order;
  };
  const confirm = async (
    { id }: Order,
    wanted: Partial<ConfirmRequest>,
    provided: OrderPayments | undefined = payments,
    work: OrderWork = request(),
  ) => {
    const options = { orders: fixture.here.store, payments: () => provided, tickets };
    return (await confirmFor(options, OURS, id, work, { orderVersion: 2, ...wanted })).order;
  };
  const codeOf = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof ServiceError ? error.code : error;
  };

  it('credits what is owed to the customer first, when the caller asks for it', async () => {
    const order = await cheaper();
    const work = request();
    const after = await confirm(order, { creditBalance: true }, payments, work);
    assert.deepEqual([after.status, after.version, after.money.creditedMinor, credits], ['CONFIRMED', 2, 2_000, 1]);
    checkMoney(after);
    await confirm(order, { creditBalance: true }, payments, work);
    assert.equal(credits, 1);
  });

  const meddling = (act: (id: OrderId) => Promise<unknown>): OrderPayments => ({
    ...payments,
    creditBalance: async (draft, work) => {
      await payments.creditBalance(draft, work);
      await act(draft.orderId);
    },
  });
  const addOne = async (id: OrderId) =>
    await fixture.change(id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', 100) }, now));

  it('lets nobody write between the credit and the confirmation', async () => {
    const order = await cheaper();
    let refused: unknown;
    const provided = meddling(async (id) => {
      refused = await codeOf(addOne(id));
    });
    const after = await confirm(order, { creditBalance: true }, provided);
    assert.deepEqual([refused, after.status, after.lock], ['ORDER_LOCKED', 'CONFIRMED', undefined]);
    checkMoney(after);
  });

  it('goes on after a crash behind the credit, also with what the caller has read before', async () => {
    const order = await cheaper();
    const { revision: read } = await fixture.here.store.get(OURS, order.id);
    const ifMatch = ({ revision }: { readonly revision: number }) => {
      if (revision !== read) throw new ServiceError('REVISION_CONFLICT', 'The order has changed.');
    };
    const dies = meddling(async () => {
      throw new Error('the process dies');
    });
    const work = request();
    await assert.rejects(confirm(order, { creditBalance: true, ifMatch }, dies, work), /dies/);
    assert.equal(await codeOf(addOne(order.id)), 'ORDER_LOCKED');
    const after = await confirm(order, { creditBalance: true, ifMatch }, payments, work);
    assert.deepEqual([after.status, after.money.creditedMinor], ['CONFIRMED', 2_000]);
  });

  it('is confirmed though a use is told after its tickets were withdrawn unused, and its money was paid', async () => {
    const order = await cheaper();
    const [line] = order.orderLines;
    assert.ok(line);
    await fixture.change(order.id, (before, now) =>
      replaceLines(before, { lines: [line], reservations: before.reservations }, now),
    );
    const uses = meddling(async (id) => {
      assert.deepEqual([...disabled], [line.id]);
      await fixture.change(id, (before, now) => noteUse(before, { orderLineId: line.id, usedAt: now }, now));
    });
    const after = await confirm(order, { creditBalance: true }, uses);
    assert.deepEqual([after.status, after.version, after.withdrawal], ['CONFIRMED', 2, undefined]);
  });

  it('leaves its lock to the expiry when nobody repeats it', async () => {
    const order = await cheaper();
    const dies = meddling(async () => {
      throw new Error('the process dies');
    });
    await assert.rejects(confirm(order, { creditBalance: true }, dies), /dies/);
    fixture.passes(21);
    const expiry = createOrderExpiryActivities({ orders: fixture.here.store, payments: () => payments, tickets });
    const input = { organisationId: OURS, orderId: order.id, version: 2 };
    assert.equal(await expiry.lockDraft(input), 'LOCKED');
    assert.equal(await expiry.endDraft(input), 'CONFIRMED');
  });

  const reset = async ({ id }: Order, provided: OrderPayments = payments) =>
    (await resetFor({ orders: fixture.here.store, payments: () => provided, tickets }, OURS, id, request(), {})).order;

  it('credits what the draft has captured before a reset', async () => {
    const { order } = await fixture.confirmed();
    await addOne(order.id);
    await fixture.pay(order.id);
    const busy = { ...payments, endOpenTransactions: async () => 1 };
    assert.equal(await codeOf(reset(order, busy)), 'UNAVAILABLE');
    assert.equal(await codeOf(addOne(order.id)), 'ORDER_LOCKED', 'until it is repeated');
    const credits: OrderPayments = {
      ...payments,
      creditDraft: async ({ orderId }) => {
        await fixture.change(orderId, (before, now) => ({
          order: settle(before, now, totalAmountMinor(before.confirmed ?? before)),
          events: [],
        }));
      },
    };
    const after = await reset(order, credits);
    assert.deepEqual(
      [after.status, after.version, after.lock, after.money.creditedMinor],
      [...['CONFIRMED', 1, undefined, 100]],
    );
    checkMoney(after);
  });

  const preset = async ({ id }: Order, creditBalance: boolean) =>
    await fixture.change(id, ({ creditBalance: _earlier, ...before }) => ({
      order: { ...before, ...(creditBalance && { creditBalance }) },
      events: [],
    }));

  it('credits it when the last change of lines has asked for it', async () => {
    const order = await cheaper();
    await preset(order, true);
    assert.equal((await confirm(order, {})).status, 'CONFIRMED');
    assert.equal(credits, 1);
  });

  it('credits nothing when the caller refuses it, whatever a change of lines has asked', async () => {
    const order = await cheaper();
    await preset(order, true);
    assert.equal(await codeOf(confirm(order, { creditBalance: false })), 'ORDER_NOT_BALANCED');
    const { order: left } = await fixture.here.store.get(OURS, order.id);
    assert.deepEqual([left.status, left.lock, left.money.creditedMinor, credits], ['DRAFT', undefined, 0, 0]);
  });

  it('credits nothing when a change of lines takes it back after the order was read', async () => {
    const order = await cheaper();
    await preset(order, true);
    const { store } = fixture.here;
    const orders = {
      get: async (...place: Parameters<typeof store.get>) => {
        const read = await store.get(...place);
        await preset(order, false);
        return read;
      },
      change: store.change.bind(store),
    };
    const confirming = confirmFor({ orders, payments: () => payments, tickets }, OURS, order.id, request(), {
      orderVersion: 2,
    });
    assert.equal(await codeOf(confirming), 'ORDER_NOT_BALANCED');
    const { order: left } = await store.get(OURS, order.id);
    assert.deepEqual([left.status, left.lock, credits], ['DRAFT', undefined, 0]);
  });

  it('joins no credit that another request has begun when the caller refuses it', async () => {
    const order = await cheaper();
    const dies = async () => {
      throw new Error('the process dies');
    };
    await assert.rejects(confirm(order, { creditBalance: true }, { ...payments, creditBalance: dies }), /dies/);
    assert.equal(await codeOf(confirm(order, { creditBalance: false })), 'ORDER_LOCKED');
    assert.equal(credits, 0);
    await assert.rejects(confirm(order, { creditBalance: true }, meddling(dies)), /dies/);
    const after = await confirm(order, { creditBalance: false });
    assert.deepEqual([after.status, after.money.creditedMinor], ['CONFIRMED', 2_000], 'it was paid back before');
  });

  it('refuses a negative balance that nobody asks to credit, or can', async () => {
    const order = await cheaper();
    assert.equal(await codeOf(confirm(order, {})), 'ORDER_NOT_BALANCED');
    const nobody = fixture.here.store;
    const options = { orders: nobody, payments: () => undefined, tickets };
    const asked = { orderVersion: 2, creditBalance: true };
    assert.equal(await codeOf(confirmFor(options, OURS, order.id, request(), asked)), 'ORDER_NOT_BALANCED');
    assert.equal(credits, 0);
  });

  it('pays nothing back for an order that is refused', async () => {
    const order = await cheaper();
    const asked = { creditBalance: true } as const;
    assert.equal(await codeOf(confirm(order, { ...asked, orderVersion: 1 })), 'ORDER_VERSION_MISMATCH');
    const refuse = () => {
      throw new ServiceError('REVISION_CONFLICT', 'The order has changed.');
    };
    assert.equal(await codeOf(confirm(order, { ...asked, ifMatch: refuse })), 'REVISION_CONFLICT');
    const [line] = order.orderLines;
    assert.ok(line);
    await fixture.change(order.id, (before, now) =>
      replaceLines(before, { lines: [line], reservations: before.reservations }, now),
    );
    await fixture.change(order.id, (before, now) => noteUse(before, { orderLineId: line.id, usedAt: now }, now));
    assert.equal(await codeOf(confirm(order, asked)), 'TICKET_ALREADY_USED');
    assert.equal(credits, 0);
  });
});
