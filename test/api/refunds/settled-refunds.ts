/** Refunds whose money does not simply go back: by channels, settlements, mixed payments, operators, and providers that fail later. */
import assert from 'node:assert/strict';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { importedOrder } from '../../failure/imported-order.ts';
import {
  COUNTER_CHANNEL,
  FINAL_CHANNEL,
  MOBILE_CHANNEL,
  PAGE_CHANNEL,
  type PagedOrders,
  type Sale,
  type SoldOrder,
} from '../../support/paged-orders.ts';
import { until } from '../../support/until.ts';
import { send } from '../support/call.ts';

/** The provider refuses to refund it. */
const NO_REFUNDS = '4000000000005126';
const CARDS = [{}, { cardNumber: NO_REFUNDS }] as const;

interface CreditedPart {
  readonly amount: string;
  readonly status: string;
  readonly paidOtherwise?: true;
  readonly failure?: { readonly code: string };
}

interface Option {
  readonly transientId: string;
  readonly orderLineRef: { readonly id: string; readonly version: number };
  readonly refundRule: { readonly id: string };
  readonly refundAmount: string;
}

export function describeSettledRefunds(useOrders: () => PagedOrders): void {
  describe('money that goes back', () => {
    let orders: PagedOrders;
    before(() => {
      orders = useOrders();
    });

    const call: PagedOrders['call'] = async (path, { headers, ...options } = {}) =>
      await orders.call(path, { ...options, headers: { 'service-distribution-channel': PAGE_CHANNEL, ...headers } });
    const by = (channel: string) => ({ headers: { 'service-distribution-channel': channel } });
    const optionsOf = async ({ orderId }: SoldOrder, { channel = PAGE_CHANNEL, query = '' } = {}) => {
      const answer = await call(`/v1/refunds/options/${orderId}${query}`, by(channel));
      assert.equal(answer.status, 200, answer.text);
      return answer.json as {
        readonly orderRef: { readonly version: number };
        readonly options: readonly Option[];
        readonly optionIdsThatCanBePerformedTogether: readonly (readonly string[])[];
      };
    };
    const all = async (order: SoldOrder) => {
      const { options } = await optionsOf(order);
      return options.map(({ orderLineRef, refundRule: { id } }) => ({ orderLineRef, refundRule: { id } }));
    };
    const soldTo = async (sale: Sale) => {
      const order = await orders.sell(sale);
      return { order, body: { refundOperations: await all(order) } };
    };
    const partsOf = ({ creditTransactions: parts }: { readonly creditTransactions: readonly CreditedPart[] }) =>
      parts.map(({ amount, status, failure }) => [amount, status, failure?.code]).sort();
    const needingAttention = async () => {
      const { order, body } = await soldTo({ parts: CARDS });
      const begun = await call(`/v1/refunds/${order.orderId}`, { body });
      assert.deepEqual([begun.status, begun.json.status], [202, 'NEEDS_ATTENTION'], begun.text);
      const path = `/v1/refunds/${order.orderId}/${begun.json.refundId}`;
      assert.deepEqual((await call(path)).json, begun.json);
      return { order, path, parts: partsOf(begun.json) };
    };
    const statusIs = async (path: string, status: string) =>
      await until(async () => (await call(path)).json.status === status, { what: `the refund to be ${status}` });
    /** The data of an event of a refund. */
    const toldOf = async (refundId: string, type: string) => {
      const token = await orders.service.token(['events:read']);
      for (let after = 0; ; ) {
        const { json } = await call(`/v1/events/refund-events-dev?after=${after}&limit=500&wait=30`, { token });
        const told = json.events as readonly { readonly type: string; readonly data: Record<string, unknown> }[];
        const found = told.find(({ type: each, data }) => each.includes(`.${type}.`) && data.refundId === refundId);
        if (found) return found.data;
        assert.ok(told.length > 0, `no ${type} of the refund ${refundId}`);
        after = json.nextOffset;
      }
    };
    const resolve = async (path: string, body: object, options: object = {}) =>
      await call(`${path}/resolve`, { body, ...options });

    it('is refused with the two named exceptions, by a channel without groups or without a transaction', async () => {
      const { order, body } = await soldTo({});
      for (const [channel, code, exception] of [
        [FINAL_CHANNEL, 'ZERO_ALLOWED_PAYMENT_TYPE_GROUPS_FOR_DCI', 'ZeroAllowedPaymentTypeGroupsForDCI'],
        [MOBILE_CHANNEL, 'ZERO_ALLOWED_TRANSACTIONS', 'ZeroAllowedTransactionsException'],
      ] as const) {
        assert.deepEqual((await optionsOf(order, { channel })).options, []);
        const dryRun = await call(`/v1/refunds/${order.orderId}/dry-run`, { method: 'PUT', body, ...by(channel) });
        const refused = await call(`/v1/refunds/${order.orderId}`, { body, ...by(channel) });
        for (const { status, json } of [dryRun, refused]) {
          assert.deepEqual([status, json.code, json.exception], [422, code, exception]);
        }
      }
      assert.deepEqual((await orders.moved(order)).refunds, []);
    });

    it('of a balance obeys the channel of the order too', async () => {
      const { orderId } = await orders.sell({ channel: FINAL_CHANNEL });
      const fee = { type: 'REDUCTION', price: { amount: '-20.00' }, reason: 'Goodwill' };
      assert.equal((await orders.call(`/v1/orders/${orderId}/fees`, { body: fee })).status, 201);
      const refused = await orders.call(`/v1/orders/${orderId}/confirm`, {
        body: { orderVersion: 2, creditBalance: true },
      });
      assert.deepEqual(
        [refused.status, refused.json.code, refused.json.exception],
        [422, 'ZERO_ALLOWED_PAYMENT_TYPE_GROUPS_FOR_DCI', 'ZeroAllowedPaymentTypeGroupsForDCI'],
      );
    });

    it('that suffices for one of two lines makes two sets, and /v1beta gives the first back', async () => {
      const order = await orders.sell({ channel: COUNTER_CHANNEL, parts: [{}, { isCash: true }] });
      const { options, optionIdsThatCanBePerformedTogether: sets } = await optionsOf(order, {
        channel: COUNTER_CHANNEL,
      });
      assert.deepEqual(
        sets,
        options.map(({ transientId }) => [transientId]),
      );
      assert.equal(sets.length, 2);
      const path = `/v1beta/refunds/${order.orderId}`;
      const dryRun = await call(`${path}/dry-run`, { method: 'PUT', ...by(COUNTER_CHANNEL) });
      assert.deepEqual([dryRun.status, dryRun.json.totalRefundAmount], [200, '300.00']);
      const done = await call(path, { method: 'POST', ...by(COUNTER_CHANNEL) });
      assert.deepEqual([done.status, done.json.refundAmount], [200, '300.00'], done.text);
      assert.deepEqual((await orders.moved(order)).refunds, [30_000]);
      assert.deepEqual((await call(path)).json.items, [done.json]);
      assert.deepEqual((await call(`${path}/${done.json.refundId}`)).json, done.json);
    });

    it('that one of two providers refuses is paid elsewhere by the operator, at once asked', async () => {
      const { order, path, parts } = await needingAttention();
      assert.deepEqual(parts, [
        ['300.00', 'CREDITED', undefined],
        ['300.00', 'FAILED', 'REFUSED_BY_ISSUER'],
      ]);
      const early = await resolve(path, { resolution: 'CREDITED_ELSEWHERE', reason: 'To Kari in cash' });
      assert.deepEqual([early.status, early.json.errors[0].pointer], [400, '/reason']);
      const other = await orders.service.token(['refunds:read', 'refunds:write'], 2);
      const decision = { resolution: 'CREDITED_ELSEWHERE', reason: 'BANK_TRANSFER' };
      assert.equal((await resolve(path, decision, { token: other })).status, 404);
      const resolved = await resolve(path, decision);
      assert.deepEqual([resolved.status, resolved.json.resolution], [200, 'CREDITED_ELSEWHERE'], resolved.text);
      await statusIs(path, 'COMPLETED');
      const { json } = await call(path);
      assert.deepEqual(
        [json.refundAmount, json.resolutionReason, json.problems],
        ['600.00', 'BANK_TRANSFER', undefined],
      );
      const paid = json.creditTransactions as readonly CreditedPart[];
      assert.deepEqual(
        new Set(paid.map(({ status, paidOtherwise }) => [status, paidOtherwise].join())),
        new Set(['CREDITED,', 'CREDITED,true']),
      );
      assert.deepEqual((await orders.moved(order)).refunds, [30_000]);
      const { status, totalAmount, balance } = await orders.order(order.orderId);
      assert.deepEqual([status, totalAmount, balance], ['CONFIRMED', '0.00', '0.00']);
      const again = await resolve(path, { resolution: 'GIVEN_UP', reason: 'NONE' });
      assert.deepEqual([again.status, again.json.code], [409, 'INVALID_STATE']);
    });

    it('that waits for an operator is found by its status, and told by an event', async () => {
      const { order, path } = await needingAttention();
      const { json: refund } = await call(path);
      const found = async (query: string, options: object = {}) => (await call(`/v1/refunds?${query}`, options)).json;
      const waiting = `status=NEEDS_ATTENTION&orderId=${order.orderId}`;
      assert.deepEqual(
        [await found(waiting), await found(`creditId=${refund.creditId}&perPage=1`)],
        [
          { items: [refund], page: 1, perPage: 25, totalItems: 1, totalPages: 1 },
          { items: [refund], page: 1, perPage: 1, totalItems: 1, totalPages: 1 },
        ],
      );
      assert.deepEqual((await found(`${waiting}&page=2`)).items, []);
      assert.equal((await found(`status=COMPLETED&orderId=${order.orderId}`)).totalItems, 0);
      const other = await orders.service.token(['refunds:read'], 2);
      assert.equal((await found(waiting, { token: other })).totalItems, 0);
      const operator = await orders.service.token(['refunds:read', 'organisation:any'], 2);
      assert.deepEqual((await found(waiting, { token: operator })).items, [refund]);
      const unknown = await call('/v1/refunds?colour=red');
      assert.deepEqual([unknown.status, unknown.json.code], [400, 'INVALID_SEARCH']);
      const token = await orders.service.token(['orders:read']);
      assert.equal((await call('/v1/refunds', { token })).json.code, 'INSUFFICIENT_SCOPE');
      const attention = await toldOf(refund.refundId, 'RefundNeedsAttention');
      assert.deepEqual([attention.amount, attention.creditId], ['600.00', refund.creditId]);
      assert.equal((await resolve(path, { resolution: 'GIVEN_UP', reason: 'NO_ACCOUNT' })).status, 200);
      await statusIs(path, 'COMPLETED');
      assert.equal((await found(waiting)).totalItems, 0);
    });

    it('of an imported order is planned without a write, and entered by the refund', async () => {
      const body = importedOrder(1);
      const imported = await call('/v1/orders/import', { body });
      assert.equal(imported.status, 201, imported.text);
      const orderId: string = imported.json.id;
      const connection = await connectMongo(orders.service.mongoUri);
      try {
        const entered = async () => await connection.collection('payments').countDocuments({ orderId });
        const revision = async () => (await orders.order(orderId)).revision;
        const before = await revision();
        const token = await orders.service.token(['refunds:read']);
        const options = await call(`/v1/refunds/options/${orderId}`, { token });
        assert.deepEqual([options.status, options.json.options.length], [200, 1], options.text);
        const [{ orderLineRef, refundRule, affectedPaymentTransactions: planned }] = options.json.options;
        const wanted = { refundOperations: [{ orderLineRef, refundRule: { id: refundRule.id } }] };
        const dryRun = await call(`/v1/refunds/${orderId}/dry-run`, { method: 'PUT', body: wanted, token });
        assert.deepEqual([dryRun.status, dryRun.json.affectedPaymentTransactions], [200, planned], dryRun.text);
        assert.equal((await call(`/v1beta/refunds/${orderId}/dry-run`, { method: 'PUT', token })).status, 200);
        assert.deepEqual([await entered(), await revision()], [0, before]);
        const done = await call(`/v1/refunds/${orderId}`, { body: wanted });
        assert.equal(done.status, 200, done.text);
        assert.equal(await entered(), 1);
        assert.deepEqual(done.json.affectedPaymentAndPaymentTransactionIds, {
          [String(planned[0].paymentId)]: [planned[0].transactionId],
        });
      } finally {
        await connection.close();
      }
    });

    it('that is given up stays with the order as a fee', async () => {
      const { order, path } = await needingAttention();
      const creditPath = `/v1/credits/${(await call(path)).json.creditId}`;
      assert.deepEqual((await call(creditPath)).json.resolution, undefined);
      assert.equal((await resolve(path, { resolution: 'GIVEN_UP', reason: 'NO_ACCOUNT' })).status, 200);
      await statusIs(path, 'COMPLETED');
      assert.equal((await call(path)).json.refundAmount, '300.00');
      const credit = (await call(creditPath)).json;
      assert.deepEqual([credit.status, credit.resolution], ['FAILED', 'GIVEN_UP']);
      const repeated = await resolve(path, { resolution: 'GIVEN_UP', reason: 'NO_ACCOUNT' });
      assert.deepEqual([repeated.status, repeated.json.status], [200, 'COMPLETED'], repeated.text);
      const { totalAmount, balance, fees } = await orders.order(order.orderId);
      assert.deepEqual([totalAmount, balance], ['300.00', '0.00']);
      assert.deepEqual(
        fees.map(({ type }: { type: string }) => type),
        ['REFUNDING'],
      );
    });

    it('of a settlement is in its entries and totals, and every operation looks at the header', async () => {
      const { order, body } = await soldTo({});
      const { orderId } = order;
      const { settlementId } = (await call('/v1/settlements', { body: {} })).json;
      const headers = { 'service-settlement-id': settlementId };
      const done = await call(`/v1/refunds/${orderId}`, { body, headers });
      assert.equal(done.status, 200, done.text);
      const path = `/v1/settlements/${settlementId}`;
      const totals = async () => (await call(path)).json.totals as readonly { readonly accounts: readonly object[] }[];
      await until(async () => (await totals()).length > 0, { what: 'the entry of the refund' });
      assert.deepEqual((await totals())[0]?.accounts, [
        { account: 'clearing/SIMULATOR', debit: '0.00', credit: '300.00' },
        { account: 'receivables', debit: '300.00', credit: '0.00' },
      ]);
      const { items } = (await call(`${path}/entries`)).json;
      assert.ok(items.length === 2 && items.every((each: { orderId: string }) => each.orderId === orderId));
      const wrong = { 'service-settlement-id': '123' };
      const paths = ['', '/v1beta'].flatMap((version) => {
        const base = `${version || '/v1'}/refunds`;
        return [`${base}/options/${orderId}`, `${base}/${orderId}`, `${base}/${orderId}/${done.json.refundId}`];
      });
      for (const each of paths) {
        const refused = await call(each, { headers: wrong });
        assert.deepEqual([refused.status, refused.json.code], [400, 'INVALID_SETTLEMENT_ID'], each);
        assert.equal((await call(each, { headers })).status, 200, each);
      }
      const resolution = { resolution: 'GIVEN_UP', reason: 'NONE' };
      const resolved = await resolve(`/v1/refunds/${orderId}/${done.json.refundId}`, resolution, { headers: wrong });
      assert.deepEqual([resolved.status, resolved.json.code], [400, 'INVALID_SETTLEMENT_ID']);
    });

    it('of older versions is that of their unchanged lines', async () => {
      const { order, body } = await soldTo({ travellers: 2 });
      const [first, second] = body.refundOperations;
      assert.ok(first && second);
      const done = await call(`/v1/refunds/${order.orderId}`, { body: { refundOperations: [first] } });
      assert.equal(done.status, 200, done.text);
      const older = await optionsOf(order, { query: '?orderVersion=1' });
      assert.deepEqual(
        [older.orderRef.version, older.options.map(({ orderLineRef }) => orderLineRef)],
        [1, [second.orderLineRef]],
      );
      const fee = { type: 'MANUAL', price: { amount: '5.00' }, reason: 'By phone' };
      assert.equal((await orders.call(`/v1/orders/${order.orderId}/fees`, { body: fee })).status, 201);
      for (const [version, code] of [
        [3, 'INVALID_STATE'],
        [9, 'ORDER_VERSION_MISMATCH'],
      ] as const) {
        const refused = await call(`/v1/refunds/options/${order.orderId}?orderVersion=${version}`);
        assert.deepEqual([refused.status, refused.json.code], [409, code]);
      }
    });

    it('that fails at the provider after the end is shown, and paid in another way once', async () => {
      const { order, body } = await soldTo({});
      const done = await call(`/v1/refunds/${order.orderId}`, { body });
      assert.equal(done.status, 200, done.text);
      const path = `/v1/refunds/${order.orderId}/${done.json.refundId}`;
      const decision = { resolution: 'CREDITED_ELSEWHERE', reason: 'BANK_TRANSFER' };
      assert.deepEqual((await resolve(path, decision)).json.code, 'INVALID_STATE');
      const [[paymentId, [transactionId]]] = Object.entries(
        done.json.affectedPaymentAndPaymentTransactionIds as Record<string, number[]>,
      ) as [[string, number[]]];
      const failed = { idempotencyKey: `cr-${done.json.creditId}-${transactionId}` };
      await send(`${orders.service.url('providerSimulator')}/refund-failures`, { body: failed });
      const problems = async () => (await call(path)).json.problems as readonly Record<string, unknown>[] | undefined;
      await until(async () => (await problems()) !== undefined, { what: 'the problem' });
      const [problem] = (await problems()) ?? [];
      assert.deepEqual(
        [problem?.type, problem?.paymentId, problem?.transactionId, problem?.amount, problem?.paidOtherwiseAt],
        ['CREDIT_FAILED', Number(paymentId), transactionId, '300.00', undefined],
      );
      assert.equal((await call(path)).json.status, 'COMPLETED');
      const givenUp = await resolve(path, { ...decision, resolution: 'GIVEN_UP' });
      assert.deepEqual([givenUp.status, givenUp.json.code], [409, 'INVALID_STATE']);
      const paid = await Promise.all([resolve(path, decision), resolve(path, decision)]);
      const repeated = await resolve(path, decision);
      assert.deepEqual(
        [...paid, repeated].map(({ status }) => status),
        [200, 200, 200],
        repeated.text,
      );
      assert.equal(repeated.json.paidOtherwiseReason, 'BANK_TRANSFER');
      const other = await resolve(path, { ...decision, resolution: 'GIVEN_UP' });
      assert.deepEqual([other.status, other.json.code], [409, 'INVALID_STATE']);
      const after = (await call(path)).json;
      assert.deepEqual([after.paidOtherwiseReason, after.problems.length], ['BANK_TRANSFER', 1]);
      assert.ok(after.problems[0].paidOtherwiseAt);
      const ledger = await entriesOf(order);
      assert.deepEqual([ledger['failed-credits'], ledger['other-payouts'], ledger.receivables], [0, -30_000, 0]);
    });

    const confirm = async (orderId: string, body: object) =>
      await orders.call(`/v1/orders/${orderId}/confirm`, { body: { orderVersion: 2, ...body } });
    const receiptOf = async (orderId: string) => {
      const path = `/v1/receipts?orderId=${orderId}&orderVersion=2`;
      const found = async () => (await orders.call(path)).json.items?.[0];
      await until(async () => (await found()) !== undefined, { what: 'the receipt' });
      const { receiptType, total } = await found();
      return [receiptType, total];
    };

    it('of a dearer ticket is paid in addition, and of an equal one not at all', async () => {
      const dearer = await orders.sell({ product: 'FIXED' });
      assert.equal((await orders.change(dearer.orderId, 'FLEX')).balance, '100.00');
      await orders.pay(dearer.orderId);
      const { status, version, totalAmount, balance } = await orders.order(dearer.orderId);
      assert.deepEqual([status, version, totalAmount, balance], ['CONFIRMED', 2, '300.00', '0.00']);
      assert.deepEqual(await orders.moved(dearer), { captures: [20_000, 10_000], refunds: [] });
      assert.deepEqual(await receiptOf(dearer.orderId), ['CHANGE', '100.00']);
      const equal = await orders.sell({ product: 'FIXED' });
      assert.equal((await orders.change(equal.orderId, 'FIXED')).balance, '0.00');
      assert.equal((await confirm(equal.orderId, {})).json.status, 'CONFIRMED');
      assert.deepEqual(await orders.moved(equal), { captures: [20_000], refunds: [] });
    });

    it('of a cheaper ticket goes back where the old one may be refunded and the caller asks for it', async () => {
      // The change costs 50.00, and the new ticket 100.00 less.
      const asked = await orders.sell({ product: 'FLEX' });
      const draft = await orders.change(asked.orderId, 'FIXED', true);
      assert.deepEqual([draft.balance, draft.creditBalance], ['-50.00', true]);
      const unasked = await orders.sell({ product: 'FLEX' });
      assert.equal((await orders.change(unasked.orderId, 'FIXED')).balance, '-50.00');
      assert.equal((await confirm(unasked.orderId, {})).json.code, 'ORDER_NOT_BALANCED');
      for (const { orderId } of [asked, unasked]) {
        const confirmed = await confirm(orderId, orderId === asked.orderId ? {} : { creditBalance: true });
        assert.deepEqual([confirmed.status, confirmed.json.status], [200, 'CONFIRMED'], confirmed.text);
        assert.equal(confirmed.json.totalAmount, '250.00');
        assert.deepEqual(await orders.moved({ orderId }), { captures: [30_000], refunds: [5_000] });
        assert.deepEqual(await receiptOf(orderId), ['CHANGE', '-50.00']);
      }
    });

    it('of a cheaper ticket is kept where the old one may not be refunded', async () => {
      const order = await orders.sell({ product: 'FIXED' });
      const { balance, creditBalance, fees } = await orders.change(order.orderId, 'BASIC', true);
      assert.deepEqual([balance, creditBalance], ['0.00', undefined]);
      assert.deepEqual(
        fees.map(({ type, price }: { type: string; price: { amount: string } }) => [type, price.amount]),
        [['CHANGE_NON_REFUNDABLE', '100.00']],
      );
      assert.equal((await confirm(order.orderId, {})).json.status, 'CONFIRMED');
      assert.deepEqual(await orders.moved(order), { captures: [20_000], refunds: [] });
    });

    /** Sums of the ledger's accounts for the order. */
    async function entriesOf({ orderId }: SoldOrder): Promise<Record<string, number>> {
      const connection = await connectMongo(orders.service.mongoUri);
      const sums: Record<string, number> = {};
      const read = async () => await connection.collection('ledger_entries').find({ orderId }).toArray();
      try {
        const isSettled = async () => JSON.stringify(await read()).includes('other-payouts');
        await until(isSettled, { what: 'the entry of what was paid in another way' });
        for (const { postings } of await read()) {
          for (const { account, amountMinor } of postings) sums[account] = (sums[account] ?? 0) + amountMinor;
        }
        return sums;
      } finally {
        await connection.close();
      }
    }
  });
}
