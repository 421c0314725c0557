/** Requests whose order changes between the plan and the lock. Refunds and orders are in a real database; the plans are given. */
import assert from 'node:assert/strict';
import { OrderRefundWriter } from '../../../activities/orders/order-refunds.ts';
import { createRefundActivities } from '../../../activities/refunds/refund-activities.ts';
import { REFUNDS_COLLECTION } from '../../../activities/refunds/refund-document.ts';
import type { StartedRefund } from '../../../activities/refunds/refund-start.ts';
import { RefundStore } from '../../../activities/refunds/refund-store.ts';
import { Refunder } from '../../../activities/refunds/refunder.ts';
import { assertFree } from '../../../activities/refunds/refunding.ts';
import { createLog } from '../../../platform/log.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { noteAttention, noteCrediting, noteLocked } from '../../../workflows/refunds/rules/refund-life.ts';
import type { CreditId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { OrderFixture } from '../orders/order-fixture.ts';

const log = createLog({ level: 'silent', name: 'refunder' });
const GONE = new ServiceError('REFUND_AMOUNT_EXCEEDED', 'Nothing is left.');
const NO_MONEY = {
  ...{ listPayments: async () => [], listProblems: async () => [], assertCountable: async () => {} },
  ...{ enterImported: async () => {}, begin: async () => assert.fail('nothing is credited') },
  ...{ outcome: async () => assert.fail(), settle: async () => assert.fail(), settleOwed: async () => assert.fail() },
  accountsOf: async () => new Map(),
  wakeAsker: async () => assert.fail('nobody has asked'),
  assertOwed: async () => assert.fail('nothing is compensated'),
  listCredited: async () => assert.fail('nothing is credited'),
  sumGivenUp: async () => assert.fail('nothing is given up'),
};

describe('requests of refunds', () => {
  const fixture = new OrderFixture('refunder');
  let refunds: RefundStore;
  before(async () => {
    await fixture.open();
    const { connection } = fixture.here;
    await REFUNDS_COLLECTION.ensureIndexes(connection);
    refunds = new RefundStore({ connection, environment: 'dev', now: () => fixture.now });
  });
  beforeEach(async () => {
    await fixture.clear();
    await REFUNDS_COLLECTION.open(fixture.here.connection).deleteMany({});
  });
  after(async () => await fixture.close());

  /** The workflow as far as it comes where it cannot lock the order. */
  const start = async ({ id: refundId, organisationId, orderId, correlationId }: StartedRefund) => {
    const { store, connection } = fixture.here;
    const tickets = {
      disable: async () => [],
      restore: async () => {},
      release: async () => {},
      listUse: async () => [],
    };
    const orders = () => new OrderRefundWriter(store, connection);
    const none = { payments: () => assert.fail('no draft ends'), pages: () => assert.fail('no page is told') };
    const steps = createRefundActivities({ refunds, orders, tickets: () => tickets, money: () => NO_MONEY, ...none });
    const input = { organisationId, orderId, refundId, correlationId, attentionAtMs: 0 };
    const { outcome, failure } = await steps.beginRefund(input);
    assert.equal(outcome, 'REFUSED');
    await steps.undoRefund({ ...input, failure: failure ?? assert.fail() });
  };
  /** The workflow as far as it comes where one provider has paid and another one refuses. */
  const startOfPart = async ({ id, organisationId }: StartedRefund) => {
    const steps: readonly Parameters<RefundStore['change']>[3][] = [
      (before, now) => noteLocked(before, { refundedVersion: 2, disabledTicketIds: [] }, now),
      (before, now) => noteCrediting(before, { creditId: 4711 as CreditId }, now),
      noteAttention,
    ];
    for (const step of steps) await refunds.change(organisationId, id, { correlationId: 'c', clientId: 'r' }, step);
  };
  /** `plan`: of the n-th attempt, from 1. */
  const asked = async (sold: Order, plan: (attempt: number) => Order, { begin = start, waitsMs = 10_000 } = {}) => {
    let plans = 0;
    const planToRefund = async () => {
      plans += 1;
      const [line = assert.fail()] = sold.orderLines;
      const amountMinor = line.price.amountMinor;
      const operation = {
        ...{ orderLineId: line.id, orderLineVersion: line.version, refundRuleId: 'R1', unusedOnly: false },
        ...{ shareMinor: amountMinor, refundMinor: amountMinor },
      };
      return { order: plan(plans), operations: [operation], parts: [] };
    };
    const planning = { planToRefund, plan: planToRefund };
    const refunder = new Refunder({ refunds, start: begin, planning, waitsMs });
    const demand = async () => ({
      ...{ operations: [], includesCancelled: false, isOverruled: false, member: 'refundOperations' as const },
    });
    const channel = { id: 'SVC:DistributionChannel:Page', refundPaymentTypeGroups: [] } as never;
    const place = { tenancy: sold.organisationId, orderId: sold.id, channel, correlationId: 'c' };
    const work = { workId: crypto.randomUUID(), correlationId: 'c', clientId: 'partner' };
    const repeat = async () => await refunder.refund(place, demand, work, log);
    return { repeat, plans: () => plans };
  };

  it('are planned again where the order has changed, and told what is left of it', async () => {
    const { order } = await fixture.confirmed();
    const { repeat, plans } = await asked(order, (attempt) => {
      if (attempt > 1) throw GONE;
      return { ...order, version: order.version + 1 };
    });
    await assert.rejects(repeat(), { code: 'REFUND_AMOUNT_EXCEEDED' });
    assert.equal(plans(), 2);
    // The same key is planned once more.
    await assert.rejects(repeat(), { code: 'REFUND_AMOUNT_EXCEEDED' });
    assert.equal(plans(), 3);
  });

  it('are told when to ask again while a capture holds the order', async () => {
    const { order } = await fixture.confirmed();
    const locked = { ...order, lock: { owner: 'capture/1/1', since: fixture.now } };
    assert.throws(() => assertFree(locked), { code: 'ORDER_LOCKED', headers: { 'Retry-After': '2' } });
    assert.doesNotThrow(() => assertFree(order));
  });

  it('are answered at once where only a person can go on', async () => {
    const { order } = await fixture.confirmed();
    const { repeat } = await asked(order, () => order, { begin: startOfPart, waitsMs: 3600_000 });
    assert.equal((await repeat()).status, 'NEEDS_ATTENTION');
    assert.equal((await repeat()).status, 'NEEDS_ATTENTION');
  });

  it('are told of the refunds in progress where the order changes again and again', async () => {
    const { order } = await fixture.confirmed();
    const { repeat, plans } = await asked(order, (attempt) => ({ ...order, version: order.version + attempt }));
    await assert.rejects(repeat(), { code: 'REFUND_IN_PROGRESS' });
    assert.equal(plans(), 5);
  });
});
