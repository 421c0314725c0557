import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  authorised,
  call,
  type Simulator,
  sessionRequest,
  startSimulatorFor,
} from '../../support/provider-simulator.ts';

const AMOUNT = { amountMinor: 34_900 };

describe('Keys of the payment provider simulator', () => {
  let simulator: Simulator;
  let url = '';

  before(async () => {
    simulator = await startSimulatorFor('simulator-keys');
    url = simulator.url;
  });
  after(() => simulator.stop());

  it('answer the same outcome to a hundred calls at once, and move money once', async () => {
    const { path, reference } = await authorised(url, '4111111111111111');
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(url, `${path}/capture`, AMOUNT, key)));
    assert.deepEqual(new Set(answers.map(({ json }) => JSON.stringify(json))).size, 1);
    assert.equal(answers[0]?.json.outcome, 'CAPTURED');
    assert.equal((await call(url, `/ledger?reference=${reference}`)).json.entries[0].captures.length, 1);
  });

  it('open one session for a hundred calls at once', async () => {
    const request = sessionRequest();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(url, '/sessions', request, key)));
    assert.equal(new Set(answers.map(({ json }) => json.sessionId)).size, 1);
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  });

  it('move money again under another key, so that the ledger shows a defect of the caller', async () => {
    const { path, reference } = await authorised(url, '4111111111111111');
    await Promise.all([call(url, `${path}/capture`, AMOUNT), call(url, `${path}/capture`, AMOUNT)]);
    assert.equal((await call(url, `/ledger?reference=${reference}`)).json.entries[0].captures.length, 2);
  });

  it('refuse another request under the same key, also of another session', async () => {
    const [first, second] = [await authorised(url, '4111111111111111'), await authorised(url, '4111111111111111')];
    const key = randomUUID();
    assert.equal((await call(url, `${first.path}/capture`, AMOUNT, key)).status, 200);
    for (const [path, body] of [
      [`${first.path}/capture`, { amountMinor: 1 }],
      [`${first.path}/refund`, AMOUNT],
      [`${second.path}/capture`, AMOUNT],
      ['/sessions', sessionRequest()],
    ] as const) {
      const { status, json } = await call(url, path, body, key);
      assert.deepEqual([status, json.error.code], [422, 'KEY_REUSED'], path);
    }
  });

  it('are asked of every call with an effect', async () => {
    const { path, sessionId } = await authorised(url, '4111111111111111');
    for (const each of [
      '/sessions',
      `/sessions/${sessionId}/cancel`,
      `${path}/capture`,
      `${path}/void`,
      `${path}/refund`,
    ]) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(each === '/sessions' ? sessionRequest() : each.endsWith('cancel') ? {} : AMOUNT);
      const answer = await fetch(`${url}${each}`, { method: 'POST', headers, body });
      assert.deepEqual(
        [answer.status, ((await answer.json()) as { error: { code: string } }).error.code],
        [400, 'MISSING_KEY'],
        each,
      );
    }
  });

  it('are unknown until they have come', async () => {
    const { status, json } = await call(url, '/operations/never');
    assert.deepEqual([status, json.error.code], [404, 'NEVER_SEEN']);
    for (const path of ['/sessions/none', '/authorisations/none/capture', '/terminal/none']) {
      assert.equal((await call(url, path, path.includes('auth') ? AMOUNT : undefined)).status, 404, path);
    }
  });

  it('are of no use with a body of another shape, or at another host name', async () => {
    for (const wrong of [{ amountMinor: 0 }, { amountMinor: 1.5 }, { amountMinor: '1' }, { ...AMOUNT, more: 1 }, []]) {
      assert.equal((await call(url, '/authorisations/x/capture', wrong)).status, 400, JSON.stringify(wrong));
    }
    for (const wrong of [
      { returnUrl: 'javascript:alert(1)' },
      { callbackUrl: 'ftp://x' },
      { reference: 'a/b' },
      { currency: 'kr' },
    ]) {
      assert.equal((await call(url, '/sessions', sessionRequest(wrong))).status, 400, JSON.stringify(wrong));
    }
    const { port } = new URL(url);
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request({ port, path: '/ledger', headers: { host: 'foreign.example' } }, (answer) =>
        resolve(answer.statusCode),
      ).end();
    });
    assert.equal(status, 421);
  });
});
