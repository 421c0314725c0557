import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  type AuthorisedMoney,
  ProviderUnknown,
  type RawCallback,
} from '../../../activities/payments/provider/payment-provider.ts';
import type { ProviderBase } from '../../../activities/payments/provider/provider-base.ts';
import { openProviders } from '../../../activities/payments/provider/providers.ts';
import { createSimulatorProvider } from '../../../activities/payments/provider/simulator.ts';
import { simulatorSettingOf, simulatorShape } from '../../../activities/payments/provider/simulator-config.ts';
import { signatureOf } from '../../../dev/provider-simulator/signature.ts';
import { ConfigError, parseConfig } from '../../../platform/config.ts';
import type { EventEnvironment } from '../../../platform/events/outbox.ts';
import { createLog } from '../../../platform/log.ts';
import {
  authorised,
  call,
  payByCard,
  receiveCallbacks,
  SIMULATOR_SECRET,
  type Simulator,
  sessionRequest,
  startSimulatorFor,
  submit,
} from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';

const TIMEOUT_MS = 1_500;

describe('The adapter to the payment provider simulator', () => {
  let simulator: Simulator;
  let url = '';

  before(async () => {
    simulator = await startSimulatorFor('simulator-adapter');
    url = simulator.url;
  });
  after(() => simulator.stop());

  const provider = (more: object = {}) =>
    createSimulatorProvider({ url, secret: SIMULATOR_SECRET, timeoutMs: TIMEOUT_MS, ...more });
  const open = async (more: object = {}) =>
    await provider().openSession({ key: randomUUID(), ...sessionRequest(more) });
  const paidBy = async (card: string): Promise<AuthorisedMoney & { sessionId: string; terminalUri: string }> => {
    const { sessionId, terminalUri } = await open();
    await payByCard(terminalUri, card);
    const { authorisationId = '', amountMinor, currency } = await provider().session(sessionId);
    return { key: randomUUID(), authorisationId, amountMinor, currency, sessionId, terminalUri };
  };

  it('opens one session for a key, reads it and ends it', async () => {
    const request = { key: randomUUID(), ...sessionRequest({ countryCode: 'NO' }) };
    const opened = await provider().openSession(request);
    assert.deepEqual(await provider().openSession(request), opened);
    assert.deepEqual(await provider().session(opened.sessionId), {
      status: 'OPEN',
      challengeDone: false,
      amountMinor: 34_900,
      currency: 'NOK',
    });
    const key = randomUUID();
    await provider().cancelSession(opened.sessionId, key);
    await provider().cancelSession(opened.sessionId, key);
    assert.equal((await provider().session(opened.sessionId)).status, 'CANCELLED');
  });

  it('moves money once for a key, and tells what became of it', async () => {
    const money = await paidBy('4111111111111111');
    assert.deepEqual(await provider().outcomeOf(money.key, money), { outcome: 'NEVER_SEEN' });
    const captured = await provider().capture(money);
    assert.equal(captured.outcome, 'DONE');
    assert.match(captured.rrn ?? '', /^\d{12}$/);
    assert.deepEqual(await provider().capture(money), captured);
    assert.deepEqual(await provider().outcomeOf(money.key, money), captured);
    assert.deepEqual(await provider().void({ ...money, key: randomUUID() }), { outcome: 'REFUSED' });
    assert.equal((await provider().refund({ ...money, key: randomUUID(), amountMinor: 900 })).outcome, 'DONE');
    assert.equal((await provider().void(await paidBy('4111111111111111'))).outcome, 'DONE');
  });

  it('tells soft declines, refusals and what is pending', async () => {
    const soft = await paidBy('4000002500003155');
    assert.deepEqual(await provider().capture(soft), { outcome: 'SOFT_DECLINE' });
    await submit(`${soft.terminalUri}/3-d-secure`, { approve: '1' });
    assert.equal((await provider().session(soft.sessionId)).challengeDone, true);
    assert.equal((await provider().capture({ ...soft, key: randomUUID() })).outcome, 'DONE');
    assert.deepEqual(await provider().capture(await paidBy('4000000000000002')), { outcome: 'REFUSED' });
    const later = await paidBy('4000000000000077');
    assert.equal((await provider().capture(later)).outcome, 'PENDING');
    await until(async () => (await provider().outcomeOf(later.key, later)).outcome === 'DONE');
  });

  it('knows nothing when the answer does not come in time, though the money was taken', async () => {
    const money = await paidBy('4000000000000259');
    await assert.rejects(provider().capture(money), ProviderUnknown);
    assert.equal((await provider().outcomeOf(money.key, money)).outcome, 'DONE');
  });

  for (const mode of ['FAIL_BEFORE', 'FAIL_AFTER', 'DROP', 'SLOW'] as const) {
    it(`knows nothing after ${mode} of any call`, async () => {
      const fault = async (name: string) => await call(url, '/faults', { call: name, mode, count: 1, delayMs: 4_000 });
      const money = await paidBy('4111111111111111');
      const tries: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['session', () => open()],
        ['status', () => provider().session(money.sessionId)],
        ['status', () => provider().outcomeOf(money.key, money)],
        ['cancel', () => provider().cancelSession(money.sessionId, randomUUID())],
        ['capture', () => provider().capture(money)],
        ['refund', () => provider().refund({ ...money, key: randomUUID() })],
        ['void', () => provider().void({ ...money, key: randomUUID() })],
      ];
      for (const [name, run] of tries) {
        await fault(name);
        await assert.rejects(run(), ProviderUnknown, name);
      }
      assert.equal((await provider().capture(money)).outcome, 'DONE');
    }).timeout(30_000);
  }

  it('knows nothing when nobody answers, when the answer is of another kind, or the authorisation is unknown', async () => {
    const money = await paidBy('4111111111111111');
    await assert.rejects(provider({ url: 'http://127.0.0.1:9' }).capture(money), ProviderUnknown);
    // A page, with status 200.
    await assert.rejects(provider({ url: `${money.terminalUri}?` }).session('x'), ProviderUnknown);
    await assert.rejects(provider().capture({ ...money, authorisationId: 'unknown' }), ProviderUnknown);
    // A proxy's 404 is not the simulator's word that it has never seen the key.
    await assert.rejects(provider({ url: `${url}/other` }).outcomeOf('k', money), ProviderUnknown);
  });

  it('reads the ledger of a time', async () => {
    const money = await paidBy('4111111111111111');
    const from = new Date();
    await provider().capture(money);
    const refund = { ...money, key: randomUUID(), amountMinor: 900 };
    await provider().refund(refund);
    const read = async (start: Date, end: Date) =>
      (await Array.fromAsync(provider().movements(start, end))).map(({ at: _, ...each }) => each);
    const soon = new Date(Date.now() + 1_000);
    const own = ({ key }: { key: string }) => key === money.key || key === refund.key;
    const movements = (await read(from, soon)).filter(own);
    assert.deepEqual(
      movements.map(({ reference: _, ...each }) => each),
      [
        { kind: 'CAPTURE', amountMinor: 34_900, currency: 'NOK', key: money.key },
        { kind: 'REFUND', amountMinor: 900, currency: 'NOK', key: refund.key },
      ],
    );
    assert.deepEqual((await read(new Date(from.getTime() - 3 * 86_400_000), from)).filter(own), []);
    const [captured] = (await Array.fromAsync(provider().movements(from, soon))).filter(own);
    assert.ok(captured);
    assert.deepEqual((await read(from, captured.at)).filter(own), [], 'until does not count');
  });
});

describe('Callbacks that the adapter takes', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const provider = createSimulatorProvider({
    url: 'http://127.0.0.1:9',
    secret: SIMULATOR_SECRET,
    timeoutMs: 1,
    now: () => now,
  });
  const body = JSON.stringify({ id: 'r1', type: 'CAPTURED', sessionId: 's', reference: '12/34', at: now });
  const raw = (text: string, header: string | undefined): RawCallback => ({
    body: Buffer.from(text),
    headers: { 'provider-signature': header },
  });
  const signed = (text: string, at = now, secret = SIMULATOR_SECRET) => raw(text, signatureOf(secret, text, at));

  it('are those with the right signature of the last five minutes', async () => {
    const report = { id: 'r1', paymentId: 12, transactionId: 34 };
    for (const seconds of [0, -299, 299]) {
      const at = new Date(now.getTime() + seconds * 1_000);
      assert.deepEqual(await provider.verifyCallback(signed(body, at)), report, String(seconds));
    }
  });

  it('are not those with another signature, another body, an old time or none', async () => {
    const { headers } = signed(body);
    const right = headers['provider-signature'] ?? '';
    const flipped = right.slice(0, -1) + (right.endsWith('0') ? '1' : '0');
    const wrong = [
      signed(body, now, 'another secret that is long enough'),
      raw(body, flipped),
      raw(`${body} `, right),
      raw(body, right.replace(/t=\d+/, 't=1')),
      raw(body, right.toUpperCase()),
      raw(body, `${right},v1=00`),
      raw(body, undefined),
      raw(body, ''),
      signed(body, new Date(now.getTime() - 301_000)),
      signed(body, new Date(now.getTime() + 301_000)),
    ];
    for (const [at, callback] of wrong.entries())
      assert.equal(await provider.verifyCallback(callback), undefined, String(at));
  });

  it('cover the bytes, also those that are no text', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    const { createHmac } = await import('node:crypto');
    const seconds = now.getTime() / 1_000;
    const hash = createHmac('sha256', SIMULATOR_SECRET).update(`${seconds}.`).update(bytes).digest('hex');
    const callback = { body: bytes, headers: { 'provider-signature': `t=${seconds},v1=${hash}` } };
    assert.equal(await provider.verifyCallback(callback), 'IRRELEVANT');
    assert.equal(await provider.verifyCallback(signed('{"id":"r2","reference":"a/b"}')), 'IRRELEVANT');
  });

  it('tell of disputes and failed refunds what the books say', async () => {
    const simulator = await startSimulatorFor('simulator-trouble');
    const own = createSimulatorProvider({ url: simulator.url, secret: SIMULATOR_SECRET, timeoutMs: TIMEOUT_MS });
    const receiver = await receiveCallbacks();
    const { path, reference } = await authorised(simulator.url, '4111111111111111', { callbackUrl: receiver.url });
    await call(simulator.url, `${path}/capture`, { amountMinor: 34_900 });
    await call(simulator.url, `${path}/refund`, { amountMinor: 900 }, 'refund');
    await call(simulator.url, '/refund-failures', { idempotencyKey: 'refund' });
    await call(simulator.url, '/disputes', { reference, amountMinor: 5_000 }, 'dispute');
    await receiver.untilReceived(5);
    const verified = receiver.received.map(({ headers, body: bytes }) => own.verifyCallback({ headers, body: bytes }));
    const troubles = (await Promise.all(verified)).map((report) =>
      typeof report === 'object' ? report.trouble : report,
    );
    assert.deepEqual(troubles, [
      undefined,
      undefined,
      undefined,
      { kind: 'REFUND_FAILED', key: 'refund' },
      { kind: 'DISPUTED', amountMinor: 5_000 },
    ]);
    await call(simulator.url, '/dispute-wins', { idempotencyKey: 'dispute' });
    await receiver.untilReceived(6);
    const { headers, body: bytes } = receiver.received.at(-1) ?? assert.fail();
    const won = await own.verifyCallback({ headers, body: bytes });
    assert.deepEqual(typeof won === 'object' && won.trouble, { kind: 'DISPUTE_WON', amountMinor: 5_000 });
    const movements = await Array.fromAsync(
      own.movements(new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)),
    );
    const disputes = movements.flatMap(({ kind, amountMinor }) => (kind === 'DISPUTE' ? [amountMinor] : []));
    assert.deepEqual(disputes, [5_000, -5_000]);
    const invented = { id: 'x', type: 'REFUND_FAILED', reference, idempotencyKey: 'never' };
    const text = JSON.stringify(invented);
    const report = await own.verifyCallback(signed(text, new Date()));
    assert.equal(typeof report === 'object' && report.trouble, undefined, 'the callback is not believed');
    receiver.close();
    await simulator.stop();
  });

  it('come from the simulator itself', async () => {
    const simulator = await startSimulatorFor('simulator-callback-adapter');
    const receiver = await receiveCallbacks();
    const request = sessionRequest({ callbackUrl: receiver.url });
    const { json } = await call(simulator.url, '/sessions', request);
    await payByCard(json.terminalUri, '4111111111111111');
    await receiver.untilReceived(1);
    const own = createSimulatorProvider({ url: simulator.url, secret: SIMULATOR_SECRET, timeoutMs: TIMEOUT_MS });
    const [{ headers, body: bytes, report }] = receiver.received as [(typeof receiver.received)[number]];
    const [paymentId, transactionId] = request.reference.split('/').map(Number);
    assert.deepEqual(await own.verifyCallback({ headers, body: bytes }), { id: report.id, paymentId, transactionId });
    receiver.close();
    await simulator.stop();
  });
});

describe('The settings of the payment provider simulator', () => {
  const set = { PAYMENT_SIMULATOR_URL: 'http://127.0.0.1:8083/', PAYMENT_SIMULATOR_SECRET: SIMULATOR_SECRET };
  const read = (environment: Record<string, string>, name: EventEnvironment = 'dev') =>
    simulatorSettingOf(parseConfig(simulatorShape, environment), name);

  it('are refused in production', async () => {
    assert.throws(() => read(set, 'production'), /PAYMENT_PROVIDERS: .* refused in production/);
    const base = {
      log: createLog({ level: 'silent', name: 'test' }),
      readConfig: (shape: z.ZodRawShape) => parseConfig(shape, { ...set, PAYMENT_PROVIDERS: 'SIMULATOR' }),
    } as Pick<ProviderBase, 'log' | 'readConfig'>;
    await assert.rejects(openProviders({ ...base, eventEnvironment: 'production' }), ConfigError);
    assert.equal((await openProviders({ ...base, eventEnvironment: 'staging' })).get('SIMULATOR').name, 'SIMULATOR');
  });

  it('keep the simulator itself from starting in production', async () => {
    await assert.rejects(
      startSimulatorFor('simulator-production', { ENVIRONMENT: 'production' }),
      /never runs in production/,
    );
  });

  it('are complete', () => {
    assert.deepEqual(read(set), { url: 'http://127.0.0.1:8083', secret: SIMULATOR_SECRET, timeoutMs: 8_000 });
    for (const name of Object.keys(set)) {
      assert.throws(
        () => read({ ...set, [name]: '' }, 'staging'),
        /PAYMENT_SIMULATOR_URL and PAYMENT_SIMULATOR_SECRET/,
      );
    }
    assert.throws(() => read({ ...set, PAYMENT_SIMULATOR_SECRET: 'short' }), /PAYMENT_SIMULATOR_SECRET/);
  });
});
