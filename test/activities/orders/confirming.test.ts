/** Confirming an order whose balance is owed to the customer; the area of payments is played by the test. */
import assert from 'node:assert/strict';
import { type ConfirmRequest, confirmFor } from '../../../activities/orders/confirming.ts';
import type { OrderPayments } from '../../../activities/shared/order-payments.ts';
import type { OrderWork } from '../../../activities/shared/orders.ts';
import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { replaceLines } from '../../../workflows/orders/rules/line-replacement.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { presetCreditBalance } from '../../../workflows/orders/rules/payment-notes.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { settle } from '../../rules/order-commands.ts';
import { checkMoney } from '../../support/order-checks.ts';
import { OURS, sampleFee } from '../../support/sample-orders.ts';
import { OrderFixture, request } from './order-fixture.ts';

describe('confirming', () => {
  const fixture = new OrderFixture('confirming');
  let credits: number;
  before(async () => await fixture.open());
  beforeEach(async () => {
    await fixture.clear();
    credits = 0;
  });
  after(async () => await fixture.close());

  const payments: OrderPayments = {
    endOpenTransactions: async () => 0,
    creditDraft: async () => assert.fail('no draft is due'),
    creditBalance: async ({ orderId }) => {
      credits += 1;
      await fixture.change(orderId, (order, now) => ({
        order: settle(order, now, totalAmountMinor(order)),
        events: [],
      }));
    },
  };
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
    const options = { orders: fixture.here.store, payments: () => provided, now: () => fixture.now };
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

  it('credits it when an earlier change has asked for it', async () => {
    const order = await cheaper();
    await fixture.change(order.id, (before, now) => presetCreditBalance(before, { creditBalance: true }, now));
    assert.equal((await confirm(order, {})).status, 'CONFIRMED');
    assert.equal(credits, 1);
  });

  it('refuses a negative balance that nobody asks to credit, or can', async () => {
    const order = await cheaper();
    assert.equal(await codeOf(confirm(order, {})), 'ORDER_NOT_BALANCED');
    const nobody = fixture.here.store;
    const options = { orders: nobody, payments: () => undefined, now: () => fixture.now };
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
