/** What refunds ask of payments, with real money: also of money that comes back after it was paid. */
import assert from 'node:assert/strict';
import { PAYMENTS_COLLECTION } from '../../../activities/payments/payment-document.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { planCompensation } from '../../../workflows/payments/rules/compensation-plan.ts';
import { type CreditReason, creditStatusOf } from '../../../workflows/payments/rules/credit.ts';
import { noteCreditFailed, noteDispute } from '../../../workflows/payments/rules/credits.ts';
import { creditableMinor } from '../../../workflows/payments/rules/summary.ts';
import type { CreditId, OrganisationId, RefundId } from '../../../workflows/shared/ids.ts';
import { OURS } from '../../support/sample-orders.ts';
import { MoneyWorld, type PaidPlace, workOf } from './money-world.ts';

const PAID = 10_000;
const OTHERS = 2 as OrganisationId;

describe('money of refunds', () => {
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('refund-money');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const begun = async (card?: string): Promise<{ place: PaidPlace; creditId: CreditId }> => {
    const place = await world.authorised(card);
    await world.capture(place);
    const { orderId, paymentId, transactionId } = place;
    const { distributionChannelId, currency } = (await world.payments.get(OURS, paymentId)).payment;
    const part = { paymentId, transactionId, amountMinor: PAID, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
    const refunded = { organisationId: OURS, orderId, orderVersion: 2, distributionChannelId, currency };
    const wanted = { ...refunded, parts: [part], reason: 'REFUND' as const };
    return {
      place,
      creditId: await world.refundMoney.begin(wanted, { workId: `refund/${orderId}`, correlationId: 'c' }),
    };
  };
  /** As the provider reports it. */
  const fails = async ({ place, creditId }: { place: PaidPlace; creditId: CreditId }) => {
    const { paymentId, transactionId } = place;
    const note = { transactionId, creditId };
    await world.payments.change(OURS, paymentId, workOf(), (before, now) => noteCreditFailed(before, note, now));
    await world.credits.notePart(OURS, creditId, { transactionId, status: 'FAILED' });
  };
  const stateOf = async (creditId: CreditId) => await world.refundMoney.outcome(OURS, creditId, { correlationId: 'c' });
  const problemsOf = async ({ orderId }: PaidPlace) => {
    const found = await world.refundMoney.listProblems(OURS, orderId);
    return found.map(({ type, amountMinor, paidOtherwiseAt }) => [type, amountMinor, paidOtherwiseAt !== undefined]);
  };
  const refusalOf = async (creditId: CreditId) => {
    const account = (await world.refundMoney.accountsOf(OURS, [creditId])).get(creditId);
    return account?.parts.map(({ status, refusal }) => [status, refusal]);
  };
  const entriesOf = async ({ orderId }: PaidPlace, type: string) => {
    const payment = await PAYMENTS_COLLECTION.open(world.fixture.here.connection).findOne({ orderId });
    const of = (payment?.outbox ?? []).filter((event) => event.type.endsWith(`.${type}.v1`));
    return of.map(({ entry }) => entry?.postings);
  };

  it('counts as paid what a provider has paid, also when it fails right after', async () => {
    const credit = await begun();
    assert.deepEqual(await stateOf(credit.creditId), { status: 'CREDITED', creditedMinor: PAID });
    await fails(credit);
    assert.deepEqual(await stateOf(credit.creditId), { status: 'FAILED', creditedMinor: PAID });
    assert.equal((await world.order(credit.place)).money.creditedMinor, PAID);
    assert.equal(creditableMinor(await world.transaction(credit.place)), 0);
  });

  it('counts nothing that a provider has refused', async () => {
    const { place, creditId } = await begun('4000000000005126');
    assert.deepEqual(await stateOf(creditId), { status: 'FAILED', creditedMinor: 0 });
    assert.deepEqual(await problemsOf(place), []);
    assert.deepEqual(await refusalOf(creditId), [['FAILED', 'REFUSED_BY_ISSUER']]);
    assert.deepEqual([...(await world.refundMoney.accountsOf(OTHERS, [creditId])).keys()], []);
    assert.deepEqual([...(await world.refundMoney.accountsOf('ANY', [creditId])).keys()], [creditId]);
  });

  it('is owed until an operator has paid what has failed in another way, once', async () => {
    const credit = await begun();
    const { place, creditId } = credit;
    await stateOf(creditId);
    assert.deepEqual(await problemsOf(place), []);
    assert.deepEqual(await refusalOf(creditId), [['CREDITED', undefined]]);
    await fails(credit);
    assert.deepEqual(await problemsOf(place), [['CREDIT_FAILED', PAID, false]]);
    assert.deepEqual(await refusalOf(creditId), [['FAILED', 'CREDIT_FAILED']]);
    assert.equal((await world.transaction(place)).status, 'CREDIT_FAILED');
    await world.refundMoney.settle(OURS, creditId, 'GIVEN_UP', 'c');
    assert.deepEqual(await problemsOf(place), [['CREDIT_FAILED', PAID, false]]);
    assert.equal(creditStatusOf((await world.credits.get(OURS, creditId)).credit), 'FAILED');
    await Promise.all([1, 2, 3].map(async () => await world.refundMoney.settle(OURS, creditId, 'ELSEWHERE', 'c')));
    assert.deepEqual(await problemsOf(place), [['CREDIT_FAILED', PAID, true]]);
    assert.deepEqual(await stateOf(creditId), { status: 'CREDITED', creditedMinor: PAID });
    assert.equal((await world.transaction(place)).status, 'CREDITED');
    assert.deepEqual(await entriesOf(place, 'CreditSettled'), [
      [
        { account: 'failed-credits', amountMinor: PAID },
        { account: 'other-payouts', amountMinor: -PAID },
      ],
    ]);
    assert.equal((await world.order(place)).money.creditedMinor, PAID);
  });

  it('of a refused credit is paid in another way without a provider', async () => {
    const { place, creditId } = await begun('4000000000005126');
    await stateOf(creditId);
    const settled = await world.refundMoney.settle(OURS, creditId, 'ELSEWHERE', 'c');
    assert.deepEqual(settled, { status: 'CREDITED', creditedMinor: PAID });
    assert.deepEqual(await entriesOf(place, 'CreditExecuted'), [
      [
        { account: 'receivables', amountMinor: PAID },
        { account: 'other-payouts', amountMinor: -PAID },
      ],
    ]);
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: PAID, refunded: 0 });
  });

  it('tells of a dispute of the transaction that paid it back', async () => {
    const { place, creditId } = await begun();
    await stateOf(creditId);
    const { paymentId, transactionId } = place;
    await world.payments.change(OURS, paymentId, workOf(), (before, now) =>
      noteDispute(before, { transactionId }, now),
    );
    assert.deepEqual(await problemsOf(place), [['DISPUTED', PAID, false]]);
  });

  /** Of money that its draft cannot use. */
  const ofDraft = async (amountMinor = PAID) => {
    const place = await world.authorised();
    await world.owesMore(place);
    await world.capture(place);
    const { payment } = await world.payments.get(OURS, place.paymentId);
    return { place, ...planCompensation([payment], amountMinor, 1, []) };
  };
  const credited = async (
    { place, parts }: Awaited<ReturnType<typeof ofDraft>>,
    reason: CreditReason,
    workId: string,
  ) =>
    await world.credits.create(OURS, { ...workOf(), workId }, (id) => ({
      ...{ id, organisationId: OURS, orderId: place.orderId, orderVersion: 1, currency: 'NOK', parts, reason },
      distributionChannelId: place.order.distributionChannelId,
    }));

  it('of a compensation is owed when no other credit runs, and as far as the draft has it', async () => {
    const draft = await ofDraft(4_000);
    const { place, parts } = draft;
    const wanted = { organisationId: OURS, orderId: place.orderId, parts };
    const work = { workId: 'compensation/1', correlationId: 'c' };
    await world.refundMoney.assertOwed(wanted, work);
    const { credit } = await credited(draft, 'REFUND', 'refund/1');
    await assert.rejects(world.refundMoney.assertOwed(wanted, work), { code: 'UNAVAILABLE' });
    // Its own credit goes on.
    await world.refundMoney.assertOwed(wanted, { ...work, workId: 'refund/1' });
    const input = { organisationId: OURS, orderId: place.orderId, creditId: credit.id, correlationId: 'c' };
    assert.equal(await world.creditSteps.payBack(input), 'CREDITED');
    await world.refundMoney.assertOwed(wanted, work);
    const whole = { ...wanted, parts: parts.map((part) => ({ ...part, amountMinor: PAID })) };
    await assert.rejects(world.refundMoney.assertOwed(whole, work), { code: 'REFUND_AMOUNT_EXCEEDED' });
  });

  for (const reason of ['BALANCE', 'DRAFT'] as const)
    it(`of the reason ${reason} is not paid back beside a compensation`, async () => {
      const draft = await ofDraft();
      const { orderId } = draft.place;
      const { credit } = await credited(draft, reason, 'other/2');
      const compensation = '00000000-0000-4000-8000-000000000001' as RefundId;
      await world.fixture.change(orderId, (before, now) =>
        lockOrder(before, { owner: 'capture/1/2', compensation }, now),
      );
      const input = { organisationId: OURS, orderId, creditId: credit.id, correlationId: 'c' };
      assert.equal(await world.creditSteps.payBack(input), 'FAILED');
      assert.equal((await world.ledger(draft.place)).refunded, 0);
    });

  it('wakes the capture that has asked for a compensation, and nobody else', async () => {
    const place = await world.authorised();
    await world.capture(place);
    await world.ended(place);
    const { orderId, paymentId, transactionId } = place;
    const asker = { organisationId: OURS, orderId, correlationId: 'c' };
    world.ran = [];
    await world.refundMoney.wakeAsker({ ...asker, askedBy: `order-reset/${orderId}/v1` });
    await world.refundMoney.wakeAsker({ ...asker, askedBy: `capture/${paymentId}/${transactionId}` });
    await world.ended(place);
    assert.deepEqual(world.ran, ['lookAgain']);
  });
});
