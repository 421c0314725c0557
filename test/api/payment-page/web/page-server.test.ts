/** The server of the customer's pages over HTTP: links, headers, limits, forms, and what it says in its log. */
import assert from 'node:assert/strict';
import { createLog } from '../../../../platform/log.ts';
import { ServiceError } from '../../../../workflows/shared/service-error.ts';
import { LINK, OPEN, ORDER, type PageServer, STATES, startPageServer, TERMINAL, TOKEN } from './sample-page.ts';

const FORM = { paymentMethod: 'PAYMENTCARD/VISA', formNonce: 'bm9uY2U' };

describe("the server of the customer's pages", () => {
  let server: PageServer;
  let nowMs = 1_800_000_000_000;

  before(async () => {
    server = await startPageServer(undefined, () => nowMs);
  });
  beforeEach(() => {
    nowMs += 60_000;
    server.told.view = OPEN;
  });
  after(async () => await server.close());

  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    await fetch(`${server.url}${path}`, { headers, method, redirect: 'manual' });
  const post = async (path: string, fields: Record<string, string> = FORM) =>
    await fetch(`${server.url}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

  it('serves the page to nobody else, from nobody else', async () => {
    const answer = await get(LINK);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.headers.get('x-robots-tag') ?? '', /noindex/);
    assert.equal(
      answer.headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        `form-action 'self' ${TERMINAL}; script-src 'self'; connect-src 'self'`,
    );
    const body = await answer.text();
    assert.ok(!/\sstyle=|\son\w+=|javascript:|<script>|https?:\/\//.test(body));
    const assets = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    assert.equal(assets.length, 3);
    for (const path of assets) assert.match((await get(path)).headers.get('cache-control') ?? '', /immutable/);
  });

  it('allows a script only where something is awaited, and forms only where there are some', async () => {
    const policyOf = async (state: string) => {
      server.told.view = { ...OPEN, ...STATES[state] };
      return (await get(LINK)).headers.get('content-security-policy') ?? '';
    };
    assert.match(await policyOf('processing'), /script-src 'self'/);
    assert.match(await policyOf('paid'), /form-action 'none'.*script-src 'self'/);
    for (const state of ['completed', 'credited']) {
      assert.match(await policyOf(state), /form-action 'none'/);
      assert.ok(!/script-src/.test(await policyOf(state)), state);
    }
  });

  it('answers in the language of the address, the browser, or the contact', async () => {
    for (const [path, accepted, contact, language] of [
      [LINK, 'nn-NO,nb;q=0.5', 'eng', 'nn'],
      [LINK, 'de', 'eng', 'en'],
      [LINK, '', 'nno', 'nn'],
      [LINK, 'no', 'eng', 'nb'],
      [`${LINK}?lang=en`, 'nb', 'nob', 'en'],
      [`${LINK}?lang="><b>`, 'nb', 'nob', 'nb'],
    ] as const) {
      server.told.view = { ...OPEN, language: contact };
      const body = await (await get(path, { 'accept-language': accepted })).text();
      assert.match(body, new RegExp(`<html lang="${language}">`), `${path} ${accepted}`);
      assert.ok(!body.includes('<b>'));
    }
  });

  it('escapes what others have written', async () => {
    server.told.view = { ...OPEN, sellerName: '<img src=x onerror=alert(1)>' };
    assert.ok(!(await (await get(LINK)).text()).includes('<img'));
  });

  it('answers every wrong link alike', async () => {
    const seen = new Set<string>();
    for (const path of [
      `/${ORDER}/AAAAAAAAAAAAAAAAAAAAAA`,
      `/ZZZZZZZZ/${TOKEN}`,
      `/${ORDER}`,
      `${LINK}/admin`,
      `${LINK}/pay/more`,
      '/',
      '/.env',
      `/${'A'.repeat(300)}/${'b'.repeat(300)}`,
    ]) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      const kept = [...answer.headers].filter(([name]) => !['date', 'x-correlation-id'].includes(name));
      seen.add(JSON.stringify([kept, await answer.text()]));
    }
    server.told.view = undefined;
    const closed = await get(LINK);
    const kept = [...closed.headers].filter(([name]) => !['date', 'x-correlation-id'].includes(name));
    seen.add(JSON.stringify([kept, await closed.text()]));
    assert.equal(seen.size, 1);
    assert.match([...seen].join(''), /Lenken er ikke gyldig/);
    for (const end of ['/status', '/return']) assert.equal((await get(`${LINK}${end}`)).status, 404);
    assert.equal((await post(`${LINK}/pay`)).status, 404);
  });

  it('refuses the 31st wrong link of an address within a minute, and serves valid ones', async () => {
    const wrong = async (address: string) => await get('/ZZZZZZZZ/wrong', { 'x-forwarded-for': address });
    for (let number = 0; number < 30; number += 1) assert.equal((await wrong('192.0.2.1')).status, 404);
    const refused = await wrong('192.0.2.1');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.match(refused.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal((await wrong('192.0.2.2')).status, 404);
    assert.equal((await get(LINK, { 'x-forwarded-for': '192.0.2.1' })).status, 200);
    nowMs += 60_000;
    assert.equal((await wrong('192.0.2.1')).status, 404);
  });

  it('sends the customer to the terminal, and to no other origin', async () => {
    server.told.pay = { go: 'TERMINAL', terminalUri: `${TERMINAL}/t/1` };
    const sent = await post(`${LINK}/pay?lang=en`);
    assert.equal(sent.status, 303);
    assert.equal(sent.headers.get('location'), `${TERMINAL}/t/1`);
    assert.equal(sent.headers.get('referrer-policy'), 'no-referrer');
    server.told.pay = { go: 'TERMINAL', terminalUri: 'https://elsewhere.example/t/1' };
    const stopped = await post(`${LINK}/pay?lang=en`);
    assert.equal(stopped.status, 500);
    assert.equal(stopped.headers.get('location'), null);
  });

  it('tells what has come between in words of the customer', async () => {
    for (const [answer, status, words] of [
      [{ go: 'PAGE', why: 'CHANGED' }, 409, 'Your order has changed'],
      [{ go: 'PAGE', why: 'BUSY' }, 409, 'A payment is under way already'],
      [{ go: 'PAGE', why: 'METHOD' }, 422, 'This way to pay cannot be used'],
      [{ go: 'STOPPED' }, 502, 'The payment provider does not answer'],
      [new ServiceError('UNAVAILABLE', 'Temporal is away.'), 503, 'Something went wrong on our side'],
    ] as const) {
      server.told.pay = answer;
      const sent = await post(`${LINK}/pay?lang=en`);
      assert.equal(sent.status, status, words);
      assert.ok((await sent.text()).includes(words));
    }
    server.told.pay = { go: 'PAGE', why: 'CLOSED' };
    assert.equal((await post(`${LINK}/pay?lang=en`)).headers.get('location'), `${LINK}?lang=en`);
  });

  it('refuses forms that are none', async () => {
    const send = async (body: string, type: string) =>
      await fetch(`${server.url}${LINK}/pay`, { method: 'POST', body, headers: { 'content-type': type } });
    const formType = 'application/x-www-form-urlencoded';
    assert.equal((await send('{}', 'application/json')).status, 415);
    assert.equal((await send('formNonce=a&formNonce=b', formType)).status, 400);
    assert.equal((await send(`formNonce=${'a'.repeat(5_000)}`, formType)).status, 413);
    const wrongMethod = await get(`${LINK}/pay`);
    assert.equal(wrongMethod.status, 405);
    assert.equal(wrongMethod.headers.get('allow'), 'POST');
    assert.equal((await get(LINK, {}, 'HEAD')).status, 200);
    assert.equal((await post(LINK)).status, 405);
  });

  it('leads on from the return address', async () => {
    server.told.view = { ...OPEN, ...STATES.processing };
    server.told.returned = { go: 'WAIT' };
    const waiting = await get(`${LINK}/return?paymentId=1&transactionId=2&responseCode=OK`);
    assert.equal(waiting.status, 200);
    const text = await waiting.text();
    assert.match(text, /<noscript><meta http-equiv="refresh"/);
    // Who has just paid is not asked to pay again.
    assert.doesNotMatch(text, /<form/);
    assert.ok(text.includes(`href="${LINK}?lang=`), text);
    server.told.returned = { go: 'TERMINAL', terminalUri: `${TERMINAL}/t/2` };
    assert.equal((await get(`${LINK}/return`)).headers.get('location'), `${TERMINAL}/t/2`);
    server.told.returned = { go: 'PAGE' };
    const settled = await get(`${LINK}/return?lang=nn`);
    assert.equal(settled.status, 303);
    assert.equal(settled.headers.get('location'), `${LINK}?lang=nn`);
  });

  it('tells the state as JSON, and ends an attempt by a form alone', async () => {
    const status = await get(`${LINK}/status`);
    assert.equal(status.headers.get('cache-control'), 'no-store');
    assert.deepEqual(await status.json(), { status: 'OPEN' });
    const ended = await post(`${LINK}/other-method`, {});
    assert.equal(ended.status, 303);
    assert.equal(ended.headers.get('location'), LINK);
    assert.equal((await get(`${LINK}/other-method`)).status, 405);
    assert.equal(server.told.ended, 1);
  });

  it('keeps the secret of a link out of log and figures', async () => {
    const written: string[] = [];
    const destination = { write: (line: string) => void written.push(line) };
    const logged = await startPageServer(createLog({ level: 'debug', name: 'payment-page', destination }));
    const swapped = `/${TOKEN}/${ORDER}`;
    logged.told.pay = new Error('the provider failed');
    for (const path of [LINK, `${LINK}/status`, `${LINK}/return`, `${LINK}x`, swapped, `/${TOKEN}`])
      await fetch(`${logged.url}${path}`, { redirect: 'manual' });
    await fetch(`${logged.url}${LINK}/pay`, { method: 'POST', body: new URLSearchParams(FORM) });
    const metrics = await (await fetch(`${logged.url}/metrics`)).text();
    await logged.close();
    const lines = written.join('');
    assert.match(lines, new RegExp(`"path":"/${ORDER}/:token/status"`));
    assert.match(metrics, /paymentPage\.show/);
    for (const secret of [TOKEN, FORM.formNonce]) {
      assert.ok(!lines.includes(secret), 'the log shows a secret');
      assert.ok(!metrics.includes(secret), 'the figures show a secret');
    }
  });
});
