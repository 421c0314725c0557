/** Payment pages are made once, one for an order at a time, and tied to it. */
import assert from 'node:assert/strict';
import { createPage } from '../../../activities/payment-page/page-creation.ts';
import { isDuplicateKey } from '../../../platform/mongo/mongo.ts';
import type { PaymentPageId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { later, NOW, OURS, THEIRS } from '../../support/sample-orders.ts';
import { VIPPS, VISA } from '../../support/sample-pages.ts';
import { CHANNEL, PageFixture, work } from './page-fixture.ts';

const DAY_MINUTES = 24 * 60;

function refusedWith(code: string) {
  return (error: unknown) => error instanceof ServiceError && error.code === code;
}

describe('payment pages', () => {
  const fixture = new PageFixture('page-store');

  before(() => fixture.open());
  beforeEach(() => fixture.clear());
  after(() => fixture.close());

  it('take amount, methods and a week of time, and are named by their order', async () => {
    const order = await fixture.draft();
    const { page } = await fixture.create(order);
    assert.deepEqual(
      [page.status, page.amountMinor, page.currency, page.orderVersion, page.attempts],
      ['OPEN', 10_000, 'NOK', 1, 0],
    );
    // Neither what is inactive nor what is paid elsewhere.
    assert.deepEqual(page.paymentMethods, [VISA, VIPPS]);
    assert.deepEqual(page.expireAt, later(7 * DAY_MINUTES));
    assert.equal((await fixture.orderOf(page)).paymentPageId, page.id);
  });

  it('let their order live 15 minutes longer, unless a seat departs', async () => {
    const { order } = await fixture.orders.create();
    await fixture.change({ orderId: order.id });
    const draft = await fixture.orders.here.access.get(OURS, order.id);
    const { page } = await fixture.create(draft);
    assert.deepEqual((await fixture.orderOf(page)).expireAt, later(15, page.expireAt));
    const seated = await fixture.create(await fixture.draft());
    assert.deepEqual((await fixture.orderOf(seated.page)).expireAt, later(DAY_MINUTES));
  });

  it('are made once, however often and at once a request comes', async () => {
    const order = await fixture.draft();
    const tries = Array.from({ length: 8 }, () => fixture.create(order, { workId: 'one-request' }));
    const ids = new Set((await Promise.all(tries)).map(({ page }) => page.id));
    assert.equal(ids.size, 1);
    assert.equal(await fixture.collection.countDocuments(), 1);
    await fixture.orders.change(order.id, (before) => ({ order: { ...before, status: 'CANCELLED' }, events: [] }));
    const [id] = ids;
    assert.ok(id);
    assert.equal((await fixture.create(order, { workId: 'one-request' })).page.id, id);
  });

  it('are one for an order at a time, however many are created at once', async () => {
    const order = await fixture.draft();
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => fixture.create(order)));
    const made = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const [first] = made;
    assert.ok(first && made.length === 1);
    for (const each of tries) {
      if (each.status === 'fulfilled') continue;
      assert.ok(refusedWith('PAYMENT_PAGE_ALREADY_OPEN')(each.reason), String(each.reason));
      const url = fixture.tokens.urlOf({ ...first.page, keyId: first.keyId });
      assert.deepEqual(each.reason.members, { paymentPageId: first.page.id, url });
    }
  });

  it('have a successor once they have ended, also before their order knows', async () => {
    const order = await fixture.draft();
    const { page } = await fixture.create(order);
    await fixture.collection.updateOne({ _id: page.id }, { $set: { status: 'EXPIRED' }, $unset: { isLive: '' } });
    const present = await fixture.orderOf(page);
    assert.equal(present.paymentPageId, page.id);
    const next = await fixture.create(present);
    assert.equal((await fixture.orderOf(next.page)).paymentPageId, next.page.id);
  });

  it('are refused for what cannot be paid', async () => {
    const order = await fixture.draft();
    const make = (more: object) =>
      createPage(
        { ...fixture.dependencies, tokens: fixture.tokens },
        { order, orderVersion: 1, channel: CHANNEL, ...more },
        work(),
      );
    await assert.rejects(make({ orderVersion: 2 }), refusedWith('ORDER_VERSION_MISMATCH'));
    await assert.rejects(make({ channel: { ...CHANNEL, currency: 'SEK' } }), refusedWith('CURRENCY_MISMATCH'));
    await assert.rejects(
      make({ channel: { ...CHANNEL, paymentMethods: [] } }),
      refusedWith('PAYMENT_METHOD_NOT_ALLOWED'),
    );
    const cash = [{ paymentTypeGroup: 'CASH', paymentType: 'CASH' }];
    await assert.rejects(make({ paymentMethods: cash }), refusedWith('PAYMENT_METHOD_NOT_ALLOWED'));
    const { order: empty } = await fixture.orders.create();
    await assert.rejects(make({ order: empty }), refusedWith('AMOUNT_MISMATCH'));
    const { order: confirmed } = await fixture.orders.confirmed();
    await assert.rejects(make({ order: confirmed }), refusedWith('ORDER_NOT_DRAFT'));
    assert.equal(await fixture.collection.countDocuments(), 0);
  });

  it('end where the order refuses them, and then leave the order free', async () => {
    const order = await fixture.draft();
    fixture.orders.passes(21);
    await assert.rejects(fixture.create(order), refusedWith('ORDER_EXPIRED'));
    const [left] = await fixture.collection.find().toArray();
    assert.deepEqual([left?.status, left?.isLive], ['CANCELLED', undefined]);
  });

  it('are absent for other organisations, as those that never were', async () => {
    const { page } = await fixture.create(await fixture.draft());
    assert.equal(await fixture.pages.find(THEIRS, page.id), undefined);
    await assert.rejects(fixture.pages.get(THEIRS, page.id), refusedWith('NOT_FOUND'));
    const nobody = '00000000-0000-8000-8000-000000000000' as PaymentPageId;
    await assert.rejects(fixture.pages.get(OURS, nobody), refusedWith('NOT_FOUND'));
  });

  it('hold no token, and no second live page by any writer', async () => {
    const { page, keyId } = await fixture.create(await fixture.draft());
    const token =
      fixture.tokens
        .urlOf({ ...page, keyId })
        .split('/')
        .at(-1) ?? '';
    const stored = await fixture.collection.findOne({ _id: page.id });
    assert.equal(token.length, 22);
    assert.ok(!JSON.stringify(stored).includes(token));
    const other = { ...stored, _id: 'another', creationId: 'another' };
    await assert.rejects(fixture.collection.insertOne(other as never), (error) => isDuplicateKey(error));
  });

  it('wait for their workflow until it was started', async () => {
    const { page, revision } = await fixture.create(await fixture.draft());
    assert.deepEqual(await fixture.pages.listPendingStarts(NOW, 10), []);
    const [pending] = await fixture.pages.listPendingStarts(later(1), 10);
    assert.deepEqual([pending?.pageId, pending?.orderId], [page.id, page.orderId]);
    await fixture.pages.clearPendingStart({ pageId: page.id, revision });
    assert.deepEqual(await fixture.pages.listPendingStarts(later(1), 10), []);
    assert.deepEqual(await fixture.pages.listLate(page.expireAt, 10), []);
    assert.equal((await fixture.pages.listLate(later(1, page.expireAt), 10)).length, 1);
  });
});
