/** The steps of a page on real databases: each twice, several at once, and as the order changes meanwhile. */
import assert from 'node:assert/strict';
import { cancelOrder } from '../../../workflows/orders/rules/endings.ts';
import { setContactInfo } from '../../../workflows/orders/rules/facts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { PaymentPage } from '../../../workflows/payment-page/rules/page.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { later, sampleFee } from '../../support/sample-orders.ts';
import { inputOf, PageFixture } from './page-fixture.ts';

describe('the steps of payment pages', () => {
  const fixture = new PageFixture('page-activities');

  before(() => fixture.open());
  beforeEach(() => fixture.clear());
  after(() => fixture.close());

  const statusOf = async (page: PaymentPage) => (await fixture.now(page)).status;
  const settle = async (page: PaymentPage, settled: Parameters<typeof fixture.activities.settleAttempt>[0] | object) =>
    await fixture.activities.settleAttempt({ ...inputOf(page), ...settled } as never);
  const repeated = async <T>(run: () => Promise<T>): Promise<T> => {
    const first = await run();
    assert.deepEqual(await run(), first);
    return first;
  };

  it('begin one attempt, however often the form is submitted', async () => {
    const page = await fixture.openPage();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => fixture.pay(page, { number: 1, amountMinor: 10_000 })),
    );
    for (const { answer } of answers) assert.deepEqual(answer, { done: true });
    assert.equal(fixture.payments.attempts.length, 1);
    const { attempt, status } = await fixture.now(page);
    assert.equal(status, 'PROCESSING');
    const { paymentId, transactionId } = fixture.payments.last.place;
    assert.deepEqual(attempt?.place, { paymentId, transactionId });
    const { keyId, amountMinor, distributionChannelId } = fixture.payments.last.attempt;
    assert.equal(keyId, fixture.tokens.writingKeyId);
    assert.deepEqual([amountMinor, distributionChannelId], [10_000, page.distributionChannelId]);
  });

  it('continue an attempt whose terminal was made and not noted', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await fixture.collection.updateOne({ _id: page.id }, { $unset: { 'attempt.place': '' } });
    await fixture.pay(page, { number: 1 });
    assert.equal(fixture.payments.attempts.length, 1);
    assert.ok((await fixture.now(page)).attempt?.place);
  });

  it('open again when the provider fails or refuses, so that the customer may try again', async () => {
    const page = await fixture.openPage();
    fixture.payments.refusals = [
      new ServiceError('PSP_TIMEOUT', 'It does not answer'),
      new ServiceError('PAYMENT_METHOD_NOT_ALLOWED', 'It has no such method'),
    ];
    assert.equal((await fixture.pay(page)).answer.refused, 'RESOURCE_BUSY');
    assert.deepEqual([await statusOf(page), (await fixture.now(page)).lastAttempt], ['OPEN', 'FAILED']);
    assert.equal((await fixture.pay(page)).answer.refused, 'PAYMENT_METHOD_NOT_ALLOWED');
    assert.deepEqual((await fixture.pay(page)).answer, { done: true });
    assert.equal((await fixture.now(page)).attempts, 3);
  });

  it('refuse a form for another amount, and one whose attempt is over', async () => {
    const page = await fixture.openPage();
    await fixture.change(page);
    assert.equal((await fixture.pay(page, { amountMinor: 10_000 })).answer.refused, 'AMOUNT_MISMATCH');
    await fixture.follow(page);
    await fixture.pay(page);
    await settle(page, fixture.payments.refuse());
    assert.equal((await fixture.pay(page, { number: 1 })).answer.refused, 'INVALID_STATE');
  });

  it('pay the order, once', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    const settled = await fixture.payments.capture();
    const step = await repeated(() => settle(page, settled));
    assert.deepEqual([step.status, step.isOver], ['PAID', false]);
    assert.equal((await fixture.orderOf(page)).status, 'CONFIRMED');
    const done = await repeated(() => fixture.activities.noteDelivery({ ...inputOf(page), delivered: true }));
    assert.deepEqual([done.status, done.isOver], ['COMPLETED', true]);
  });

  it('are not PAID while the money has confirmed nothing', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    const step = await settle(page, fixture.payments.settled('CONFIRMED'));
    assert.equal(step.status, 'PROCESSING');
    assert.equal((await settle(page, await fixture.payments.capture())).status, 'PAID');
  });

  it('stay PAID with an error while tickets cannot be sent, until they are', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await settle(page, await fixture.payments.capture());
    const deliver = (delivered: boolean) => fixture.activities.noteDelivery({ ...inputOf(page), delivered });
    assert.deepEqual(await deliver(false), {
      status: 'PAID',
      lastError: 'DELIVERY_FAILED',
      isOver: true,
      isEnding: false,
    });
    assert.equal((await deliver(true)).status, 'COMPLETED');
    assert.equal((await fixture.now(page)).lastError, undefined);
  });

  it('complete where nobody has an address, and remember it', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await settle(page, await fixture.payments.capture());
    const settled = { delivered: true, isUnaddressed: true } as const;
    const step = await repeated(() => fixture.activities.noteDelivery({ ...inputOf(page), ...settled }));
    assert.deepEqual([step.status, step.lastError, step.isOver], ['COMPLETED', undefined, true]);
    assert.equal((await fixture.now(page)).isUnaddressed, true);
  });

  it('say after two days that nobody has told of tickets', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await settle(page, await fixture.payments.capture());
    fixture.orders.passes(48 * 60 - 1);
    assert.equal((await fixture.activities.lookAtPage(inputOf(page))).isOver, false);
    fixture.orders.passes(1);
    const step = await repeated(() => fixture.activities.lookAtPage(inputOf(page)));
    assert.deepEqual([step.status, step.lastError, step.isOver], ['PAID', 'DELIVERY_OUTSTANDING', true]);
  });

  it('tell the customer that money was paid back', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    const settled = await fixture.payments.credit();
    const step = await repeated(() => settle(page, settled));
    assert.deepEqual([step.status, step.lastError, step.isOver], ['EXPIRED', 'CREDITED', true]);
  });

  it('follow the amount within the order events, by one read for orders without a page', async () => {
    const page = await fixture.openPage();
    const before = await fixture.now(page);
    await fixture.change(page);
    await fixture.follow(page);
    const after = await fixture.now(page);
    assert.deepEqual([after.amountMinor, after.status], [12_000, 'OPEN']);
    assert.notEqual(after.contentMark, before.contentMark);
    const { revision } = await fixture.pages.get('ANY', page.id);
    await fixture.follow(page);
    assert.equal((await fixture.pages.get('ANY', page.id)).revision, revision);
    const other = await fixture.draft();
    await fixture.follow({ orderId: other.id });
  });

  it('follow to the amount of the last of several changes, whatever comes late', async () => {
    const page = await fixture.openPage();
    const changes = [100, 200, 300, 400].map(async (amountMinor) => {
      await fixture.change(page, amountMinor);
      await fixture.follow(page);
    });
    await Promise.all(changes);
    assert.equal((await fixture.now(page)).amountMinor, 11_000);
  });

  it('keep an attempt when only the contact changes', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    const contact = '1000000001' as CustomerNumber;
    await fixture.orders.change(page.orderId, (order, now) => setContactInfo(order, { contact }, now));
    await fixture.follow(page);
    assert.equal((await fixture.now(page)).attempt?.ending, undefined);
  });

  it('void an attempt when the order changes, and open with the new amount', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await fixture.change(page);
    await fixture.follow(page);
    assert.equal((await fixture.now(page)).attempt?.ending, 'ORDER_CHANGED');
    assert.equal((await fixture.pages.listPendingStarts(later(1), 10)).length, 1);
    fixture.payments.unknownEnds = 1;
    assert.equal((await fixture.activities.endAttempt(inputOf(page))).isEnding, true);
    const step = await repeated(() => fixture.activities.endAttempt(inputOf(page)));
    assert.deepEqual([step.status, step.isEnding], ['OPEN', false]);
    assert.deepEqual((await fixture.now(page)).amountMinor, 12_000);
    assert.equal(fixture.payments.last.state.state, 'ENDED');
  });

  it('open with the new amount when payments have voided the older one before the page heard of it', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await fixture.change(page);
    const settled = fixture.payments.void();
    assert.equal((await repeated(() => settle(page, settled))).status, 'OPEN');
    const { amountMinor, lastAttempt } = await fixture.now(page);
    assert.deepEqual([amountMinor, lastAttempt], [12_000, 'ORDER_CHANGED']);
  });

  it('wait until an older amount that was captured all the same is paid back, and end', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await fixture.change(page);
    await fixture.follow(page);
    fixture.payments.last.state = { state: 'CAPTURED' };
    assert.equal((await settle(page, fixture.payments.settled('CONFIRMED'))).status, 'PROCESSING');
    assert.equal((await fixture.activities.endAttempt(inputOf(page))).isEnding, true);
    await fixture.payments.credit();
    const step = await repeated(() => fixture.activities.endAttempt(inputOf(page)));
    assert.deepEqual([step.status, step.lastError, step.isOver], ['EXPIRED', 'CREDITED', true]);
  });

  it('are PAID when the money was taken before the attempt could be ended', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await fixture.collection.updateOne({ _id: page.id }, { $set: { 'attempt.ending': 'OTHER_METHOD' } });
    await fixture.payments.capture();
    assert.equal((await fixture.activities.endAttempt(inputOf(page))).status, 'PAID');
  });

  it('wait while money is taken and the order not confirmed yet', async () => {
    const page = await fixture.openPage();
    await fixture.pay(page);
    await fixture.collection.updateOne({ _id: page.id }, { $set: { 'attempt.ending': 'ABANDONED' } });
    fixture.payments.last.state = { state: 'CAPTURED' };
    assert.equal((await fixture.activities.endAttempt(inputOf(page))).isEnding, true);
    assert.equal(await statusOf(page), 'PROCESSING');
  });

  it('end with their order: confirmed by its event, cancelled, or paid elsewhere', async () => {
    const paid = await fixture.openPage();
    await fixture.pay(paid);
    await fixture.payments.capture();
    await fixture.follow(paid);
    assert.equal(await statusOf(paid), 'PAID');

    const cancelled = await fixture.openPage();
    await fixture.orders.change(cancelled.orderId, (order, now) => cancelOrder(order, {}, now));
    await fixture.follow(cancelled);
    assert.equal(await statusOf(cancelled), 'CANCELLED');

    const elsewhere = await fixture.openPage();
    await fixture.pay(elsewhere);
    await fixture.orders.pay(elsewhere.orderId);
    await fixture.orders.confirm(elsewhere.orderId);
    await fixture.follow(elsewhere);
    assert.equal((await fixture.activities.endAttempt(inputOf(elsewhere))).status, 'CANCELLED');
  });

  it('end a page of a later version with its first change', async () => {
    const { order } = await fixture.orders.confirmed();
    const fee = sampleFee('MANUAL', 3_000);
    const draft = await fixture.orders.change(order.id, (before, now) => addFee(before, { fee }, now));
    const { page } = await fixture.create(draft.order);
    assert.deepEqual([page.orderVersion, page.amountMinor], [2, 3_000]);
    await fixture.follow(page);
    assert.equal(await statusOf(page), 'OPEN');
    await fixture.change(page);
    await fixture.follow(page);
    assert.equal(await statusOf(page), 'CANCELLED');
  });

  it('expire at their time, leave the order to its own, and no longer are its page', async () => {
    const page = await fixture.openPage({ expireAt: later(30) });
    fixture.orders.passes(29);
    assert.equal((await fixture.activities.lookAtPage(inputOf(page))).status, 'OPEN');
    fixture.orders.passes(1);
    const step = await repeated(() => fixture.activities.lookAtPage(inputOf(page)));
    assert.deepEqual([step.status, step.isOver], ['EXPIRED', true]);
    const order = await fixture.orderOf(page);
    assert.deepEqual([order.status, order.paymentPageId], ['DRAFT', undefined]);
  });

  it('change and close by one request each, as the caller has seen them', async () => {
    const page = await fixture.openPage();
    const { revision } = await fixture.pages.get('ANY', page.id);
    const patch = { ...inputOf(page), correlationId: 'c', expireAtMs: later(60).getTime() };
    const stale = await fixture.activities.patchPage({ ...patch, workId: 'p0', ifRevision: revision - 1 });
    assert.equal(stale.answer.refused, 'REVISION_CONFLICT');
    await repeated(() => fixture.activities.patchPage({ ...patch, workId: 'p1', ifRevision: revision }));
    assert.deepEqual((await fixture.now(page)).expireAt, later(60));
    await fixture.activities.patchPage({ ...patch, workId: 'p2', expireAtMs: later(90).getTime() });
    // A late repeat brings nothing back.
    await fixture.activities.patchPage({ ...patch, workId: 'p1' });
    assert.deepEqual((await fixture.now(page)).expireAt, later(90));
    const cancel = { ...inputOf(page), correlationId: 'c', workId: 'c1' };
    assert.equal((await repeated(() => fixture.activities.cancelPage(cancel))).step.status, 'CANCELLED');
    assert.equal((await fixture.orderOf(page)).paymentPageId, undefined);
    const late = await fixture.activities.patchPage({ ...patch, workId: 'p3' });
    assert.equal(late.answer.refused, 'PAYMENT_PAGE_CLOSED');
  });
});
