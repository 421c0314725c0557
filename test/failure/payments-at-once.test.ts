/**
 * Many captures and callbacks of one transaction at once, in the whole service with the payment provider simulator. The
 * simulator's ledger tells the money that has really moved: a second capture under another key would stand there.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { signatureOf } from '../../dev/provider-simulator/signature.ts';
import { send } from '../api/support/call.ts';
import { payByCard, SIMULATOR_SECRET, call as simulate, submit } from '../support/provider-simulator.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const SCOPES = ['orders:read', 'orders:write', 'payments:read', 'payments:write'];
const CHANNEL = { 'service-distribution-channel': 'SVC:DistributionChannel:PaymentPage' };
const MANY = 100;
/** Of most tests; `npm run test:payments-at-once` has all of them send as many as the first one. */
const AT_ONCE = Number(process.env.PAYMENTS_AT_ONCE ?? 25);

interface Started {
  readonly orderId: string;
  readonly paymentId: number;
  readonly reference: string;
  /** Of the transaction. */
  readonly path: string;
  readonly terminalUri: string;
}

describe('Payments at once', function () {
  this.timeout(240_000);
  let service: Service;
  let token: string;

  before(async () => {
    service = await Service.start({
      processes: ['salesPaymentsWorker', 'salesOrdersWorker', 'providerSimulator'],
      timetable: false,
      accounts: true,
      env: { PAYMENT_SIMULATOR_SECRET: SIMULATOR_SECRET, PAYMENT_SIMULATOR_TIMEOUT_MS: '2000' },
    });
    token = await service.token(SCOPES);
  });
  after(async () => await service?.stop());

  const ask = (path: string, method: string, body?: object) =>
    send(`${service.apiUrl}${path}`, { token, method, headers: CHANNEL, ...(body && { body }) });
  const call = async (path: string, method = 'GET', body?: object) => {
    const answer = await ask(path, method, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const start = async (orderVersion = 1, sold?: Started): Promise<Started> => {
    const orderId: string = sold?.orderId ?? (await call('/v1/orders', 'POST', {})).id;
    const amount = '349.00';
    await call(`/v1/orders/${orderId}/fees`, 'POST', { type: 'MANUAL', price: { amount }, reason: 'sold by hand' });
    const transaction = { amount, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
    const wanted = { orderId, orderVersion, totalAmount: amount, transaction };
    const { paymentId, transactionHistory } = await call('/v1/payments', 'POST', wanted);
    const { transactionId } = transactionHistory[0];
    const path = `/v1/payments/${paymentId}/transactions/${transactionId}`;
    const { terminalUri } = await call(`${path}/terminal`, 'POST', { redirectUrl: 'https://shop.example/paid' });
    return { orderId, paymentId, reference: `${paymentId}/${transactionId}`, path, terminalUri };
  };
  const fault = async (more: object) => {
    assert.equal((await simulate(service.url('providerSimulator'), '/faults', { count: 1, ...more })).status, 201);
  };
  const ledgerOf = async ({ reference }: Started) =>
    (await simulate(service.url('providerSimulator'), `/ledger?reference=${reference}`)).json.entries[0];
  const untilCaptured = async ({ path }: Started) => {
    await until(async () => (await call(path)).status === 'CAPTURED', { timeoutMs: 120_000, what: 'the capture' });
  };
  const assertPaidOnce = async (started: Started) => {
    await untilCaptured(started);
    await until(async () => (await call(`/v1/orders/${started.orderId}`)).status === 'CONFIRMED');
    const { captures, refunds } = await ledgerOf(started);
    assert.deepEqual([captures.length, captures[0].amountMinor, refunds.length], [1, 34_900, 0]);
    const { status, summary } = await call(`/v1/payments/${started.paymentId}`);
    assert.deepEqual([status, summary], ['PAID', { captured: '349.00', credited: '0.00', remaining: '0.00' }]);
    assert.equal((await call(`/v1/orders/${started.orderId}`)).balance, '0.00');
  };
  /** A report as the simulator sends it, with an id of its own: each is new to the service. */
  const report = async ({ reference }: Started) => {
    const at = new Date();
    const body = JSON.stringify({ id: randomUUID(), type: 'SESSION_AUTHORISED', sessionId: 's', reference, at });
    const headers = {
      'content-type': 'application/json',
      'provider-signature': signatureOf(SIMULATOR_SECRET, body, at),
    };
    return (await fetch(`${service.apiUrl}/v1/provider-callbacks/simulator`, { method: 'POST', headers, body })).status;
  };
  const captureMany = async ({ path }: Started, count = AT_ONCE) =>
    await Promise.all(Array.from({ length: count }, () => ask(`${path}/capture`, 'PUT')));
  /** A call of many may be told that another one is at work, or that nothing is known yet; none that the money was refused. */
  const assertNoRefusal = (answers: readonly { status: number; text: string; json: { status?: string } }[]) => {
    for (const { status, text, json } of answers) {
      assert.ok(
        (status === 200 && json.status === 'CAPTURED') || /RESOURCE_BUSY|UNAVAILABLE|PSP_TIMEOUT/.test(text),
        text,
      );
    }
  };

  it('capture once, however many ask', async () => {
    const started = await start();
    await payByCard(started.terminalUri, '4111111111111111');
    const answers = await captureMany(started, MANY);
    assertNoRefusal(answers);
    assert.ok(answers.some(({ status }) => status === 200));
    await assertPaidOnce(started);
  });

  it('capture what was added to a sold order, and keep what was sold', async () => {
    const sold = await start();
    await payByCard(sold.terminalUri, '4111111111111111');
    await call(`${sold.path}/capture`, 'PUT');
    await assertPaidOnce(sold);
    const added = await start(2, sold);
    await payByCard(added.terminalUri, '4111111111111111');
    await call(`${added.path}/capture`, 'PUT');
    await assertPaidOnce(added);
    const { version, fees } = await call(`/v1/orders/${sold.orderId}`);
    assert.deepEqual([version, fees.length], [2, 2]);
    assert.equal((await call(`/v1/orders/${sold.orderId}?version=1`)).fees.length, 1);
  });

  for (const card of ['4111111111111111', '4000000000000101', '4000000000000259', '4000000000000077']) {
    it(`capture ${card} once, with as many callbacks at the same time`, async () => {
      const started = await start();
      await payByCard(started.terminalUri, card);
      const reports = Promise.all(Array.from({ length: AT_ONCE }, () => report(started)));
      assertNoRefusal(await captureMany(started));
      assert.ok(
        (await reports).every((status) => status < 300),
        JSON.stringify(await reports),
      );
      await assertPaidOnce(started);
    });
  }

  it('capture once after the customer has passed 3-D Secure', async () => {
    const started = await start();
    await payByCard(started.terminalUri, '4000002500003155');
    const declined = await ask(`${started.path}/capture`, 'PUT');
    assert.deepEqual([declined.status, declined.json.errorReason], [409, 'SOFT_DECLINE']);
    await submit(`${started.terminalUri}/3-d-secure`, { approve: '1' });
    assertNoRefusal(await captureMany(started));
    await assertPaidOnce(started);
  });

  for (const mode of ['FAIL_BEFORE', 'FAIL_AFTER', 'DROP', 'DUPLICATE'] as const) {
    it(`capture once through ${mode} of calls and of questions about them`, async () => {
      const started = await start();
      await payByCard(started.terminalUri, '4111111111111111');
      await fault({ call: 'capture', mode });
      await fault({ call: 'status', mode, count: 2 });
      assertNoRefusal(await captureMany(started));
      await assertPaidOnce(started);
    });
  }

  it('capture once when the worker dies while the provider is asked', async () => {
    const started = await start();
    await payByCard(started.terminalUri, '4111111111111111');
    await fault({ call: 'capture', mode: 'SLOW', delayMs: 1_000 });
    const asked = captureMany(started);
    const isAsked = async () =>
      (await simulate(service.url('providerSimulator'), '/faults')).json.faults.at(-1).used === 1;
    await until(isAsked, { what: 'the call of the provider' });
    await service.kill('salesPaymentsWorker');
    await service.restart('salesPaymentsWorker');
    await asked;
    await assertPaidOnce(started);
  });
});
