/** What refunds ask of payments, with real money: outcomes that stay unknown, decisions of operators, and credits that fail later. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createCreditActivities } from '../../../activities/payments/credit/credit-activities.ts';
import { PAYMENTS_COLLECTION } from '../../../activities/payments/payment-document.ts';
import type { MoneyOutcome, PaymentProvider } from '../../../activities/payments/provider/payment-provider.ts';
import { Providers } from '../../../activities/payments/provider/providers.ts';
import { RefundedMoney } from '../../../activities/payments/refund-money.ts';
import { PaidVersions } from '../../../activities/payments/version-money.ts';
import { noteCreditFailed, noteDispute } from '../../../workflows/payments/rules/credits.ts';
import { creditableMinor } from '../../../workflows/payments/rules/summary.ts';
import type { CreditId } from '../../../workflows/shared/ids.ts';
import { OURS } from '../../support/sample-orders.ts';
import { GOOD_CARD, MoneyWorld, type PaidPlace } from './money-world.ts';

/** The provider refuses to refund it. */
const NO_REFUNDS = '4000000000005126';
const WORK = { correlationId: 'c', clientId: 'test' };
const UNKNOWN = { status: 'CREATED', creditedMinor: 0 };
const PAID = { status: 'CREDITED', creditedMinor: 10_000 };
const REFUSED = { status: 'FAILED', creditedMinor: 0 };

const PAID_TWICE = [
  [
    { account: 'overpaid-credits', amountMinor: 10_000 },
    { account: 'clearing/SIMULATOR', amountMinor: -10_000 },
  ],
];

const VISA = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
const OTHERWISE = { events: [true], parts: [true], credited: [{ ...VISA, paidOtherwise: true }] };

type Refunded = PaidPlace & { readonly creditId: CreditId };

describe('money of refunds that operators decide on', () => {
  let world: MoneyWorld;
  let money: RefundedMoney;
  before(async () => {
    world = await MoneyWorld.open('decided-refunds');
    const { payments, credits, notes } = world;
    // The test calls the step itself, so that nothing happens in between.
    const workflows = { startCredit: async () => {}, wake: async () => assert.fail('nothing is asked for') };
    money = new RefundedMoney({ payments, credits, notes, workflows, orders: () => world.fixture.here.access });
  });
  beforeEach(async () => await world.reset());
  after(async () => await world?.close());

  const refunded = async (card = GOOD_CARD): Promise<Refunded> => {
    const place = await world.authorised(card);
    await world.capture(place);
    const { payment } = await world.payments.get(OURS, place.paymentId);
    const { distributionChannelId, currency, orderId } = payment;
    const { paymentId, transactionId } = place;
    const part = { paymentId, transactionId, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
    const order = { organisationId: OURS, orderId, orderVersion: 2, distributionChannelId, currency };
    const wanted = { ...order, reason: 'REFUND' as const };
    const work = { workId: `refund/${orderId}/${randomUUID()}`, correlationId: 'c' };
    return { ...place, creditId: await money.begin({ ...wanted, parts: [{ ...part, amountMinor: 10_000 }] }, work) };
  };
  const payBack = async ({ orderId, creditId }: Refunded) =>
    await world.creditSteps.payBack({ organisationId: OURS, orderId, creditId, correlationId: 'c' });
  /** The provider is asked, and does not answer; `mode` says whether the money was moved. */
  const unanswered = async (mode: 'FAIL_BEFORE' | 'FAIL_AFTER') => {
    await world.fault({ call: 'refund', mode, count: 1 });
    const place = await refunded();
    assert.equal(await payBack(place), 'CREATED');
    return place;
  };
  const silent = async () => await world.fault({ call: 'status', mode: 'FAIL_BEFORE', count: 1 });
  const passes = (minutes: number) => {
    world.fixture.now = new Date(world.fixture.now.getTime() + minutes * 60_000);
  };
  const look = async ({ creditId }: Refunded) =>
    await money.outcome(OURS, creditId, { correlationId: 'c', looksOnce: true });
  const settle = async ({ creditId }: Refunded, how: 'ELSEWHERE' | 'GIVEN_UP') =>
    await money.settle(OURS, creditId, how, 'c');
  const creditOf = async (place: Refunded) => {
    const transaction = await world.transaction(place);
    const credit = transaction.credits.find(({ creditId }) => creditId === place.creditId);
    return { creditable: creditableMinor(transaction), status: credit?.status, elsewhere: credit?.elsewhere };
  };
  const stepsWith = (provider: PaymentProvider) =>
    createCreditActivities({
      ...{ payments: world.payments, credits: world.credits, notes: world.notes },
      ...{ orderReads: () => world.fixture.here.access, orders: () => world.money, money: world.refundMoney },
      ...{ log: world.fixture.here.options.log, providers: new Providers([provider]) },
    });
  /** An attempt whose provider answers when the test says so. */
  const stalledPayment = async ({ orderId, creditId }: Refunded) => {
    const { promise, resolve: pay } = Promise.withResolvers<MoneyOutcome>();
    const asked = Promise.withResolvers<void>();
    const refund = async () => {
      asked.resolve();
      return await promise;
    };
    const steps = stepsWith({ ...world.provider, refund });
    const ended = steps.payBack({ organisationId: OURS, orderId, creditId, correlationId: 'c' });
    await asked.promise;
    return { pay, ended };
  };
  const entriesOf = async ({ orderId }: Refunded, type: string) => {
    const stored = await PAYMENTS_COLLECTION.open(world.fixture.here.connection).findOne({ orderId });
    const events = (stored?.outbox ?? []).filter((event) => event.type.endsWith(`.${type}.v1`));
    return events.map(({ entry }) => entry?.postings);
  };
  const refusalOf = async ({ creditId }: Refunded) =>
    (await money.accountsOf(OURS, [creditId])).get(creditId)?.parts.map(({ refusal }) => refusal);
  /** What events, the credit and the receipt say of how it was paid. */
  const told = async ({ orderId, creditId }: Refunded) => {
    const { connection, access } = world.fixture.here;
    const stored = await PAYMENTS_COLLECTION.open(connection).findOne({ orderId });
    const events = (stored?.outbox ?? []).filter(({ type }) => type.endsWith('.CreditExecuted.v1'));
    const { credit } = await world.credits.get(OURS, creditId);
    const versions = new PaidVersions({ payments: world.payments, credits: world.credits });
    const { credited } = await versions.find(await access.get(OURS, orderId), 2);
    return {
      events: events.map(({ data }) => data.paidOtherwise),
      parts: credit.parts.map(({ paidOtherwise }) => paidOtherwise),
      credited: credited.map(({ at: _at, amountMinor: _amount, ...how }) => how),
    };
  };
  const booked = async (place: Refunded) => [
    (await world.ledger(place)).refunded,
    (await world.order(place)).money.creditedMinor,
  ];

  for (const how of ['GIVEN_UP', 'ELSEWHERE'] as const) {
    it(`asks the provider before it carries ${how} out, and keeps the money until it answers`, async () => {
      const place = await unanswered('FAIL_AFTER');
      assert.deepEqual(await settle(place, how), UNKNOWN);
      passes(10);
      await silent();
      assert.equal(await payBack(place), 'CREATED');
      assert.deepEqual(await look(place), UNKNOWN);
      assert.deepEqual(await creditOf(place), { creditable: 0, status: 'CREATED', elsewhere: undefined });
      assert.equal(await payBack(place), 'CREDITED');
      assert.deepEqual(await look(place), PAID);
      assert.deepEqual(await creditOf(place), { creditable: 0, status: 'CREDITED', elsewhere: undefined });
      assert.deepEqual(await booked(place), [10_000, 10_000]);
    });
  }

  it('gives up what the provider has never seen, once no call from before the decision can arrive', async () => {
    const place = await unanswered('FAIL_BEFORE');
    assert.deepEqual(await settle(place, 'GIVEN_UP'), UNKNOWN);
    assert.equal(await payBack(place), 'CREATED');
    assert.equal((await creditOf(place)).creditable, 0);
    passes(3);
    assert.equal(await payBack(place), 'FAILED');
    assert.deepEqual(await look(place), REFUSED);
    assert.deepEqual(await refusalOf(place), ['GIVEN_UP']);
    assert.equal((await creditOf(place)).creditable, 10_000);
    assert.deepEqual(await booked(place), [0, 0]);
  });

  it('counts what the provider has never seen as paid elsewhere, once', async () => {
    const place = await unanswered('FAIL_BEFORE');
    assert.deepEqual(await settle(place, 'ELSEWHERE'), UNKNOWN);
    passes(3);
    assert.equal(await payBack(place), 'CREDITED');
    assert.deepEqual(await settle(place, 'ELSEWHERE'), PAID);
    assert.deepEqual(await creditOf(place), { creditable: 0, status: 'CREDITED', elsewhere: true });
    assert.deepEqual(await booked(place), [0, 10_000]);
    assert.deepEqual(await told(place), OTHERWISE);
  });

  it('tells of what the provider has refused that it was paid in another way, and of what it has paid that it was not', async () => {
    const refused = await refunded(NO_REFUNDS);
    assert.equal(await payBack(refused), 'FAILED');
    assert.deepEqual(await settle(refused, 'ELSEWHERE'), PAID);
    assert.deepEqual(await told(refused), OTHERWISE);
    const paid = await refunded();
    assert.equal(await payBack(paid), 'CREDITED');
    assert.deepEqual(await told(paid), {
      events: [undefined],
      parts: [undefined],
      credited: [{ ...VISA, last4: '1111' }],
    });
  });

  it('tells of what has failed later that it was paid in another way, once an operator has paid it', async () => {
    const place = await refunded();
    assert.equal(await payBack(place), 'CREDITED');
    const { paymentId, transactionId, creditId } = place;
    await world.payments.change(OURS, paymentId, WORK, (payment, now) =>
      noteCreditFailed(payment, { transactionId, creditId }, now),
    );
    await world.credits.notePart(OURS, creditId, { transactionId, status: 'FAILED' });
    await settle(place, 'ELSEWHERE');
    assert.deepEqual(await told(place), { ...OTHERWISE, events: [undefined] });
  });

  it('counts a payment that arrives after its credit was given up, and never more than was captured', async () => {
    const place = await refunded();
    const stalled = await stalledPayment(place);
    await settle(place, 'GIVEN_UP');
    passes(3);
    assert.equal(await payBack(place), 'FAILED');
    stalled.pay({ outcome: 'DONE' });
    assert.equal(await stalled.ended, 'CREDITED');
    assert.deepEqual(await creditOf(place), { creditable: 0, status: 'CREDITED', elsewhere: undefined });
    assert.equal((await world.order(place)).money.creditedMinor, 10_000);
  });

  it('counts what the provider has paid after all once the reconciliation asks for it', async () => {
    const place = await unanswered('FAIL_BEFORE');
    await settle(place, 'GIVEN_UP');
    passes(3);
    assert.equal(await payBack(place), 'FAILED');
    const steps = stepsWith({ ...world.provider, outcomeOf: async () => ({ outcome: 'DONE' }) });
    const { orderId, creditId } = place;
    const asked = async () => await steps.payBack({ organisationId: OURS, orderId, creditId, correlationId: 'c' });
    assert.equal(await asked(), 'CREDITED');
    assert.equal(await asked(), 'CREDITED');
    assert.deepEqual(await creditOf(place), { creditable: 0, status: 'CREDITED', elsewhere: undefined });
    assert.equal((await entriesOf(place, 'CreditExecuted')).length, 1);
  });

  it('counts a refused part as paid elsewhere at once', async () => {
    const place = await refunded(NO_REFUNDS);
    assert.equal(await payBack(place), 'FAILED');
    assert.deepEqual(await look(place), REFUSED);
    assert.deepEqual(await settle(place, 'ELSEWHERE'), PAID);
    assert.deepEqual(await booked(place), [0, 10_000]);
  });

  it('has in the books what a provider has paid beside the operator, and counts it once', async () => {
    const place = await refunded();
    const stalled = await stalledPayment(place);
    await settle(place, 'ELSEWHERE');
    passes(3);
    assert.equal(await payBack(place), 'CREDITED');
    assert.deepEqual(await entriesOf(place, 'CreditPaidTwice'), []);
    stalled.pay({ outcome: 'DONE' });
    assert.equal(await stalled.ended, 'CREDITED');
    await payBack(place);
    assert.deepEqual(await entriesOf(place, 'CreditPaidTwice'), PAID_TWICE);
    assert.deepEqual(await creditOf(place), { creditable: 0, status: 'CREDITED', elsewhere: true });
    assert.equal((await world.order(place)).money.creditedMinor, 10_000);
  });

  it('finds what a provider has paid beside the operator when it is asked again, and never pays itself', async () => {
    const place = await refunded(NO_REFUNDS);
    assert.equal(await payBack(place), 'FAILED');
    assert.deepEqual(await settle(place, 'ELSEWHERE'), PAID);
    assert.equal(await payBack(place), 'CREDITED');
    assert.deepEqual(await entriesOf(place, 'CreditPaidTwice'), []);
    assert.equal((await world.ledger(place)).refunded, 0);
    const late: PaymentProvider = { ...world.provider, outcomeOf: async () => ({ outcome: 'DONE' }) };
    const { orderId, creditId } = place;
    const again = async () =>
      await stepsWith(late).payBack({ organisationId: OURS, orderId, creditId, correlationId: 'c' });
    for (let time = 0; time < 2; time += 1) assert.equal(await again(), 'CREDITED');
    assert.deepEqual(await entriesOf(place, 'CreditPaidTwice'), PAID_TWICE);
    assert.equal((await world.order(place)).money.creditedMinor, 10_000);
  });

  it('counts nothing as paid elsewhere where its money was disputed', async () => {
    const place = await refunded(NO_REFUNDS);
    assert.equal(await payBack(place), 'FAILED');
    const { paymentId, transactionId, creditId } = place;
    await money.assertCountable(OURS, creditId);
    await world.payments.change(OURS, paymentId, WORK, (before, now) => noteDispute(before, { transactionId }, now));
    const exceeded = { code: 'REFUND_AMOUNT_EXCEEDED' };
    await assert.rejects(money.assertCountable(OURS, creditId), exceeded);
    await assert.rejects(settle(place, 'ELSEWHERE'), exceeded);
    assert.deepEqual(await look(place), REFUSED);
    assert.deepEqual(await settle(place, 'GIVEN_UP'), REFUSED);
    // The provider had said it before.
    assert.deepEqual(await refusalOf(place), ['REFUSED_BY_ISSUER']);
  });
});
