/** The workflow of a transaction on a real Temporal server, with the payment provider simulator. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import type { TransactionPlace } from '../../../activities/payments/capture-calls.ts';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { lockOrder, unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import { transactionOf, withTransaction } from '../../../workflows/payments/rules/transactions.ts';
import { payByCard, submit } from '../../support/provider-simulator.ts';
import { OURS, sampleFee } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { refusedAfter, withFee } from './captured-in-vain.ts';
import { GOOD_CARD, MoneyWorld, workOf } from './money-world.ts';

const PAGE = { pageId: '00000000-0000-4000-8000-000000000001' };

describe('capture', () => {
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('capture-workflow');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  /** Repeats the same request where a busy machine does not answer it in time, as a careful caller does. */
  const capturePatiently = async (place: TransactionPlace, work = workOf()): Promise<string> => {
    try {
      return await world.calls.capture(place, work);
    } catch (error) {
      if (!(error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)) throw error;
      return await capturePatiently(place, work);
    }
  };
  const untilAuthorised = async (place: TransactionPlace) => {
    await world.callback(place);
    const isAuthorised = async () => (await world.transaction(place)).authorisationId !== undefined;
    await until(isAuthorised, { what: 'the authorisation' });
  };

  it('says that the provider has not answered when nothing was begun', async () => {
    const place = await world.authorised();
    await world.fault({ call: 'status', mode: 'FAIL_BEFORE', count: 1 });
    await assert.rejects(world.capture(place), { code: 'PSP_TIMEOUT' });
    assert.equal(await world.capture(place), 'CAPTURED');
  });

  it('takes the money once, and confirms the order', async () => {
    const place = await world.authorised();
    assert.equal(await world.capture(place), 'CAPTURED');
    const order = await world.order(place);
    assert.deepEqual([order.status, balanceMinor(order), order.lock], ['CONFIRMED', 0, undefined]);
    const { last4, rrn } = await world.transaction(place);
    assert.equal(last4, '1111');
    assert.ok(rrn);
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
    assert.deepEqual(await world.ended(place), { status: 'CAPTURED' });
    assert.equal(await world.capture(place), 'CAPTURED');
  });

  it('takes it once for a hundred callers and callbacks', async () => {
    const place = await world.authorised();
    const calls = Array.from({ length: 100 }, async (_, index) =>
      index % 3 === 0 ? await world.callback(place) : await capturePatiently(place),
    );
    const answers = await Promise.allSettled(calls);
    for (const answer of answers) {
      if (answer.status === 'rejected') assert.equal(answer.reason.code, 'RESOURCE_BUSY');
      else assert.ok(answer.value === undefined || answer.value === 'CAPTURED');
    }
    assert.equal((await world.order(place)).status, 'CONFIRMED');
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('answers each of many captures and cancellations with its own outcome', async () => {
    const place = await world.authorised();
    const captures = Array.from({ length: 15 }, () => world.capture(place));
    const cancellations = Array.from({ length: 5 }, () => world.cancel(place));
    const codes = async (calls: readonly Promise<unknown>[]) => {
      const answers = await Promise.allSettled(calls);
      return answers.map((each) => (each.status === 'rejected' ? each.reason.code : each.value));
    };
    const [captured, cancelled] = await Promise.all([codes(captures), codes(cancellations)]);
    const isSold = (await world.order(place)).status === 'CONFIRMED';
    const expected = isSold ? ['CAPTURED', 'INVALID_STATE'] : ['INVALID_STATE', 'CANCELLED'];
    assert.deepEqual([[...new Set(captured)], [...new Set(cancelled)]].flat(), expected);
  });

  it('captures without a provider what is handled elsewhere', async () => {
    const place = await world.payment({ provider: 'BOOK' });
    assert.equal(await world.capture(place), 'CAPTURED');
    assert.equal((await world.order(place)).status, 'CONFIRMED');
  });

  it('refuses a capture before the customer has authorised it, and leaves the order unlocked', async () => {
    const place = await world.payment();
    await world.terminal(place);
    await assert.rejects(world.capture(place), { code: 'INVALID_STATE' });
    const { status, lock } = await world.order(place);
    assert.deepEqual([status, lock], ['DRAFT', undefined]);
  });

  it('ends what the provider refuses to open, and may open it later', async () => {
    world.refusesSessions = true;
    const [place, other] = [await world.payment(), await world.payment()];
    for (const each of [place, other]) await assert.rejects(world.terminal(each), { code: 'PSP_ERROR' });
    assert.equal(await world.cancel(place), 'CANCELLED');
    const { paymentRefs } = await world.order(place);
    assert.equal(paymentRefs[0]?.openTransactions, 0);
    world.refusesSessions = false;
    await payByCard(await world.terminal(other), GOOD_CARD);
    assert.equal(await world.capture(other), 'CAPTURED');
  });

  it('asks for a challenge after a soft decline, and captures after it', async () => {
    const place = await world.payment();
    const terminal = await world.terminal(place);
    await payByCard(terminal, '4000002500003155');
    await assert.rejects(world.capture(place), { code: 'SOFT_DECLINE' });
    assert.equal((await world.order(place)).lock, undefined);
    await submit(`${terminal}/3-d-secure`, { approve: '1' });
    assert.equal(await world.capture(place), 'CAPTURED');
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('uses up no round while the customer has not passed the challenge', async () => {
    const place = await world.payment();
    const terminal = await world.terminal(place);
    await payByCard(terminal, '4000002500003155');
    for (let call = 1; call <= 6; call += 1) await assert.rejects(world.capture(place), { code: 'SOFT_DECLINE' });
    const { round, status } = await world.transaction(place);
    assert.deepEqual([round, status], [2, 'INITIATED']);
    assert.equal(await world.terminal(place), terminal);
    assert.equal((await world.order(place)).lock, undefined);
    await submit(`${terminal}/3-d-secure`, { approve: '1' });
    assert.equal(await world.capture(place), 'CAPTURED');
  });

  it('rejects a transaction after the fifth soft decline', async () => {
    const place = await world.authorised('4000002500003155');
    await untilAuthorised(place);
    await world.payments.change(place.organisationId, place.paymentId, workOf(), (payment, now) => ({
      payment: withTransaction(payment, { ...transactionOf(payment, place.transactionId), round: 5 }, now),
      events: [],
    }));
    await assert.rejects(world.capture(place), { code: 'REFUSED_BY_ISSUER' });
    assert.equal((await world.transaction(place)).status, 'REJECTED');
  });

  it('gives back what was authorised of another amount, and captures nothing of it', async () => {
    for (const begin of [world.capture.bind(world), world.callback.bind(world)]) {
      const place = await world.authorised();
      const { organisationId, paymentId, transactionId } = place;
      await world.payments.change(organisationId, paymentId, workOf(), (payment, now) => ({
        payment: withTransaction(payment, { ...transactionOf(payment, transactionId), amountMinor: 9_000 }, now),
        events: [],
      }));
      await begin(place).catch((error: { code?: string }) => assert.equal(error.code, 'INVALID_STATE'));
      await until(async () => (await world.transaction(place)).status === 'CANCELLED', { what: 'the void' });
      assert.deepEqual(await world.ledger(place), { captures: 0, captured: 0, refunded: 0 });
      assert.ok((await world.transaction(place)).authorisationId);
      assert.equal((await world.order(place)).lock, undefined);
    }
  });

  it('rejects what the issuer refuses, also when it is asked again', async () => {
    const place = await world.authorised('4000000000000002');
    await assert.rejects(world.capture(place), { code: 'REFUSED_BY_ISSUER' });
    await assert.rejects(world.capture(place), { code: 'REFUSED_BY_ISSUER' });
    const { lock, paymentRefs } = await world.order(place);
    assert.equal(lock, undefined);
    assert.equal(paymentRefs[0]?.openTransactions, 0);
    assert.deepEqual(await world.ended(place), { status: 'REJECTED' });
  });

  it('never takes a lost answer for a refusal', async () => {
    const place = await world.authorised('4000000000000259');
    assert.equal(await world.capture(place), 'CAPTURED');
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('answers RESOURCE_BUSY after ten seconds, and goes on asking', async () => {
    const place = await world.authorised();
    await untilAuthorised(place);
    await world.fault({ call: 'capture', mode: 'DROP', count: 1 });
    await world.fault({ call: 'status', mode: 'FAIL_BEFORE', count: 3 });
    await assert.rejects(world.capture(place), { code: 'RESOURCE_BUSY' });
    assert.equal((await world.order(place)).status, 'DRAFT');
    await until(async () => (await world.order(place)).status === 'CONFIRMED', {
      what: 'the order',
      timeoutMs: 40_000,
    });
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('waits for a capture that is pending at the provider', async () => {
    const place = await world.authorised('4000000000000077');
    assert.equal(await world.capture(place), 'CAPTURED');
    assert.equal((await world.order(place)).status, 'CONFIRMED');
  });

  it('refuses a version that the order has left behind, before the provider is asked', async () => {
    const { order: sold } = await world.fixture.confirmed();
    const { order } = await world.fixture.change(sold.id, (before, now) =>
      addFee(before, { fee: sampleFee('MANUAL', 500) }, now),
    );
    const place = await world.authorised(undefined, { order });
    await world.fixture.change(sold.id, (before, now) => ({
      order: { ...before, version: 3, highestVersion: 3 },
      events: [],
      now,
    }));
    await assert.rejects(world.capture(place), {
      code: 'ORDER_VERSION_MISMATCH',
      message: /The transaction is cancelled/,
    });
    assert.deepEqual(await world.ledger(place), { captures: 0, captured: 0, refunded: 0 });
    assert.equal((await world.transaction(place)).status, 'CANCELLED');
  });

  it('gives back what was authorised for a version that was left behind, also while a refund holds the order', async () => {
    const place = await world.authorised();
    const owner = `refund/${place.orderId}/${randomUUID()}`;
    await world.fixture.change(place.orderId, (before, now) =>
      lockOrder({ ...before, version: 2, highestVersion: 2 }, { owner }, now),
    );
    await assert.rejects(world.capture(place), {
      code: 'ORDER_VERSION_MISMATCH',
      message: /The transaction is cancelled/,
    });
    const { status, intent } = await world.transaction(place);
    assert.deepEqual([status, intent], ['CANCELLED', undefined]);
    assert.deepEqual(await world.ledger(place), { captures: 0, captured: 0, refunded: 0 });
    assert.equal((await world.order(place)).lock?.owner, owner);
  });

  it('leaves a transaction of a draft that a refund holds as it is: the draft may be sold later', async () => {
    const place = await world.authorised();
    const owner = `compensation/${place.orderId}/${randomUUID()}`;
    await world.fixture.change(place.orderId, (before, now) => lockOrder(before, { owner }, now));
    await assert.rejects(world.capture(place), {
      code: 'ORDER_LOCKED',
      message: /^The refund [0-9a-f-]{36} of the order runs/,
    });
    assert.equal((await world.transaction(place)).status, 'INITIATED');
    await world.fixture.change(place.orderId, (before, now) => unlockOrder(before, { owner }, now));
    assert.equal(await world.capture(place), 'CAPTURED');
  });

  it('refuses more than the order owes', async () => {
    const place = await world.authorised();
    await world.fixture.change(place.orderId, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -2_000) }, now),
    );
    await assert.rejects(world.capture(place), { code: 'AMOUNT_MISMATCH' });
    assert.equal((await world.order(place)).lock, undefined);
  });

  it('pays back what it has taken when the order is refused its confirmation', async () => {
    const { order: sold } = await world.fixture.confirmed();
    const { order } = await world.fixture.change(sold.id, (before, now) =>
      addFee(before, { fee: sampleFee('MANUAL', 500) }, now),
    );
    const place = await world.authorised(undefined, { order });
    // Another system pays the same, while the capture runs.
    await world.fault({ call: 'capture', mode: 'SLOW', count: 1, delayMs: 700 });
    const captured = world.capture(place);
    await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
    const other = { paymentId: 2, orderVersion: 2, capturedMinor: 500, creditedMinor: 0, openTransactions: 0 };
    await world.money.notePayment(OURS, order.id, other, { correlationId: 'c', clientId: 'x' });
    await captured;
    await world.ended(place);
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 500, refunded: 500 });
    const after = await world.order(place);
    assert.deepEqual([after.status, after.version, balanceMinor(after), after.lock], ['CONFIRMED', 2, 0, undefined]);
    assert.equal((await world.transaction(place)).status, 'CREDITED');
  });

  it('goes back to what was sold when the draft cannot be sold any more', async () => {
    const { order: sold } = await world.fixture.confirmed();
    const [line] = sold.orderLines;
    const { order } = await world.fixture.change(sold.id, (before, now) =>
      addFee(before, { fee: sampleFee('MANUAL', 500) }, now),
    );
    const place = await world.authorised(undefined, { order });
    await world.fault({ call: 'capture', mode: 'SLOW', count: 1, delayMs: 700 });
    const captured = world.capture(place);
    await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
    // Its ticket is used, and the draft changes that line.
    await world.fixture.change(order.id, (before, now) => {
      const used = noteUse(before, { orderLineId: line?.id ?? ('' as never), usedAt: now }, now).order;
      const orderLines = used.orderLines.map((each) => ({ ...each, status: 'CANCELLATION_DRAFT' as const }));
      const fees = used.fees.map((fee) => ({ ...fee, price: { ...fee.price, amountMinor: 10_500 } }));
      return { order: { ...used, orderLines, fees }, events: [] };
    });
    await captured.catch(() => undefined);
    await world.ended(place);
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 500, refunded: 500 });
    const after = await world.order(place);
    assert.deepEqual([after.status, after.version, after.lock], ['CONFIRMED', 1, undefined]);
  });

  it('cancels, and gives back what was authorised', async () => {
    const place = await world.authorised();
    assert.equal(await world.cancel(place), 'CANCELLED');
    assert.equal(await world.cancel(place), 'CANCELLED');
    await assert.rejects(world.capture(place), { code: 'INVALID_STATE' });
    assert.deepEqual(await world.ended(place), { status: 'CANCELLED' });
    assert.deepEqual(await world.ledger(place), { captures: 0, captured: 0, refunded: 0 });
  });

  it('refuses to cancel what is captured', async () => {
    const place = await world.authorised();
    await world.capture(place);
    await assert.rejects(world.cancel(place), { code: 'INVALID_STATE' });
  });

  it('knows after a look what the provider knows', async () => {
    const place = await world.payment(PAGE);
    const terminal = await world.terminal(place);
    assert.equal(await world.calls.look(place, workOf()), 'INITIATED');
    await payByCard(terminal, '4000002500003155');
    await assert.rejects(world.calls.look(place, workOf()), { code: 'SOFT_DECLINE' });
    assert.equal(await world.calls.look(place, workOf()), 'INITIATED', 'the challenge is still due');
    assert.equal((await world.transaction(place)).needsChallenge, true);
    await submit(`${terminal}/3-d-secure`, { approve: '1' });
    assert.equal(await world.calls.look(place, workOf()), 'CAPTURED');
    assert.equal((await world.order(place)).status, 'CONFIRMED');
  });

  it('takes no older amount for a payment page, and gives back what was authorised', async () => {
    const place = await world.authorised(undefined, PAGE);
    await world.owesMore(place);
    await assert.rejects(world.capture(place), { code: 'AMOUNT_MISMATCH' });
    await world.callback(place);
    assert.deepEqual(await world.ended(place), { status: 'CANCELLED' });
    assert.deepEqual(await world.ledger(place), { captures: 0, captured: 0, refunded: 0 });
    const { status, lock, money } = await world.order(place);
    assert.deepEqual([status, lock, money.capturedMinor], ['DRAFT', undefined, 0]);
  });

  it('pays back what it has captured for a payment page when that does not pay the order', async () => {
    const place = await world.authorised(undefined, PAGE);
    await refusedAfter(world, place, PAGE.pageId, withFee);
    assert.equal((await world.transaction(place)).status, 'CREDITED');
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 10_000 });
    const { status, lock } = await world.order(place);
    assert.deepEqual([status, lock], ['EXPIRED', undefined]);
  });

  it('captures by itself for a payment page, once it is authorised', async () => {
    const place = await world.authorised(undefined, PAGE);
    await world.callback(place);
    await world.ended(place);
    assert.equal((await world.order(place)).status, 'CONFIRMED');
  });
});
