/** Steps of refunds that stall, and go on when another attempt has ended the refund. On a real database. */
import assert from 'node:assert/strict';
import { OrderRefundWriter } from '../../../activities/orders/order-refunds.ts';
import { createRefundActivities } from '../../../activities/refunds/refund-activities.ts';
import { REFUNDS_COLLECTION } from '../../../activities/refunds/refund-document.ts';
import { RefundStore } from '../../../activities/refunds/refund-store.ts';
import { sweepLateRefunds, sweepLeftLocks } from '../../../activities/refunds/refund-sweeps.ts';
import { createLog } from '../../../platform/log.ts';
import { combine } from '../../../workflows/orders/rules/order-change.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { notePayment } from '../../../workflows/orders/rules/payment-notes.ts';
import { compensationOwner } from '../../../workflows/orders/rules/refund-locks.ts';
import type { PaidPage } from '../../../workflows/payments/rules/compensation-plan.ts';
import type { RefundInput } from '../../../workflows/refunds/messages.ts';
import type { Refund } from '../../../workflows/refunds/rules/refund.ts';
import { operationsOfCompensation } from '../../../workflows/refunds/rules/refund-life.ts';
import type {
  CreditId,
  OrderId,
  PaymentId,
  PaymentPageId,
  RefundId,
  TransactionId,
} from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { CHANNEL } from '../../api/orders/small-market.ts';
import { later, OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { OrderFixture } from '../orders/order-fixture.ts';

const log = createLog({ level: 'silent', name: 'late-attempts' });
const ASKER = 'capture/1/2';
const FAILURE = { code: 'ORDER_LOCKED', detail: 'Another party held the lock.' };

describe('late attempts of steps of refunds', () => {
  const fixture = new OrderFixture('late-attempts');
  const tickets = { disabled: false, beforeDisabling: async () => {} };
  let told = 0;
  /** Who held the order when tickets were released. */
  let heldBy: (string | undefined)[] = [];
  let refunds: RefundStore;
  let writer: OrderRefundWriter;
  before(async () => {
    await fixture.open();
    const { connection, store } = fixture.here;
    await REFUNDS_COLLECTION.ensureIndexes(connection);
    refunds = new RefundStore({ connection, environment: 'dev', now: () => fixture.now });
    writer = new OrderRefundWriter(store, connection);
  });
  beforeEach(async () => {
    await fixture.clear();
    await REFUNDS_COLLECTION.open(fixture.here.connection).deleteMany({});
    Object.assign(tickets, { disabled: false, beforeDisabling: async () => {} });
    told = 0;
    heldBy = [];
  });
  after(async () => await fixture.close());

  const access = {
    orders: () => writer,
    tickets: () => ({
      disable: async () => {
        await tickets.beforeDisabling();
        tickets.disabled = true;
        return [];
      },
      release: async ({ orderId }: { readonly orderId: OrderId }) => {
        heldBy.push((await lockOf(orderId))?.owner);
      },
      restore: async () => {
        tickets.disabled = false;
      },
      listUse: async () => [],
    }),
    payments: () => ({ endOpenTransactions: async () => 0 }),
    pages: () => ({
      tellSettled: async () => {
        told += 1;
      },
    }),
  };
  const money = {
    ...{ listPayments: async () => [], listProblems: async () => [], assertCountable: async () => {} },
    accountsOf: async () => new Map(),
    enterImported: async () => {},
    wakeAsker: async () => {},
    assertOwed: async () => {},
    listCredited: async () => [],
    sumGivenUp: async () => 0,
    begin: async () => 4711 as CreditId,
    outcome: async () => ({ status: 'FAILED' as const, creditedMinor: 0 }),
    settle: async () => ({ status: 'FAILED' as const, creditedMinor: 0 }),
    settleOwed: async () => ({ status: 'FAILED' as const, creditedMinor: 0 }),
  };
  const steps = () => createRefundActivities({ refunds, ...access, money: () => money });
  const requested = async (): Promise<RefundInput> => {
    const { order } = await fixture.confirmed();
    const { id: orderId, organisationId, version: orderVersion, currency } = order;
    const [line] = order.orderLines;
    assert.ok(line);
    const amountMinor = line.price.amountMinor;
    const content = {
      ...{ id: crypto.randomUUID() as RefundId, organisationId, orderId, orderVersion, currency },
      distributionChannelId: CHANNEL as Refund['distributionChannelId'],
      operations: [
        {
          ...{ orderLineId: line.id, orderLineVersion: line.version, refundRuleId: 'R1', unusedOnly: false },
          ...{ shareMinor: amountMinor, refundMinor: amountMinor },
        },
      ],
      parts: [
        {
          ...{ paymentId: 1 as PaymentId, transactionId: 2 as TransactionId, amountMinor },
          ...{ paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' },
        },
      ],
    };
    const work = { workId: crypto.randomUUID(), correlationId: 'c', clientId: 'partner' };
    const { refund } = await refunds.create(content, work);
    return { organisationId, orderId, refundId: refund.id, correlationId: 'c', attentionAtMs: 0 };
  };
  /** A step stalls where it disables tickets; another attempt ends the refund; then the first one goes on. */
  const overtaken = async <T>(input: RefundInput, run: () => Promise<T>): Promise<T> => {
    const [stalls, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    tickets.beforeDisabling = async () => {
      stalls.resolve();
      await goesOn.promise;
    };
    const running = run();
    await stalls.promise;
    await steps().undoRefund({ ...input, failure: FAILURE });
    goesOn.resolve();
    return await running;
  };
  const lockOf = async (orderId: OrderId) => (await fixture.here.store.get('ANY', orderId)).order.lock;

  it('of a refund that fails release the tickets that were held, after they have unlocked the order', async () => {
    const input = await requested();
    await steps().beginRefund(input);
    assert.deepEqual(heldBy, []);
    await steps().undoRefund({ ...input, failure: FAILURE });
    assert.deepEqual(new Set(heldBy), new Set([undefined]));
  });

  it('of a refund that is paid release them too', async () => {
    const input = await requested();
    await steps().beginRefund(input);
    await steps().creditRefund(input);
    const { order } = await fixture.here.store.get('ANY', input.orderId);
    const creditedMinor = order.orderLines[0]?.price.amountMinor ?? assert.fail();
    await fixture.change(input.orderId, (before) => ({
      order: { ...before, money: { ...before.money, creditedMinor } },
      events: [],
    }));
    await steps().completeRefund({ ...input, creditedMinor });
    assert.deepEqual(heldBy, [undefined]);
  });

  it('give back the tickets and the order that they have locked', async () => {
    const input = await requested();
    assert.equal((await overtaken(input, () => steps().beginRefund(input))).outcome, 'ENDED');
    assert.deepEqual([await lockOf(input.orderId), tickets.disabled], [undefined, false]);
  });

  it('give back the order also where they find that a ticket was used', async () => {
    const input = await requested();
    const { orderLineId } = (await refunds.get(OURS, input.refundId)).refund.operations[0] ?? assert.fail();
    const uses = [{ orderLineId, usedAt: fixture.now, usedLegIds: [] }];
    const late = createRefundActivities({
      ...{ refunds, ...access, money: () => money },
      tickets: () => ({ ...access.tickets(), listUse: async () => uses }),
    });
    assert.equal((await overtaken(input, () => late.beginRefund(input))).outcome, 'ENDED');
    assert.deepEqual([await lockOf(input.orderId), tickets.disabled], [undefined, false]);
  });

  it('give back the tickets that they disable again before the credit', async () => {
    const input = await requested();
    await steps().beginRefund(input);
    await overtaken(input, () => steps().creditRefund(input));
    assert.deepEqual([await lockOf(input.orderId), tickets.disabled], [undefined, false]);
  });

  it('that die leave a lock, which the sweep ends; a running refund keeps its own', async () => {
    const [input, running] = [await requested(), await requested()];
    await steps().beginRefund(running);
    await overtaken(input, () => steps().beginRefund(input));
    // As an attempt that dies after its effect.
    const { refund } = await refunds.get(OURS, input.refundId);
    const lockOwner = `refund/${input.orderId}/${input.refundId}`;
    const lines = refund.operations.map((each) => ({ ...each, feeId: 'fee' }));
    const work = { correlationId: 'c', clientId: 'refunds', lockOwner };
    await writer.lockForRefund(OURS, input.orderId, { orderVersion: 1, lines }, work);
    tickets.disabled = true;
    await sweepLeftLocks({ refunds, log, ...access });
    assert.ok(await lockOf(input.orderId));
    fixture.now = later(2, fixture.now);
    await sweepLeftLocks({ refunds, log, ...access });
    assert.deepEqual([await lockOf(input.orderId), tickets.disabled], [undefined, false]);
    assert.ok(await lockOf(running.orderId));
  });

  /** Of captured money that a draft cannot use. */
  const compensation = async (page?: PaidPage): Promise<RefundInput> => {
    const { order } = await fixture.withSeat();
    const { id: orderId, organisationId, version: orderVersion, currency } = order;
    const paid = { capturedMinor: 10_000, creditedMinor: 0, openTransactions: 0 };
    await fixture.change(orderId, (before, now) =>
      combine(before, [
        (each) => notePayment(each, { payment: { paymentId: 1, orderVersion, ...paid } }, now),
        (each) => lockOrder(each, { owner: ASKER }, now),
      ]),
    );
    const part = { paymentId: 1 as PaymentId, transactionId: 2 as TransactionId, amountMinor: 10_000 };
    const parts = [{ ...part, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' }];
    const id = crypto.randomUUID() as RefundId;
    const content = {
      ...{ id, organisationId, orderId, orderVersion, currency, parts },
      ...{ refundedVersion: orderVersion, operations: operationsOfCompensation({ id, parts }), reason: 'COMPENSATION' },
      distributionChannelId: CHANNEL as Refund['distributionChannelId'],
      compensation: { askedBy: ASKER, ...(page && { pages: [page] }) },
    };
    const work = { workId: crypto.randomUUID(), correlationId: 'c', clientId: 'payments' };
    const { refund } = await refunds.create(content, work);
    return { organisationId, orderId, refundId: refund.id, correlationId: 'c', attentionAtMs: 0 };
  };

  it('give back the draft whose money an operator has given up', async () => {
    const page = { paymentPageId: crypto.randomUUID() as PaymentPageId, paymentId: 1, transactionId: 2 } as PaidPage;
    const input = await compensation(page);
    await steps().creditRefund(input);
    await steps().needAttention(input);
    const lockOwner = compensationOwner(input);
    assert.deepEqual([(await lockOf(input.orderId))?.owner, told], [lockOwner, 1]);
    await steps().undoRefund({ ...input, failure: FAILURE });
    assert.deepEqual(await lockOf(input.orderId), undefined);
    // As a draft that went back to its expiry, because it had other money.
    const { order } = await fixture.here.store.get('ANY', input.orderId);
    await fixture.change(input.orderId, (before) => ({ order: { ...before, status: 'DRAFT' }, events: [] }));
    assert.equal(order.status, 'EXPIRED');
    await steps().needAttention(input);
    assert.deepEqual([await lockOf(input.orderId), told], [undefined, 1]);
    // As an attempt that dies after its effect.
    const work = { correlationId: 'c', clientId: 'refunds', lockOwner };
    await writer.holdCompensated(
      OURS,
      input.orderId,
      { orderVersion: 1, askedBy: ASKER, refundId: input.refundId },
      work,
    );
    await sweepLeftLocks({ refunds, log, ...access });
    assert.ok(await lockOf(input.orderId));
    fixture.now = later(2, fixture.now);
    await sweepLeftLocks({ refunds, log, ...access });
    assert.equal(await lockOf(input.orderId), undefined);
  });

  it('take their mark of a draft away, which another one has paid back; the sweep that of a dead one', async () => {
    const input = await compensation();
    await steps().creditRefund(input);
    const mark = async () => (await lockOf(input.orderId))?.compensation;
    assert.equal(await mark(), input.refundId);
    const stalls = Promise.withResolvers<void>();
    const late = createRefundActivities({
      ...{ refunds, ...access },
      money: () => ({ ...money, assertOwed: async () => await stalls.promise }),
    });
    const other = await compensation();
    const running = late.creditRefund(other);
    await until(async () => (await lockOf(other.orderId))?.compensation !== undefined, { what: 'the mark' });
    await steps().creditRefund(other);
    await steps().completeRefund({ ...other, creditedMinor: 10_000 });
    assert.equal((await lockOf(other.orderId))?.compensation, undefined);
    // The late one marks it again before it goes on.
    const draft = { orderVersion: 1, askedBy: ASKER, refundId: other.refundId };
    const work = { correlationId: 'c', clientId: 'refunds', lockOwner: compensationOwner(other) };
    await writer.markCompensated(OURS, other.orderId, draft, work);
    stalls.resolve();
    await running;
    assert.equal((await lockOf(other.orderId))?.compensation, undefined);
    await writer.markCompensated(OURS, other.orderId, draft, work);
    fixture.now = later(2, fixture.now);
    await sweepLeftLocks({ refunds, log, ...access });
    assert.deepEqual([(await lockOf(other.orderId))?.owner, await mark()], [ASKER, input.refundId]);
    assert.equal((await lockOf(other.orderId))?.compensation, undefined);
  });

  it('that were refused fail no refund that another one has begun', async () => {
    const input = await compensation();
    const [stalls, refuses] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = createRefundActivities({
      ...{ refunds, ...access },
      money: () => ({
        ...money,
        assertOwed: async () => {
          stalls.resolve();
          await refuses.promise;
          throw new ServiceError('REFUND_AMOUNT_EXCEEDED', 'It was paid back.');
        },
      }),
    });
    const running = late.creditRefund(input);
    await stalls.promise;
    await steps().creditRefund(input);
    refuses.resolve();
    await running;
    assert.equal((await refunds.get(OURS, input.refundId)).refund.status, 'CREDITING');
    assert.equal((await lockOf(input.orderId))?.compensation, input.refundId);
  });

  it('of an older build that end a compensation leave a mark that hides nothing', async () => {
    const [input, swept] = [await compensation(), await compensation()];
    const collection = REFUNDS_COLLECTION.open(fixture.here.connection);
    const ids = [input.refundId, swept.refundId];
    await collection.updateMany({ _id: { $in: ids } }, { $set: { status: 'COMPLETED' } });
    assert.equal(await refunds.findCompensating(OURS, input.orderId), undefined);
    assert.equal(await refunds.countCompensated(OURS, input.orderId), 1);
    const { refund } = await refunds.get(OURS, input.refundId);
    const { status: _status, createdAt: _at, updatedAt: _until, disabledTicketIds: _ids, ...content } = refund;
    const next = { ...content, id: crypto.randomUUID() as RefundId };
    await refunds.create(next, { workId: crypto.randomUUID(), correlationId: 'c', clientId: 'payments' });
    assert.equal((await refunds.findCompensating(OURS, input.orderId))?.id, next.id);
    await sweepLateRefunds({ refunds, start: async () => {}, log });
    const marked = await collection.find({ isCompensating: true }).toArray();
    assert.deepEqual(
      marked.filter(({ status }) => status === 'COMPLETED'),
      [],
    );
  });

  it('are brought back by the sweep, however many refunds wait for an operator', async () => {
    const input = await requested();
    const collection = REFUNDS_COLLECTION.open(fixture.here.connection);
    const found = await collection.findOne({ _id: input.refundId });
    const waiting = Array.from({ length: 400 }, (_, at) => ({
      ...{ ...found, _id: crypto.randomUUID(), creationId: `w-${at}`, orderId: `W${at}`, status: 'NEEDS_ATTENTION' },
      createdAt: later(-at - 1),
    }));
    await collection.insertMany(waiting as never);
    fixture.now = later(3, fixture.now);
    const started: string[] = [];
    const start = async ({ id }: { readonly id: RefundId }) => void started.push(id);
    await sweepLateRefunds({ refunds, start, log });
    assert.equal(new Set(started).size, 401);
    assert.ok(started.includes(input.refundId));
  });
});
