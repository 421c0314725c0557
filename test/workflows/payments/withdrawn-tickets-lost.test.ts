/** Confirmations and resets that died, or were given up, after they had withdrawn tickets: nobody repeats them. */
import assert from 'node:assert/strict';
import { countLostRequests, sweepLostRequests } from '../../../activities/orders/lost-requests.ts';
import { OrderLocks } from '../../../activities/orders/order-locks.ts';
import { resetFor } from '../../../activities/orders/resetting.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { later, OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { MoneyWorld, type PaidPlace, workOf } from './money-world.ts';
import { withdrawnPlaces } from './withdrawn-places.ts';
import { WorldTickets } from './world-tickets.ts';

describe('tickets of a lost request', function () {
  this.timeout(120_000);
  let world: MoneyWorld;
  let tickets: WorldTickets;
  before(async () => {
    world = await MoneyWorld.open('withdrawn-tickets-lost');
    tickets = new WorldTickets(world.fixture);
    await tickets.open();
  });
  beforeEach(async () => {
    await world.reset();
    await tickets.reset();
  });
  after(async () => await world.close());

  const { parts, cancelled, confirm, reset, standing, refunded, expiry } = withdrawnPlaces(() => ({ world, tickets }));
  const swept = () => {
    const { connection, options } = world.fixture.here;
    return { ...parts(), locks: new OrderLocks(connection), log: options.log, now: () => world.fixture.now };
  };
  const sweep = async () => await sweepLostRequests(swept());
  const count = async () => await countLostRequests(swept());
  const pass = (minutes: number) => {
    world.fixture.now = later(minutes, world.fixture.now);
  };
  const dies = (wanted: 'disable' | 'restore', when: 'before' | 'after') => {
    tickets.meddle = async (...step) => {
      if (step[0] === when && step[1] === wanted) throw new Error('the process dies');
    };
  };
  const lives = () => {
    tickets.meddle = async () => undefined;
  };
  const CONFIRMED = ['CONFIRMED', 2, 0, undefined, undefined, 'DISABLED'];
  const UNPAID = ['DRAFT', 2, -10_000, undefined, undefined, 'GENERATED'];
  const RESET = ['CONFIRMED', 1, 0, undefined, undefined, 'GENERATED'];
  /** Its draft has no end that would do it. */
  const withoutEnd = async (place: PaidPlace) =>
    await world.fixture.change(place.orderId, ({ expireAt: _at, ...order }) => ({ order, events: [] }));

  for (const when of ['before', 'after'] as const)
    it(`are given back when the process dies ${when} they are disabled, also after the sweep has died`, async () => {
      const place = await cancelled();
      await withoutEnd(place);
      dies('disable', when);
      await assert.rejects(confirm(place), /dies/);
      lives();
      pass(1);
      await sweep();
      assert.equal(
        (await world.order(place)).lock?.owner,
        `order-confirmation/${place.orderId}/v2`,
        'perhaps it lives',
      );
      pass(2);
      dies('restore', 'after');
      await assert.rejects(sweep(), /dies/);
      lives();
      await sweep();
      assert.notEqual((await world.order(place)).lock, undefined, 'another sweep may be at it');
      pass(10);
      assert.equal(await count(), 1);
      await Promise.all([sweep(), sweep()]);
      assert.deepEqual([await standing(place), await count(), await refunded(place)], [UNPAID, 0, 0]);
      await confirm(place);
      assert.deepEqual(await standing(place), CONFIRMED);
    });

  it('stay while the provider has not answered; then the order is confirmed', async () => {
    const place = await cancelled();
    await withoutEnd(place);
    const release = world.holdRefundsAfter(0);
    await assert.rejects(confirm(place), { code: 'UNAVAILABLE' });
    pass(3);
    await sweep();
    assert.deepEqual(await tickets.statuses(place.orderId), ['DISABLED']);
    assert.notEqual((await world.order(place)).lock, undefined);
    release();
    await until(async () => (await refunded(place)) === 10_000, { what: 'the credit' });
    const isCrediting = async () =>
      await world.orderPayments.isCrediting({ organisationId: OURS, orderId: place.orderId });
    await until(async () => !(await isCrediting()), { what: 'the end of the credit' });
    await sweep();
    assert.deepEqual(await standing(place), CONFIRMED);
  });

  it('are given back when a reset dies, before and after it has restored them', async () => {
    for (const when of ['before', 'after'] as const) {
      await tickets.reset();
      const place = await cancelled();
      dies('disable', 'after');
      await assert.rejects(confirm(place), /dies/);
      // As the sweep leaves it where the provider has paid a part: unlocked, and withdrawn.
      await world.fixture.change(place.orderId, ({ lock: _lock, ...order }) => ({ order, events: [] }));
      dies('restore', when);
      await assert.rejects(reset(place), /dies/);
      assert.equal((await world.order(place)).withdrawal?.isEnding, true);
      lives();
      await assert.rejects(reset(place), { code: 'ORDER_LOCKED' });
      pass(3);
      await sweep();
      assert.deepEqual(await standing(place), UNPAID);
      await reset(place);
      assert.deepEqual(await standing(place), RESET);
    }
  });

  describe('whose draft has other money', () => {
    /** It has captured 2500 that no confirmation can use, while its tickets are withdrawn. */
    const withExtra = async (): Promise<PaidPlace> => {
      const place = await cancelled();
      dies('disable', 'after');
      await assert.rejects(confirm(place), /dies/);
      lives();
      await world.fixture.change(place.orderId, ({ lock: _lock, ...order }) => ({
        order: { ...order, money: { ...order.money, capturedMinor: order.money.capturedMinor + 2_500 } },
        events: [],
      }));
      return place;
    };
    const unsettled = {
      endOpenTransactions: async () => 0,
      endNeedless: async () => undefined,
      creditDraft: async () => undefined,
      isCrediting: async () => false,
      creditBalance: async () => assert.fail('no balance is paid'),
    };

    it('come back before that money is credited by a reset, or by the expiry', async () => {
      const first = await withExtra();
      const provided = { ...parts(), payments: () => unsettled };
      await assert.rejects(resetFor(provided, OURS, first.orderId, workOf(), {}), { code: 'UNAVAILABLE' });
      const [, , , owner, withdrawal, status] = await standing(first);
      assert.deepEqual([owner, withdrawal, status], [`order-reset/${first.orderId}/v2`, undefined, 'GENERATED']);
      await tickets.reset();
      const second = await withExtra();
      pass(60);
      const input = { organisationId: OURS, orderId: second.orderId, version: 2 };
      assert.equal(await expiry().lockDraft(input), 'LOCKED');
      assert.equal(await expiry().endDraft(input), 'UNSETTLED');
      const after = await standing(second);
      assert.deepEqual([after[4], after[5]], [undefined, 'GENERATED']);
    });

    it('are live, and the order says so, where a reset is refused afterwards', async () => {
      const place = await withExtra();
      const creditDraft = async () => {
        throw new ServiceError('INVALID_STATE', 'Refused.');
      };
      const provided = { ...parts(), payments: () => ({ ...unsettled, creditDraft }) };
      await assert.rejects(resetFor(provided, OURS, place.orderId, workOf(), {}), { code: 'INVALID_STATE' });
      const [, , , owner, withdrawal, status] = await standing(place);
      assert.deepEqual([owner, withdrawal, status], [undefined, undefined, 'GENERATED']);
    });
  });
});
