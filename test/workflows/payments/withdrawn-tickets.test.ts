/** Confirmations that pay money back take the tickets first of what they change: a customer has the ride or the money, never both. */
import assert from 'node:assert/strict';
import { confirmFor } from '../../../activities/orders/confirming.ts';
import { createPaymentFor } from '../../../activities/payments/creating.ts';
import { finishImport, importMoney } from '../../../activities/payments/importing.ts';
import { balanceMinor, excessMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import { addLines, type NewLine, newLine } from '../../../workflows/orders/rules/lines.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import { creditStatusOf } from '../../../workflows/payments/rules/credit.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { later, OURS, sampleFee, sampleLine, seatedLine } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { GOOD_CARD, MoneyWorld, type PaidPlace, workOf } from './money-world.ts';
import { withdrawnPlaces } from './withdrawn-places.ts';
import { WorldTickets } from './world-tickets.ts';

const CHANNEL = { id: 'SVC:DistributionChannel:PaymentPage', paymentMethods: [] };
/** The provider refuses to refund it. */
const NO_REFUNDS = '4000000000005126';

describe('tickets of a confirmation that pays back', function () {
  this.timeout(120_000);
  let world: MoneyWorld;
  let tickets: WorldTickets;
  before(async () => {
    world = await MoneyWorld.open('withdrawn-tickets');
    tickets = new WorldTickets(world.fixture);
    await tickets.open();
  });
  beforeEach(async () => {
    await world.reset();
    await tickets.reset();
  });
  after(async () => await world.close());

  const { parts, cancelled, confirm, reset, standing, refunded, expiry } = withdrawnPlaces(() => ({ world, tickets }));
  const CONFIRMED = ['CONFIRMED', 2, 0, undefined, undefined, 'DISABLED'];
  const UNPAID = ['DRAFT', 2, -10_000, undefined, undefined, 'GENERATED'];
  const RESET = ['CONFIRMED', 1, 0, undefined, undefined, 'GENERATED'];

  it('are disabled before the money is asked for, and stay so', async () => {
    const place = await cancelled();
    const seen: unknown[] = [];
    tickets.meddle = async (when, effect) => {
      seen.push([when, effect, await refunded(place)]);
    };
    await confirm(place);
    assert.deepEqual(seen, [
      ['before', 'disable', 0],
      ['after', 'disable', 0],
    ]);
    assert.deepEqual(await standing(place), CONFIRMED);
    assert.equal(await refunded(place), 10_000);
  });

  it('refuse it when they were used before, or while it begins: nothing is paid, and they are valid', async () => {
    const before = await cancelled();
    await tickets.validate(before.orderId);
    await assert.rejects(confirm(before), { code: 'TICKET_ALREADY_USED' });
    assert.deepEqual(await standing(before), UNPAID);
    await tickets.reset();
    const meanwhile = await cancelled();
    tickets.meddle = async (when, effect) => {
      if (when === 'before' && effect === 'disable') await tickets.validate(meanwhile.orderId);
    };
    await assert.rejects(confirm(meanwhile), { code: 'TICKET_ALREADY_USED' });
    assert.deepEqual(await standing(meanwhile), UNPAID);
    assert.deepEqual([await refunded(before), await refunded(meanwhile)], [0, 0]);
    assert.equal((await world.credits.listOfOrder(OURS, meanwhile.orderId)).length, 0);
    await reset(meanwhile);
    assert.deepEqual(await standing(meanwhile), RESET);
  });

  it('count no use of a time when they were disabled, nor one that is told too late', async () => {
    for (const validatedBefore of [0, 1]) {
      await tickets.reset();
      const place = await cancelled();
      tickets.meddle = async (when, effect) => {
        if (when !== 'after' || effect !== 'disable') return;
        await tickets.validate(place.orderId, later(-validatedBefore, world.fixture.now));
      };
      if (validatedBefore > 0) world.fixture.now = later(5, world.fixture.now);
      await confirm(place);
      assert.deepEqual(await standing(place), CONFIRMED);
      assert.equal(await refunded(place), 10_000);
    }
  });

  it('stay disabled while the provider has not answered, and when it pays at last', async () => {
    const place = await cancelled();
    const release = world.holdRefundsAfter(0);
    await assert.rejects(confirm(place), { code: 'UNAVAILABLE' });
    const [status, , , owner, , ticket] = await standing(place);
    assert.deepEqual([status, owner, ticket], ['DRAFT', `order-confirmation/${place.orderId}/v2`, 'DISABLED']);
    await tickets.validate(place.orderId);
    release();
    await until(async () => (await refunded(place)) === 10_000, { what: 'the credit' });
    await confirm(place);
    assert.deepEqual(await standing(place), CONFIRMED);
  });

  it('are given back when the provider refuses, each time', async () => {
    const place = await cancelled(NO_REFUNDS);
    for (const _attempt of [1, 2]) {
      await assert.rejects(confirm(place), { code: 'INVALID_STATE' });
      assert.deepEqual(await standing(place), UNPAID);
    }
    await tickets.validate(place.orderId);
    await assert.rejects(confirm(place), { code: 'TICKET_ALREADY_USED' });
    await reset(place);
    assert.deepEqual(await standing(place), RESET);
    assert.equal(await refunded(place), 0);
  });

  for (const effect of ['disable', 'restore'] as const)
    for (const when of ['before', 'after'] as const)
      it(`are in step after a process died ${when} it could ${effect} them, once the request is repeated`, async () => {
        const place = await cancelled(effect === 'restore' ? NO_REFUNDS : GOOD_CARD);
        let isDying = true;
        tickets.meddle = async (...step) => {
          if (isDying && step[0] === when && step[1] === effect) throw new Error('the process dies');
        };
        await assert.rejects(confirm(place), /dies/);
        isDying = false;
        // Another attempt may be at the tickets.
        await assert.rejects(confirm(place), { code: 'ORDER_LOCKED' });
        world.fixture.now = later(1, world.fixture.now);
        if (effect === 'disable') {
          await confirm(place);
          assert.deepEqual(await standing(place), CONFIRMED);
          assert.equal(await refunded(place), 10_000);
        } else {
          await assert.rejects(confirm(place), { code: 'UNAVAILABLE' });
          assert.deepEqual(await standing(place), UNPAID);
        }
      });

  for (const dies of [false, true])
    it(`stay valid when an attempt comes late that disables them, after they were given back${dies ? ', and dies then' : ''}`, async () => {
      const place = await cancelled(NO_REFUNDS);
      const { promise: givenBack, resolve: goOn } = Promise.withResolvers<void>();
      const { promise: isStalled, resolve: stalls } = Promise.withResolvers<void>();
      let at: 'FIRST' | 'STALLED' | 'LATE' = 'FIRST';
      tickets.meddle = async (when, effect) => {
        if (effect !== 'disable') return;
        if (when === 'after' && at === 'LATE' && dies) throw new Error('the process dies');
        if (at !== 'FIRST') return;
        at = 'STALLED';
        stalls();
        await givenBack;
        at = 'LATE';
      };
      const late = confirm(place).then(
        () => assert.fail('it is refused'),
        (error: Error) => error,
      );
      await isStalled;
      world.fixture.now = later(1, world.fixture.now);
      await assert.rejects(confirm(place), { code: 'INVALID_STATE' });
      assert.deepEqual(await standing(place), UNPAID);
      goOn();
      assert.equal(((await late) as { code?: string }).code, 'UNAVAILABLE');
      assert.deepEqual(await standing(place), UNPAID);
      // What begins afterwards is no late attempt.
      tickets.meddle = async () => undefined;
      await tickets.validate(place.orderId);
      await assert.rejects(confirm(place), { code: 'TICKET_ALREADY_USED' });
      await reset(place);
      assert.deepEqual(await standing(place), RESET);
    });

  it('refuse the repeat of a request that died, when they were used in between', async () => {
    const place = await cancelled();
    tickets.meddle = async () => {
      throw new Error('the process dies');
    };
    await assert.rejects(confirm(place), /dies/);
    tickets.meddle = async () => undefined;
    await tickets.validate(place.orderId);
    world.fixture.now = later(1, world.fixture.now);
    await assert.rejects(confirm(place), { code: 'TICKET_ALREADY_USED' });
    assert.deepEqual(await standing(place), UNPAID);
    assert.equal(await refunded(place), 0);
  });

  it('are given back by the expiry, when nobody repeats the request, also after it has died itself', async () => {
    const place = await cancelled();
    tickets.meddle = async (when) => {
      if (when === 'after') throw new Error('the process dies');
    };
    await assert.rejects(confirm(place), /dies/);
    const input = { organisationId: OURS, orderId: place.orderId, version: 2 };
    world.fixture.now = later(60, world.fixture.now);
    assert.equal(await expiry().lockDraft(input), 'LOCKED');
    await assert.rejects(expiry().endDraft(input), /dies/);
    assert.equal((await world.order(place)).status, 'DRAFT');
    tickets.meddle = async () => undefined;
    assert.equal(await expiry().endDraft(input), 'RESET');
    assert.deepEqual(await standing(place), RESET);
    assert.equal(await refunded(place), 0);
  });

  it('let no money be set aside before all of them are disabled, or once they are given back', async () => {
    const place = await cancelled();
    tickets.meddle = async (when) => {
      if (when === 'before') throw new Error('the process dies');
    };
    await assert.rejects(confirm(place), /dies/);
    // As another attempt of the same request would.
    const draft = { organisationId: OURS, orderId: place.orderId, version: 2 };
    await assert.rejects(world.orderPayments.creditBalance(draft, workOf()), { code: 'INVALID_STATE' });
    const made = await world.credits.listOfOrder(OURS, place.orderId);
    assert.deepEqual(
      made.map(({ credit }) => [creditStatusOf(credit), credit.reservation]),
      [['FAILED', 'REFUSED']],
    );
    assert.equal(await refunded(place), 0);
  });

  it('are not given back while another attempt pays', async () => {
    const place = await cancelled();
    const release = world.holdRefundsAfter(0);
    await assert.rejects(confirm(place), { code: 'UNAVAILABLE' });
    const isCrediting = async () =>
      await world.orderPayments.isCrediting({ organisationId: OURS, orderId: place.orderId });
    const payments = () => ({
      ...{ endOpenTransactions: async () => 0, creditDraft: async () => undefined, isCrediting },
      endNeedless: async () => undefined,
      creditBalance: async () => {
        throw new ServiceError('INVALID_STATE', 'Refused.');
      },
    });
    const refused = confirmFor({ ...parts(), payments }, OURS, place.orderId, workOf(), {
      orderVersion: 2,
      creditBalance: true,
    });
    await assert.rejects(refused, { code: 'UNAVAILABLE' });
    assert.deepEqual(await tickets.statuses(place.orderId), ['DISABLED']);
    release();
    await until(async () => !(await isCrediting()), { what: 'the credit' });
    world.fixture.now = later(1, world.fixture.now);
    // The first repeat ends what was refused, the second one finds the money paid.
    await assert.rejects(confirm(place), { code: 'UNAVAILABLE' });
    await confirm(place);
    assert.deepEqual(await standing(place), CONFIRMED);
  });

  it('are taken under a lock of a build that paid first, and the order is confirmed', async () => {
    const place = await cancelled();
    const release = world.holdRefundsAfter(0);
    await assert.rejects(confirm(place), { code: 'UNAVAILABLE' });
    await tickets.reset();
    await tickets.issue(await world.order(place));
    await world.fixture.change(place.orderId, ({ withdrawal: _withdrawal, ...order }) => ({ order, events: [] }));
    release();
    await until(async () => (await refunded(place)) === 10_000, { what: 'the credit' });
    world.fixture.now = later(1, world.fixture.now);
    await confirm(place);
    assert.deepEqual(await standing(place), CONFIRMED);
  });

  it('are disabled many at a time, and not again by the attempt that goes on', async () => {
    const place = await cancelled();
    const more = Array.from({ length: 44 }, () => sampleLine({ amountMinor: 0 }));
    // As if all had been sold together.
    await world.fixture.change(place.orderId, (before) => {
      const sold = (each: NewLine) => ({ ...newLine(each, world.fixture.now), status: 'CONFIRMED' as const });
      const { confirmed = assert.fail() } = before;
      const orderLines = [...confirmed.orderLines, ...more.map(sold)];
      const all = orderLines.map((each) => ({ ...each, status: 'CANCELLATION_DRAFT' as const }));
      return { order: { ...before, orderLines: all, confirmed: { ...confirmed, orderLines } }, events: [] };
    });
    await tickets.issue(await world.order(place));
    let calls = 0;
    tickets.meddle = async (when) => {
      if (when !== 'after') return;
      calls += 1;
      if (calls === 2) throw new Error('the process dies');
    };
    await assert.rejects(confirm(place), /dies/);
    const disabled = async () =>
      (await tickets.statuses(place.orderId)).filter((status) => status === 'DISABLED').length;
    assert.equal(await disabled(), 40);
    world.fixture.now = later(1, world.fixture.now);
    const { order } = await confirm(place);
    assert.deepEqual([order.status, order.version, await disabled(), calls], ['CONFIRMED', 2, 45, 2 + 3]);
  });

  it('come back where one is used, and money of what was sold was paid before any was taken', async () => {
    const { order } = await world.fixture.withSeat();
    const { line, reservation } = seatedLine({ traveller: order.travellers[0] ?? assert.fail(), seat: '2' });
    world.fixture.keeper.states.set(reservation.id, 'HELD');
    const two = await world.fixture.change(order.id, (before, now) =>
      addLines(before, { lines: [line], reservations: [reservation] }, now),
    );
    const place = await world.authorised(GOOD_CARD, { order: two.order });
    await world.capture(place);
    const sold = await world.order(place);
    await tickets.issue(sold);
    const orderLineIds = sold.orderLines.map(({ id }) => id);
    const credited = async (creditedMinor: number) =>
      await world.fixture.change(place.orderId, (before) => ({
        order: { ...before, money: { ...before.money, creditedMinor } },
        events: [],
      }));
    await world.fixture.change(place.orderId, (before, now) => cancelLines(before, { orderLineIds }, now));
    await credited(4_000);
    tickets.meddle = async (when, effect) => {
      if (when === 'before' && effect === 'disable') await tickets.validate(place.orderId, world.fixture.now, line.id);
    };
    await assert.rejects(confirm(place), { code: 'TICKET_ALREADY_USED' });
    const GENERATED = ['GENERATED', 'GENERATED'];
    assert.deepEqual(await tickets.statuses(place.orderId), GENERATED);
    // The sold version is paid again.
    await credited(0);
    await reset(place);
    assert.deepEqual(await standing(place), ['CONFIRMED', 1, 0, undefined, undefined, ...GENERATED]);
  });

  describe('that were used all the same, after the money was paid', () => {
    /** As a build of before has left it: paid back, used, and refused its confirmation. */
    const spent = async (): Promise<PaidPlace> => {
      const place = await cancelled();
      const owner = `order-confirmation/${place.orderId}/v2`;
      const [line] = place.order.orderLines;
      const orderLineId = line?.id ?? assert.fail();
      await world.fixture.change(place.orderId, (before, now) => ({
        order: {
          ...before,
          lock: { owner, since: now },
          withdrawal: { orderLineIds: [orderLineId], doneIds: [orderLineId] },
        },
        events: [],
      }));
      await world.orderPayments.creditBalance({ organisationId: OURS, orderId: place.orderId, version: 2 }, workOf());
      await world.fixture.change(place.orderId, ({ lock: _lock, withdrawal: _withdrawal, ...before }, now) =>
        noteUse(before, { orderLineId, usedAt: now }, now),
      );
      return place;
    };

    it('let the sold version be paid again by a capture, and the draft be reset', async () => {
      const place = await spent();
      await assert.rejects(confirm(place), { code: 'TICKET_ALREADY_USED' });
      await assert.rejects(reset(place), { code: 'INVALID_STATE' });
      const order = await world.order(place);
      assert.equal(excessMinor(order), -10_000);
      const again = await world.authorised(GOOD_CARD, { order, amountMinor: 10_000 });
      assert.equal(await world.capture(again), 'CAPTURED');
      assert.equal((await world.ledger(again)).refunded, 0);
      await reset(place);
      assert.deepEqual(await standing(place), RESET);
    });

    it('let the sold version be paid again by money of another system', async () => {
      const place = await spent();
      const { orderId } = place;
      const [orders, notes] = [world.fixture.here.access, world.notes];
      const wanted = {
        ...{ tenancy: OURS, channel: CHANNEL as never, orderId, orderVersion: 2, currency: 'NOK' },
      };
      const parts = { payments: world.payments, orders, customers: {} as never, notes };
      const create = async (totalMinor: number) => await createPaymentFor(parts, { ...wanted, totalMinor }, workOf());
      await assert.rejects(create(0), { code: 'AMOUNT_MISMATCH' });
      const { payment } = await create(10_000);
      const taken = { confirmedAt: world.fixture.now, rrn: 'TILL', paymentTypeGroup: 'CASH', paymentType: 'CASH' };
      const importing = { payments: world.payments, orders, orderMoney: world.money, notes };
      const to = { tenancy: OURS, paymentId: payment.id };
      const { transaction } = await importMoney(importing, to, workOf(), {
        ...{ ...taken, amountMinor: 10_000, currency: 'NOK' },
      });
      assert.equal(transaction.status, 'CAPTURED');
      await reset(place);
      assert.deepEqual(await standing(place), RESET);
    });

    for (const isLost of [false, true])
      it(`are paid again also where the draft costs as much${isLost ? ', when the process is lost' : ''}`, async () => {
        const place = await spent();
        const { orderId } = place;
        await world.fixture.change(orderId, (before, now) =>
          addFee(before, { fee: sampleFee('BOOKING', 10_000) }, now),
        );
        const [orders, notes] = [world.fixture.here.access, world.notes];
        const wanted = {
          ...{ tenancy: OURS, channel: CHANNEL as never, orderId, orderVersion: 2, currency: 'NOK' },
          totalMinor: 10_000,
        };
        const parts = { payments: world.payments, orders, customers: {} as never, notes };
        const { payment } = await createPaymentFor(parts, wanted, workOf());
        const taken = { confirmedAt: world.fixture.now, rrn: 'TILL', paymentTypeGroup: 'CASH', paymentType: 'CASH' };
        const tell = async () => assert.fail('the process is lost');
        const importing = {
          payments: world.payments,
          orders,
          orderMoney: world.money,
          notes: isLost ? { tell } : notes,
        };
        const money = { ...taken, amountMinor: 10_000, currency: 'NOK' };
        const imported = importMoney(importing, { tenancy: OURS, paymentId: payment.id }, workOf(), money);
        if (isLost) {
          await assert.rejects(imported, /lost/);
          const { owner } = (await world.order(place)).lock ?? assert.fail();
          await finishImport({ ...importing, notes }, { organisationId: OURS, orderId, owner }, workOf());
        } else {
          assert.equal((await imported).transaction.status, 'CAPTURED');
        }
        const order = await world.order(place);
        assert.deepEqual([order.status, balanceMinor(order), order.lock], ['DRAFT', 0, undefined]);
        await reset(place);
        assert.deepEqual(await standing(place), RESET);
      });

    it('take no more than the sold version lacks', async () => {
      const place = await spent();
      const order = await world.order(place);
      const dear = await world.authorised(GOOD_CARD, { order, amountMinor: 10_100 });
      await assert.rejects(world.capture(dear), { code: 'AMOUNT_MISMATCH' });
      assert.equal((await world.ledger(dear)).captures, 0);
    });
  });
});
