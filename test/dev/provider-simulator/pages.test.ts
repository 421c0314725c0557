import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { findAccessFaults, startBrowser } from '../../support/browser.ts';
import {
  authorised,
  call,
  type Simulator,
  sessionRequest,
  startSimulatorFor,
  submit,
} from '../../support/provider-simulator.ts';

const AMOUNT = { amountMinor: 34_900 };
const VIEWS = [
  { name: 'narrow and light', width: 320, colorScheme: 'light' },
  { name: 'wide and dark', width: 1_280, colorScheme: 'dark' },
] as const;

const textOf = async (page: Page, selector: string): Promise<string> => (await page.textContent(selector)) ?? '';

/** Without script, as its customers may be; only the search for faults of access runs some. */
describe('The pages of the payment provider simulator', () => {
  let simulator: Simulator;
  let url = '';
  let browser: Browser;
  let shop: Server;
  let returnUrl = '';

  before(async function () {
    const started = await startBrowser();
    if (!started) return this.skip();
    browser = started;
    simulator = await startSimulatorFor('simulator-pages');
    url = simulator.url;
    shop = createServer((_, response) => response.end('<title>Shop</title>')).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    returnUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/back`;
  });
  after(async () => {
    await browser?.close();
    await simulator?.stop();
    shop?.close();
    shop?.closeAllConnections();
  });

  const open = async (more: object = {}) => (await call(url, '/sessions', sessionRequest({ returnUrl, ...more }))).json;
  const stateOf = async (sessionId: string) => (await call(url, `/sessions/${sessionId}`)).json;
  const visit = async (
    uri: string,
    { width, colorScheme }: Omit<(typeof VIEWS)[number], 'name'> = VIEWS[0],
    script = false,
  ): Promise<Page> => {
    const context = await browser.newContext({
      javaScriptEnabled: script,
      viewport: { width, height: 800 },
      colorScheme,
    });
    const page = await context.newPage();
    await page.goto(uri);
    return page;
  };
  const challenged = async (language: string) => {
    const session = await authorised(url, '4000002500003155', { returnUrl, language });
    await call(url, `${session.path}/capture`, AMOUNT);
    return session;
  };

  it('take a test card and lead back to the shop', async () => {
    const { sessionId, terminalUri } = await open();
    const page = await visit(terminalUri);
    assert.equal(await page.locator('input[name=cardNumber]').getAttribute('autocomplete'), 'cc-number');
    await page.locator('input[name=cardNumber]').fill('4111 1111 1111 1111');
    await page.locator('button[name=pay]').click();
    await page.waitForURL(/responseCode=OK/);
    assert.equal(await page.title(), 'Shop');
    assert.equal((await stateOf(sessionId)).status, 'AUTHORISED');
  });

  it('refuse another number beside the field, and take a test card then', async () => {
    const { terminalUri } = await open({ language: 'nob' });
    const page = await visit(terminalUri);
    await page.locator('input[name=cardNumber]').fill('4242424242424242');
    await page.getByRole('button', { name: 'Betal' }).click();
    assert.match(await textOf(page, '[role=alert]'), /Dette er ikke et testkort/);
    assert.equal(await page.locator('input[name=cardNumber]').inputValue(), '');
    assert.match((await page.locator('input[name=cardNumber]').getAttribute('aria-describedby')) ?? '', /fault/);
    await page.locator('input[name=cardNumber]').fill('4111111111111111');
    await page.locator('input[name=cardNumber]').press('Enter');
    await page.waitForURL(/responseCode=OK/);
  });

  it('cancel with an empty field', async () => {
    const { sessionId, terminalUri } = await open();
    const page = await visit(terminalUri);
    await page.locator('button[name=cancel]').click();
    await page.waitForURL(/responseCode=CANCEL/);
    assert.equal((await stateOf(sessionId)).status, 'CANCELLED');
    await page.goto(terminalUri);
    assert.match(await textOf(page, 'h1'), /This payment has ended/);
    assert.equal(await page.locator('form').count(), 0);
  });

  for (const [button, code] of [
    ['approve', 'OK'],
    ['decline', 'FAILED'],
  ] as const) {
    it(`${button} on the 3-D Secure page`, async () => {
      const { terminalUri } = await challenged('eng');
      const page = await visit(terminalUri);
      assert.match(await textOf(page, 'main'), /3-D Secure\s+VISA •••• 3155/);
      await page.locator(`button[name=${button}]`).click();
      await page.waitForURL(new RegExp(`responseCode=${code}`));
    });
  }

  it('approve in the app of a phone, without a card field', async () => {
    for (const more of [{ methods: ['VIPPS'] }, { app: { phoneNumber: '+4798765432', description: 'Oslo–Bergen' } }]) {
      const { sessionId, terminalUri } = await open(more);
      const page = await visit(terminalUri);
      assert.equal(await page.locator('input').count(), 0);
      if ('app' in more) assert.match(await textOf(page, 'main'), /••• 432[\s\S]*Oslo–Bergen/);
      await page.locator('button[name=pay]').click();
      await page.waitForURL(/responseCode=OK/);
      assert.equal((await stateOf(sessionId)).status, 'AUTHORISED');
    }
  });

  it('show the amount as the language writes it, and escape what the merchant sends', async () => {
    const { terminalUri } = await open({ language: 'nno', amountMinor: 123_450 });
    assert.match(
      (await textOf(await visit(terminalUri), '.amount')).replaceAll(/\s/g, ' '),
      /^1 234,50 kr$|^kr 1 234,50$/,
    );
    const app = { phoneNumber: '+47 1', description: '<b id=evil>x</b>' };
    const page = await visit((await open({ app })).terminalUri);
    assert.equal(await page.locator('#evil').count(), 0);
  });

  it('run no script, stand in no frame and leave no trace', async () => {
    const { headers } = await fetch((await open()).terminalUri);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  it('change nothing by a form that is none of theirs', async () => {
    const { terminalUri, sessionId } = await open();
    assert.equal((await submit(`${terminalUri}/3-d-secure`, { approve: '1' })).status, 303);
    assert.equal((await submit(terminalUri, { cardNumber: 'x'.repeat(9_000) })).status, 413);
    assert.equal((await stateOf(sessionId)).status, 'OPEN');
  });

  for (const view of VIEWS) {
    for (const language of ['nob', 'eng']) {
      it(`have no fault of access, ${view.name}, in ${language}`, async () => {
        const { terminalUri } = await open({ language });
        const [app, ended] = [await open({ language, methods: ['VIPPS'] }), await open({ language })];
        await submit(ended.terminalUri, { cancel: '1' });
        const paid = await authorised(url, '4111111111111111', { returnUrl, language });
        const uris = [
          terminalUri,
          app.terminalUri,
          ended.terminalUri,
          paid.terminalUri,
          (await challenged(language)).terminalUri,
          url,
        ];
        for (const uri of uris) {
          const page = await visit(uri, view, true);
          assert.deepEqual(await findAccessFaults(page), [], uri);
          const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
          assert.equal(await page.evaluate(overflow), 0, 'scrolls sideways');
          await page.context().close();
        }
      });
    }
  }
});
