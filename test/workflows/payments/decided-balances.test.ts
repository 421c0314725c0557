/** Balances that the provider refuses to pay back: an operator decides, and the draft is confirmed. */
import assert from 'node:assert/strict';
import { confirmFor } from '../../../activities/orders/confirming.ts';
import { CreditDecisions } from '../../../activities/payments/credit/credit-decisions.ts';
import { resolveCredit } from '../../../activities/payments/credit-resolving.ts';
import { PAYMENTS_COLLECTION } from '../../../activities/payments/payment-document.ts';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import { lockOrder, unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import { creditWorkflowId } from '../../../workflows/payments/messages.ts';
import { type Credit, creditDecisionOwner, creditStatusOf } from '../../../workflows/payments/rules/credit.ts';
import { noteCreditFailed, noteDispute } from '../../../workflows/payments/rules/credits.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { OURS, sampleFee } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { GOOD_CARD, MoneyWorld, type PaidPlace, workOf } from './money-world.ts';

/** The provider refuses to refund it. */
const NO_REFUNDS = '4000000000005126';
const ELSEWHERE = { how: 'ELSEWHERE', reason: 'BANK_TRANSFER' } as const;
const GIVEN_UP = { how: 'GIVEN_UP', reason: 'CUSTOMER_AGREED' } as const;

describe('a balance that the provider refuses', function () {
  this.timeout(120_000);
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('decided-balances');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const reduce = async ({ orderId }: PaidPlace, amountMinor: number) =>
    await world.fixture.change(orderId, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -amountMinor) }, now),
    );
  const confirm = async ({ orderId }: PaidPlace, orderVersion = 2) => {
    const parts = { orders: world.fixture.here.store, payments: () => world.orderPayments, tickets: noTickets };
    return await confirmFor(parts, OURS, orderId, workOf(), { orderVersion, creditBalance: true });
  };
  const creditsOf = async ({ orderId }: PaidPlace) =>
    (await world.credits.listOfOrder(OURS, orderId)).map(({ credit }) => credit);
  /** Its workflow has ended: the next one is not joined to it. */
  const refusedAgain = async (place: PaidPlace, orderVersion = 2): Promise<Credit> => {
    await assert.rejects(confirm(place, orderVersion), { code: 'INVALID_STATE' });
    const credit = (await creditsOf(place)).at(-1) ?? assert.fail();
    const { client } = world.server.temporal;
    await client.workflow.getHandle(creditWorkflowId({ creditId: credit.id })).result();
    return credit;
  };
  /** Sold for 10000; the draft of version 2 owes 2000, which is refused. */
  const refused = async (): Promise<{ place: PaidPlace; credit: Credit }> => {
    const place = await world.authorised(NO_REFUNDS);
    await world.capture(place);
    await reduce(place, 2_000);
    return { place, credit: await refusedAgain(place) };
  };
  const resolve = async ({ id }: Credit, wanted: typeof ELSEWHERE | typeof GIVEN_UP) => {
    const { credits, refundMoney: money, calls: workflows } = world;
    const orders = () => world.fixture.here.access;
    const orderMoney = () => world.money;
    const parts = { credits, money, orders, orderMoney, workflows, now: () => world.fixture.now };
    return await resolveCredit(parts, (await credits.get(OURS, id)).credit, wanted, 'c');
  };
  const payBack = async ({ id: creditId, orderId }: Credit) =>
    await world.creditSteps.payBack({ organisationId: OURS, orderId, creditId, correlationId: 'c' });
  const stateOf = async ({ id }: Credit) => (await world.credits.get(OURS, id)).credit.decision?.state;
  const standing = async (place: PaidPlace) => {
    const order = await world.order(place);
    const fees = order.fees.map(({ type, price }) => [type, price.amountMinor]);
    return {
      order: [order.status, order.version, balanceMinor(order), order.money.creditedMinor],
      fees,
      lock: order.lock,
    };
  };
  const postingsOf = async ({ orderId }: PaidPlace) => {
    const payment = await PAYMENTS_COLLECTION.open(world.fixture.here.connection).findOne({ orderId });
    return (payment?.outbox ?? []).filter(({ type }) => type.includes('.Credit')).map(({ entry }) => entry?.postings);
  };
  const reduction = ['REDUCTION', -2_000];

  it('is tried again by each confirmation, and stays a draft', async () => {
    const { place } = await refused();
    await refusedAgain(place);
    assert.deepEqual((await creditsOf(place)).map(creditStatusOf), ['FAILED', 'FAILED']);
    assert.deepEqual((await standing(place)).order, ['DRAFT', 2, -2_000, 0]);
  });

  it('counts as paid elsewhere, and the draft is confirmed', async () => {
    const { place, credit } = await refused();
    const decided = await resolve(credit, ELSEWHERE);
    assert.deepEqual([creditStatusOf(decided), decided.decision?.state], ['CREDITED', 'DONE']);
    assert.equal(decided.decision?.reason, 'BANK_TRANSFER');
    const after = { order: ['CONFIRMED', 2, 0, 2_000], fees: [reduction], lock: undefined };
    assert.deepEqual(await standing(place), after);
    const entry = [
      { account: 'receivables', amountMinor: 2_000 },
      { account: 'other-payouts', amountMinor: -2_000 },
    ];
    assert.deepEqual(await postingsOf(place), [entry]);
    assert.equal((await world.ledger(place)).refunded, 0);
    // A repeat answers as the first, and another decision is refused.
    assert.deepEqual(await resolve(credit, { ...ELSEWHERE, reason: 'BANK_TRANSFER' }), decided);
    await assert.rejects(resolve(credit, GIVEN_UP), { code: 'INVALID_STATE' });
    assert.deepEqual(await standing(place), after);
    assert.deepEqual(await postingsOf(place), [entry]);
  });

  it('is given up as a fee, and the draft is confirmed', async () => {
    const { place, credit } = await refused();
    const decided = await resolve(credit, GIVEN_UP);
    assert.deepEqual([creditStatusOf(decided), decided.decision?.state], ['FAILED', 'DONE']);
    const after = { order: ['CONFIRMED', 2, 0, 0], fees: [reduction, ['REFUNDING', 2_000]], lock: undefined };
    assert.deepEqual(await standing(place), after);
    assert.deepEqual(await resolve(credit, GIVEN_UP), decided);
    assert.deepEqual(await standing(place), after);
    assert.deepEqual(await postingsOf(place), []);
  });

  for (const wanted of [ELSEWHERE, GIVEN_UP])
    it(`is decided once as ${wanted.how}, though requests and attempts come at once`, async () => {
      const { place, credit } = await refused();
      await Promise.all([1, 2, 3].map(async () => await resolve(credit, wanted)));
      await Promise.all([1, 2, 3].map(async () => await payBack(credit)));
      const order = await world.order(place);
      assert.deepEqual([order.status, balanceMinor(order), order.lock], ['CONFIRMED', 0, undefined]);
      assert.equal(order.fees.filter(({ type }) => type === 'REFUNDING').length, wanted.how === 'GIVEN_UP' ? 1 : 0);
      assert.equal((await postingsOf(place)).length, wanted.how === 'ELSEWHERE' ? 1 : 0);
    });

  it('goes on after a crash at each write', async () => {
    for (const wanted of [ELSEWHERE, GIVEN_UP]) {
      const { place, credit } = await refused();
      await world.stopWorker();
      await world.credits.decideBalance(OURS, credit.id, wanted);
      const lockOwner = creditDecisionOwner((await world.credits.get(OURS, credit.id)).credit);
      await world.money.lockOwed(
        OURS,
        place.orderId,
        { orderVersion: 2, owedMinor: 2_000 },
        { ...workOf(), lockOwner },
      );
      await world.credits.noteDecisionStep(OURS, credit.id, { from: 'ASKED', to: 'HELD' });
      if (wanted.how === 'ELSEWHERE') await world.refundMoney.settle(OURS, credit.id, 'ELSEWHERE', 'c');
      await payBack(credit);
      assert.equal(await stateOf(credit), 'DONE');
      assert.deepEqual((await standing(place)).order.slice(0, 3), ['CONFIRMED', 2, 0]);
      await world.startWorker();
    }
  });

  it('leaves no lock when it is refused and its process dies before it has freed the order', async () => {
    const { place, credit } = await refused();
    await world.stopWorker();
    await world.credits.decideBalance(OURS, credit.id, GIVEN_UP);
    const lockOwner = creditDecisionOwner((await world.credits.get(OURS, credit.id)).credit);
    const owed = { orderVersion: 2, owedMinor: 2_000 };
    await world.money.lockOwed(OURS, place.orderId, owed, { ...workOf(), lockOwner });
    await world.credits.noteDecisionStep(OURS, credit.id, { from: 'ASKED', to: 'REFUSED' });
    assert.equal(await payBack(credit), 'FAILED');
    assert.equal((await standing(place)).lock, undefined);
    await world.startWorker();
    assert.equal((await resolve(credit, ELSEWHERE)).decision?.state, 'DONE');
  });

  const passes = () => {
    world.fixture.now = new Date(world.fixture.now.getTime() + 1_000);
  };

  it('leaves no lock of a refused decision when another one is taken before its process is replaced', async () => {
    const { place, credit } = await refused();
    await world.stopWorker();
    const { credit: asked } = await world.credits.decideBalance(OURS, credit.id, GIVEN_UP);
    const owed = { orderVersion: 2, owedMinor: 2_000 };
    await world.money.lockOwed(OURS, place.orderId, owed, { ...workOf(), lockOwner: creditDecisionOwner(asked) });
    await world.credits.noteDecisionStep(OURS, credit.id, { from: 'ASKED', to: 'REFUSED' });
    passes();
    await world.startWorker();
    assert.equal((await resolve(credit, ELSEWHERE)).decision?.state, 'DONE');
    assert.equal((await standing(place)).lock, undefined);
  });

  it('is found by the sweep when its process was lost', async () => {
    const { place, credit } = await refused();
    await world.credits.decideBalance(OURS, credit.id, ELSEWHERE);
    world.fixture.now = new Date(world.fixture.now.getTime() + 60_000);
    await world.sweeps.startCredits();
    await until(async () => (await stateOf(credit)) === 'DONE', { what: 'the decision' });
    assert.deepEqual((await standing(place)).order, ['CONFIRMED', 2, 0, 2_000]);
  });

  it('waits for a confirmation that has locked the draft, and changes nothing when that has paid', async () => {
    const { place, credit } = await refused();
    const owner = `order-confirmation/${place.orderId}/v2`;
    await world.fixture.change(place.orderId, (before, now) => lockOrder(before, { owner }, now));
    await assert.rejects(resolve(credit, ELSEWHERE), { code: 'ORDER_LOCKED' });
    await world.stopWorker();
    await world.credits.decideBalance(OURS, credit.id, GIVEN_UP);
    assert.equal(await payBack(credit), 'CREATED');
    assert.deepEqual((await standing(place)).lock?.owner, owner);
    await world.fixture.change(place.orderId, (before, now) => unlockOrder(before, { owner }, now));
    await reduce(place, 500);
    assert.equal(await payBack(credit), 'FAILED');
    assert.equal(await stateOf(credit), 'REFUSED');
    assert.deepEqual((await standing(place)).order, ['DRAFT', 2, -2_500, 0]);
    assert.equal((await standing(place)).lock, undefined);
    await world.startWorker();
    // What the draft owes now is another credit.
    await assert.rejects(resolve(credit, GIVEN_UP), { code: 'INVALID_STATE' });
    await resolve(await refusedAgain(place), ELSEWHERE);
    assert.deepEqual((await standing(place)).order, ['CONFIRMED', 2, 0, 2_500]);
  });

  it('waits for another credit of the order, and no confirmation comes between', async () => {
    const { place, credit } = await refused();
    await world.stopWorker();
    const { id: _id, decision: _decision, ...content } = credit;
    const other = await world.credits.create(OURS, workOf(), (id) => ({ ...content, id }));
    await world.credits.decideBalance(OURS, credit.id, ELSEWHERE);
    assert.equal(await payBack(credit), 'CREATED');
    assert.equal(await stateOf(credit), 'ASKED');
    await assert.rejects(confirm(place), { code: 'ORDER_LOCKED' });
    // It has set no money aside, and does not under this lock.
    assert.equal(await payBack(other.credit), 'FAILED');
    assert.equal(await payBack(credit), 'CREDITED');
    assert.deepEqual((await standing(place)).order, ['CONFIRMED', 2, 0, 2_000]);
    await world.startWorker();
  });

  const failsLater = async ({ paymentId, transactionId }: PaidPlace, { id: creditId }: Credit) => {
    await world.payments.change(OURS, paymentId, workOf(), (before, now) =>
      noteCreditFailed(before, { transactionId, creditId }, now),
    );
    await world.credits.notePart(OURS, creditId, { transactionId, status: 'FAILED' });
  };
  /** Sold for 10000, and 2000 of it paid back by a confirmation. */
  const paidBack = async (): Promise<{ place: PaidPlace; credit: Credit }> => {
    const place = await world.authorised(GOOD_CARD);
    await world.capture(place);
    await reduce(place, 2_000);
    await confirm(place);
    return { place, credit: (await creditsOf(place))[0] ?? assert.fail() };
  };

  it('that was paid and failed later is paid elsewhere, once, also after a crash behind the decision', async () => {
    const after = { order: ['CONFIRMED', 2, 0, 2_000], fees: [reduction], lock: undefined };
    for (const isBegun of [false, true]) {
      const { place, credit } = await paidBack();
      await failsLater(place, credit);
      await assert.rejects(resolve(credit, GIVEN_UP), { code: 'INVALID_STATE' });
      if (isBegun) await world.credits.notePaidOtherwise(OURS, credit.id, ELSEWHERE);
      for (const _time of [1, 2]) {
        const decided = await resolve(credit, ELSEWHERE);
        const { how, state, reason } = decided.decision ?? assert.fail();
        assert.deepEqual(
          [creditStatusOf(decided), how, state, reason],
          ['CREDITED', 'ELSEWHERE', 'DONE', 'BANK_TRANSFER'],
        );
      }
      assert.equal((await world.transaction(place)).status, 'CAPTURED');
      assert.deepEqual(await standing(place), after);
      assert.deepEqual(
        (await postingsOf(place)).map((postings) => postings?.at(0)?.account),
        [...['receivables', 'clearing/SIMULATOR', 'failed-credits']],
      );
      await assert.rejects(resolve(credit, GIVEN_UP), { code: 'INVALID_STATE' });
    }
  });

  it('that failed later leaves no lock of a decision that was refused before, also beside a late attempt', async () => {
    const { place, credit } = await paidBack();
    await failsLater(place, credit);
    const { credit: asked } = await world.credits.decideBalance(OURS, credit.id, ELSEWHERE);
    const lockIt = async () =>
      await world.fixture.change(place.orderId, (before, now) =>
        lockOrder(before, { owner: creditDecisionOwner(asked) }, now),
      );
    await lockIt();
    await world.credits.noteDecisionStep(OURS, credit.id, { from: 'ASKED', to: 'REFUSED' });
    passes();
    assert.equal((await resolve(credit, ELSEWHERE)).decision?.state, 'DONE');
    assert.equal((await standing(place)).lock, undefined);
    // As one that has read the credit before, and locks the order now.
    const money = { ...world.refundMoney, sumRefused: async () => 0, assertCountable: async () => undefined };
    const orders = () => ({
      unlock: world.money.unlock.bind(world.money),
      confirmDecided: async () => undefined,
      lockOwed: async () => void (await lockIt()),
    });
    const decisions = new CreditDecisions({ credits: world.credits, orders, money: money as never });
    await decisions.carryOut(asked, 'c');
    assert.equal((await standing(place)).lock, undefined);
    assert.equal(await stateOf(credit), 'DONE');
  });

  it('that was paid and failed later is settled beside a refused part, though the draft was travelled on', async () => {
    const half = await world.authorised(GOOD_CARD, { amountMinor: 6_000 });
    await world.capture(half);
    const rest = await world.authorised(NO_REFUNDS, { order: await world.order(half) });
    await world.capture(rest);
    const orderLineIds = half.order.orderLines.map(({ id }) => id);
    await world.fixture.change(half.orderId, (before, now) => cancelLines(before, { orderLineIds }, now));
    await assert.rejects(confirm(half));
    const [{ id: creditId } = assert.fail()] = await creditsOf(half);
    await world.server.temporal.client.workflow.getHandle(creditWorkflowId({ creditId })).result();
    const { credit } = await world.credits.get(OURS, creditId);
    assert.deepEqual(credit.parts.map(({ status }) => status).toSorted(), ['CREDITED', 'FAILED']);
    const [orderLineId = assert.fail()] = orderLineIds;
    await world.fixture.change(half.orderId, ({ lock: _lock, withdrawal: _withdrawal, ...before }, now) =>
      noteUse(before, { orderLineId, usedAt: now }, now),
    );
    await failsLater(half, credit);
    await assert.rejects(resolve(credit, GIVEN_UP), { code: 'INVALID_STATE' });
    assert.equal((await resolve(credit, ELSEWHERE)).decision?.state, 'DONE');
    const problems = await world.refundMoney.listProblems(OURS, half.orderId);
    assert.deepEqual(
      problems.map(({ type, amountMinor, ...more }) => [type, amountMinor, 'paidOtherwiseAt' in more]),
      [['CREDIT_FAILED', 6_000, true]],
    );
    assert.deepEqual((await standing(half)).order, ['DRAFT', 2, -4_000, 6_000]);
  });

  it('that is a refund is not decided on here, though it failed later', async () => {
    const place = await world.authorised(GOOD_CARD);
    await world.capture(place);
    const { paymentId, transactionId } = place;
    const part = { paymentId, transactionId, amountMinor: 100, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
    const { id: orderId, distributionChannelId, currency } = place.order;
    const content = { organisationId: OURS, orderId, orderVersion: 1, distributionChannelId, currency };
    const made = await world.credits.create(OURS, workOf(), (id) => ({
      ...content,
      id,
      reason: 'REFUND',
      parts: [part],
    }));
    assert.equal(await payBack(made.credit), 'CREDITED');
    await failsLater(place, made.credit);
    await assert.rejects(resolve(made.credit, ELSEWHERE), { code: 'INVALID_STATE' });
    assert.equal((await world.transaction(place)).status, 'CREDIT_FAILED');
  });

  it('is not decided on when it was paid, is not owed, or was disputed', async () => {
    const paid = await world.authorised(GOOD_CARD);
    await world.capture(paid);
    await reduce(paid, 2_000);
    await confirm(paid);
    const [credited] = await creditsOf(paid);
    await assert.rejects(resolve(credited ?? assert.fail(), GIVEN_UP), { code: 'INVALID_STATE' });
    const { place, credit } = await refused();
    await world.payments.change(OURS, place.paymentId, workOf(), (before, now) =>
      noteDispute(before, { transactionId: place.transactionId }, now),
    );
    await assert.rejects(resolve(credit, ELSEWHERE), { code: 'REFUND_AMOUNT_EXCEEDED' });
    assert.equal(await stateOf(credit), undefined);
    await reduce(place, 500);
    await assert.rejects(resolve(credit, GIVEN_UP), { code: 'INVALID_STATE' });
    assert.equal(await stateOf(credit), undefined);
  });
});
