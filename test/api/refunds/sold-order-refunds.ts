/** Refunds through the whole service: what the provider has really paid back, and what became of order, tickets and mails. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PAGE_CHANNEL, type PagedOrders, type SoldOrder } from '../../support/paged-orders.ts';
import { until } from '../../support/until.ts';

const CHANNEL = { 'service-distribution-channel': PAGE_CHANNEL };
/** The provider refuses to refund it. */
const NO_REFUNDS = '4000000000005126';

interface Fee {
  readonly type: string;
  readonly price: { readonly amount: string };
}

interface Option {
  readonly orderLineRef: { readonly id: string; readonly version: number };
  readonly refundRule: { readonly id: string };
  readonly refundAmount: string;
  readonly fee: string;
  readonly legIds?: readonly string[];
}

export function describeSoldOrderRefunds(useOrders: () => PagedOrders): void {
  describe('refunds of sold orders', () => {
    let orders: PagedOrders;
    before(() => {
      orders = useOrders();
    });

    const call: PagedOrders['call'] = async (path, { headers, ...options } = {}) =>
      await orders.call(path, { ...options, headers: { ...CHANNEL, ...headers } });
    const optionsOf = async ({ orderId }: SoldOrder, path = '/v1'): Promise<readonly Option[]> => {
      const answer = await call(`${path}/refunds/options/${orderId}`);
      assert.equal(answer.status, 200, answer.text);
      const ids = answer.json.options.map(({ transientId }: { transientId: string }) => transientId);
      assert.deepEqual(answer.json.optionIdsThatCanBePerformedTogether, ids.length > 0 ? [ids] : []);
      return answer.json.options;
    };
    const asOperation = ({ orderLineRef, refundRule: { id }, refundAmount }: Option) => ({
      ...{ orderLineRef, refundRule: { id }, refundAmount },
    });
    const refund = async ({ orderId }: SoldOrder, body: object, headers: Record<string, string> = {}) =>
      await call(`/v1/refunds/${orderId}`, { body, headers });
    /** Repeats with the same key while a busy service says that it is not available, as a careful caller does. */
    const refundPatiently: typeof refund = async (order, body) => {
      const key = { 'idempotency-key': randomUUID() };
      let answer = await refund(order, body, key);
      while (answer.json.code === 'UNAVAILABLE') answer = await refund(order, body, key);
      return answer;
    };
    const ticketsOf = async ({ orderId }: SoldOrder) =>
      (await call(`/v1/ticket-distributions?orderId=${orderId}&perPage=100`)).json.items as readonly {
        readonly id: number;
        readonly status: string;
        readonly leg: readonly { readonly legId: string }[];
      }[];
    const ticketed = async (order: SoldOrder, count: number) => {
      const live = async () => (await ticketsOf(order)).filter(({ status }) => /GENERATED|DISTRIBUT/.test(status));
      await until(async () => (await live()).length === count, { what: `${count} live tickets` });
      return await live();
    };

    it('give back one of two lines: the ticket first, then the money, by the rule in force', async () => {
      const order = await orders.sell({ product: 'SAVER', travellers: 2 });
      const tickets = await ticketed(order, 2);
      const options = await optionsOf(order);
      const [first] = options;
      assert.ok(first && options.length === 2);
      assert.deepEqual([first.refundAmount, first.fee], ['230.00', '70.00']);
      const body = { refundOperations: [asOperation(first)] };
      const dryRun = await call(`/v1/refunds/${order.orderId}/dry-run`, { method: 'PUT', body });
      assert.equal(dryRun.status, 200, dryRun.text);
      assert.deepEqual(
        [dryRun.json.totalRefundAmount, dryRun.json.fees[0].type, dryRun.json.fees[0].amount],
        ['230.00', 'REFUNDING', '70.00'],
      );
      const key = { 'idempotency-key': randomUUID() };
      const done = await refund(order, body, key);
      assert.equal(done.status, 200, done.text);
      assert.deepEqual((await refund(order, body, key)).json, done.json);
      assert.deepEqual(await orders.moved(order), { captures: [60_000], refunds: [23_000] });
      const after = await orders.order(order.orderId);
      assert.deepEqual(
        [after.version, after.status, after.totalAmount, after.balance],
        [2, 'CONFIRMED', '370.00', '0.00'],
      );
      assert.deepEqual(after.orderLines.map(({ status }: { status: string }) => status).toSorted(), [
        'CANCELLED',
        'CONFIRMED',
      ]);
      assert.equal(done.json.disabledTicketIds.length, 1);
      const [left] = await ticketed(order, 1);
      assert.ok(left && tickets.some(({ id }) => id === left.id) && !done.json.disabledTicketIds.includes(left.id));
      const subjects = async () => (await orders.mailsTo(order.email)).map(({ subject }) => subject);
      await until(async () => (await subjects()).filter((text) => /Kvittering|Receipt/.test(text)).length === 2, {
        what: 'the receipt of the refund',
      });
      const listed = await call(`/v1/refunds/${order.orderId}`);
      assert.deepEqual([listed.json.totalItems, listed.json.items[0]], [1, done.json]);
      assert.deepEqual((await call(`/v1/refunds/${order.orderId}/${done.json.refundId}`)).json, done.json);
    });

    it('give back one leg, whose ticket is issued again without it, and then the rest to the last øre', async () => {
      const order = await orders.sell({ changes: true });
      const [before] = await ticketed(order, 1);
      const [option] = await optionsOf(order);
      assert.ok(before && option);
      const [, secondLeg] = before.leg;
      assert.ok(secondLeg);
      const { refundAmount: _whole, ...operation } = asOperation(option);
      const part = await refund(order, { refundOperations: [{ ...operation, legIds: [secondLeg.legId] }] });
      assert.equal(part.status, 200, part.text);
      const [reissued] = await ticketed(order, 1);
      assert.ok(reissued && reissued.id !== before.id);
      assert.deepEqual(
        reissued.leg.map(({ legId }) => legId),
        [before.leg[0]?.legId],
      );
      const [rest] = await optionsOf(order);
      assert.equal(Number(rest?.refundAmount) + Number(part.json.refundAmount), Number(order.amount));
      const whole = await refund(order, { refundOperations: [asOperation(rest ?? assert.fail())] });
      assert.equal(whole.status, 200, whole.text);
      const { refunds } = await orders.moved(order);
      assert.equal(
        refunds.reduce((sum, each) => sum + each, 0),
        Math.round(Number(order.amount) * 100),
      );
      const { totalAmount, orderLines } = await orders.order(order.orderId);
      assert.deepEqual(
        [totalAmount, orderLines[0].status, orderLines[0].refundedAmount],
        ['0.00', 'CANCELLED', order.amount],
      );
      await ticketed(order, 0);
      assert.deepEqual(await optionsOf(order), []);
      const again = await refund(order, { refundOperations: [asOperation(rest ?? assert.fail())] });
      assert.equal(again.json.code, 'REFUND_AMOUNT_EXCEEDED');
    });

    it('give each amount back once, however many ask at once for overlapping lines', async () => {
      const order = await orders.sell({ travellers: 3 });
      await ticketed(order, 3);
      const operations = (await optionsOf(order)).map(asOperation);
      const [first, second, third] = operations;
      assert.ok(first && second && third);
      const wishes = [[first], [second], [first, second], [second, third], [third]];
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, at) =>
          refundPatiently(order, { refundOperations: wishes[at % wishes.length] ?? [] }),
        ),
      );
      const done = answers.filter(({ status }) => status === 200);
      const refused = new Set(answers.filter(({ status }) => status !== 200).map(({ json }) => json.code));
      const known = ['REFUND_IN_PROGRESS', 'REFUND_AMOUNT_EXCEEDED'];
      assert.deepEqual(
        [...refused].filter((code) => !known.includes(code)),
        [],
      );
      const lines = done.flatMap(({ json }) => json.affectedOrderLineIds);
      assert.ok(lines.length > 0 && new Set(lines).size === lines.length);
      const { refunds } = await orders.moved(order);
      assert.equal(
        refunds.reduce((sum, each) => sum + each, 0),
        lines.length * 30_000,
      );
      const { balance, totalAmount } = await orders.order(order.orderId);
      assert.deepEqual([balance, totalAmount], ['0.00', `${(3 - lines.length) * 300}.00`]);
      assert.equal((await optionsOf(order)).length, 3 - lines.length);
      await ticketed(order, 3 - lines.length);
    });

    it('leave all as it was when the provider refuses', async () => {
      const order = await orders.sell({ cardNumber: NO_REFUNDS });
      const tickets = await ticketed(order, 1);
      const [option] = await optionsOf(order);
      const refused = await refund(order, { refundOperations: [asOperation(option ?? assert.fail())] });
      assert.deepEqual([refused.status, refused.json.code], [409, 'REFUSED_BY_ISSUER']);
      assert.match(refused.json.detail, /Nothing was paid: the order and its tickets are as before/);
      assert.deepEqual(
        (await ticketed(order, 1)).map(({ id }) => id),
        tickets.map(({ id }) => id),
      );
      const { version, status, balance } = await orders.order(order.orderId);
      assert.deepEqual([version, status, balance], [1, 'CONFIRMED', '0.00']);
      assert.deepEqual((await orders.moved(order)).refunds, []);
      const { items } = (await call(`/v1/refunds/${order.orderId}`)).json;
      assert.deepEqual([items[0].status, items[0].failure.code], ['FAILED', 'REFUSED_BY_ISSUER']);
    });

    it('of the lines that a draft cancels confirm the draft', async () => {
      const order = await orders.sell({ product: 'SAVER', travellers: 2 });
      await ticketed(order, 2);
      const [option] = await optionsOf(order);
      const operation = asOperation(option ?? assert.fail());
      const cancel = `/v1/orders/${order.orderId}/orderlines/cancel?orderLineIds=${operation.orderLineRef.id}`;
      const token = await orders.service.token(['orders:read', 'orders:write']);
      const cancelled = await orders.call(cancel, { method: 'POST', token });
      assert.equal(cancelled.status, 200, cancelled.text);
      // The draft has the fee of the rule; the refund brings its own in place of it.
      assert.deepEqual(
        cancelled.json.fees.map(({ type, price }: Fee) => [type, price.amount]),
        [['REFUNDING', '70.00']],
      );
      const open = await refund(order, { refundOperations: [operation] });
      assert.equal(open.json.code, 'INVALID_STATE');
      const done = await refund(order, { refundOperations: [operation], includesCancelledOrderLines: true });
      assert.equal(done.status, 200, done.text);
      assert.deepEqual((await orders.moved(order)).refunds, [23_000]);
      const { version, status, totalAmount, balance, fees } = await orders.order(order.orderId);
      assert.deepEqual([version, status, totalAmount, balance], [2, 'CONFIRMED', '370.00', '0.00']);
      assert.deepEqual(
        fees.map(({ type, price }: Fee) => [type, price.amount]),
        [['REFUNDING', '70.00']],
      );
      await ticketed(order, 1);
    });

    it('without the fee of the rule are for support, by a code that is configured', async () => {
      const order = await orders.sell({ product: 'SAVER' });
      await ticketed(order, 1);
      const [option] = await optionsOf(order);
      const { refundAmount: _byRule, ...operation } = asOperation(option ?? assert.fail());
      const token = await orders.service.token(['refunds:read', 'refunds:write', 'refunds:overrule']);
      const bySupport = async (overruleCode: string) =>
        await call(`/v1/refunds/${order.orderId}`, { body: { refundOperations: [operation], overruleCode }, token });
      const unknown = await bySupport('FRIEND');
      assert.deepEqual([unknown.status, unknown.json.errors[0].pointer], [422, '/overruleCode']);
      const done = await bySupport('GOODWILL');
      assert.deepEqual([done.status, done.json.refundAmount, done.json.overruleCode], [200, '240.00', 'GOODWILL']);
    });

    it('by /v1beta give back every option without a body', async () => {
      const order = await orders.sell({ travellers: 2 });
      await ticketed(order, 2);
      assert.equal((await optionsOf(order, '/v1beta')).length, 2);
      const done = await call(`/v1beta/refunds/${order.orderId}`, { method: 'POST' });
      assert.equal(done.status, 200, done.text);
      assert.ok(done.headers.get('sunset'));
      assert.deepEqual((await orders.moved(order)).refunds, [60_000]);
    });

    it('are refused with the code that says why, and change nothing', async () => {
      const order = await orders.sell({ product: 'SAVER' });
      const [ticket] = await ticketed(order, 1);
      const [option] = await optionsOf(order);
      const operation = asOperation(option ?? assert.fail());
      const { orderLineRef, refundRule } = operation;
      const named = await refund(order, { refundOperations: [{ ...operation, refundRule: { id: 'NONE' } }] });
      assert.match(named.json.detail, new RegExp(`In force now is ${refundRule.id}`));
      assert.equal(named.json.errors[0].pointer, '/refundOperations/0');
      const older = { refundEntries: [{ orderLineRef: { id: randomUUID(), version: 1 } }] };
      const { json } = await call(`/v1beta/refunds/${order.orderId}`, { body: older });
      assert.deepEqual([json.code, json.errors[0].pointer], ['UNKNOWN_ORDER_LINE', '/refundEntries/0']);
      const codeOf = async (changed: object, more: object = {}, headers = {}) => {
        const answer = await refund(order, { refundOperations: [{ ...operation, ...changed }], ...more }, headers);
        return [answer.status, answer.json.code];
      };
      assert.deepEqual(await codeOf({ refundAmount: '240.00' }), [422, 'AMOUNT_MISMATCH']);
      assert.deepEqual(await codeOf({ refundRule: { id: 'NONE' } }), [422, 'REFUND_NOT_ALLOWED']);
      assert.deepEqual(await codeOf({ orderLineRef: { ...orderLineRef, version: 2 } }), [
        409,
        'ORDER_VERSION_MISMATCH',
      ]);
      assert.deepEqual(await codeOf({ orderLineRef: { id: randomUUID(), version: 1 } }), [422, 'UNKNOWN_ORDER_LINE']);
      assert.deepEqual(await codeOf({ legIds: ['none'] }), [422, 'VALIDATION_FAILED']);
      assert.deepEqual(await codeOf({}, { includesCancelledOrderLines: true }), [409, 'INVALID_STATE']);
      const reserved = { refundOperations: [operation], reason: 'COMPENSATION' };
      const dryRun = await call(`/v1/refunds/${order.orderId}/dry-run`, { method: 'PUT', body: reserved });
      for (const { status, json } of [dryRun, await refund(order, reserved)]) {
        const [{ pointer, detail }] = json.errors;
        assert.deepEqual([status, pointer, /COMPENSATION, which is reserved/.test(detail)], [400, '/reason', true]);
      }
      assert.deepEqual(await codeOf({}, { overruleCode: 'GOODWILL' }), [403, 'INSUFFICIENT_SCOPE']);
      const twice = { refundOperations: [operation, { orderLineRef, refundRule }] };
      assert.equal((await refund(order, twice)).status, 422);
      const used = await call(`/v1/ticket-distributions/${ticket?.id}/validations`, {
        body: { validatedAt: new Date().toISOString() },
      });
      assert.equal(used.status, 201, used.text);
      assert.deepEqual(await codeOf({}), [422, 'REFUND_NOT_ALLOWED']);
      assert.deepEqual(await optionsOf(order), []);
      const { version, status } = await orders.order(order.orderId);
      assert.deepEqual([version, status], [1, 'CONFIRMED']);
    });

    const cancelLine = async ({ orderId }: SoldOrder) => {
      const [line] = (await orders.order(orderId)).orderLines;
      const cancelled = await call(`/v1/orders/${orderId}/orderlines/cancel?orderLineIds=${line.id}`, {
        method: 'POST',
      });
      assert.equal(cancelled.status, 200, cancelled.text);
    };
    const confirmPayingBack = async ({ orderId }: SoldOrder) =>
      await call(`/v1/orders/${orderId}/confirm`, { body: { orderVersion: 2, creditBalance: true } });
    const statusesOf = async (order: SoldOrder) => (await ticketsOf(order)).map(({ status }) => status);
    const ride = async (id: number | undefined) => {
      const body = { validatedAt: new Date().toISOString() };
      const used = await call(`/v1/ticket-distributions/${id}/validations`, { body });
      assert.equal(used.status, 201, used.text);
      return used.json.marks;
    };

    it('of a confirmation take the ticket first: who shows it while the provider thinks has no ride', async () => {
      const order = await orders.sell();
      const [ticket] = await ticketed(order, 1);
      await cancelLine(order);
      await orders.slowNext('refund', 2_000);
      const confirming = confirmPayingBack(order);
      await until(async () => (await statusesOf(order)).join() === 'DISABLED', { what: 'the disabled ticket' });
      assert.deepEqual((await orders.moved(order)).refunds, []);
      assert.deepEqual(await ride(ticket?.id), ['BEFORE_VALIDITY', 'AFTER_DISABLING']);
      let confirmed = await confirming;
      while (confirmed.json.code === 'UNAVAILABLE') confirmed = await confirmPayingBack(order);
      assert.deepEqual([confirmed.status, confirmed.json.status, confirmed.json.version], [200, 'CONFIRMED', 2]);
      assert.deepEqual([await statusesOf(order), (await orders.moved(order)).refunds], [['DISABLED'], [30_000]]);
    });

    it('of a confirmation give the ticket back where the provider refuses; once it is used, the draft is reset', async () => {
      const order = await orders.sell({ cardNumber: NO_REFUNDS });
      const [ticket] = await ticketed(order, 1);
      await cancelLine(order);
      const refused = await confirmPayingBack(order);
      assert.deepEqual([refused.status, refused.json.code], [409, 'INVALID_STATE'], refused.text);
      await ticketed(order, 1);
      await ride(ticket?.id);
      const late = await confirmPayingBack(order);
      assert.deepEqual([late.status, late.json.code], [409, 'TICKET_ALREADY_USED'], late.text);
      const reset = await call(`/v1/orders/${order.orderId}/reset`, { method: 'POST' });
      assert.deepEqual([reset.status, reset.json.status, reset.json.version], [200, 'CONFIRMED', 1], reset.text);
      await ticketed(order, 1);
    });
  });
}
