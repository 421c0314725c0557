/** The customer's page in every state, in a real browser: languages, widths, light and dark, keyboard, axe-core. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { findAccessFaults, startBrowser } from '../../../support/browser.ts';
import { LINK, OPEN, type PageServer, STATES, startPageServer } from './sample-page.ts';

describe("the customer's page in a browser", () => {
  let browser: Browser;
  let server: PageServer;

  before(async function () {
    const started = await startBrowser();
    if (!started) return this.skip();
    browser = started;
    server = await startPageServer();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Collects what the browser complains of: a breach of the policy, a request to another host. */
  async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}) {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 }, ...options });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) complaints.push(request.url());
    });
    await page.goto(`${server.url}${path}`);
    return { page, complaints };
  }

  const show = async (state: string, language: string, options: Parameters<Browser['newPage']>[0] = {}) => {
    server.told.view = { ...OPEN, ...STATES[state] };
    return await open(`${LINK}?lang=${language}`, options);
  };

  for (const state of Object.keys(STATES)) {
    it(`is whole for everybody: ${state}`, async () => {
      for (const language of ['nb', 'nn', 'en']) {
        const { page, complaints } = await show(state, language);
        assert.deepEqual(await findAccessFaults(page), [], language);
        await page.emulateMedia({ colorScheme: 'dark' });
        assert.deepEqual(await findAccessFaults(page), [], `${language}, dark`);
        for (const width of [320, 360, 1_440]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
          assert.ok(wide <= width, `${wide} wide on ${width}`);
        }
        assert.deepEqual(complaints, []);
        await page.close();
      }
    });
  }

  it('is whole without a valid link', async () => {
    server.told.view = undefined;
    for (const language of ['nb', 'nn', 'en']) {
      const { page } = await open(`${LINK}?lang=${language}`);
      assert.deepEqual(await findAccessFaults(page), []);
      await page.close();
    }
  });

  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');

  it('is used with the keyboard alone', async () => {
    const { page } = await show('open', 'en');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'To the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
    await page.keyboard.press('Tab');
    assert.match(await focused(page), /^Pay .* with Visa$/);
    await Promise.all([page.waitForResponse(/\/pay/), page.keyboard.press('Enter')]);
    await page.getByRole('alert').waitFor();
    assert.deepEqual(server.told.paid.at(-1), {
      paymentMethod: 'PAYMENTCARD/VISA',
      formNonce: 'bm9uY2U',
      language: 'eng',
    });
    await page.close();
  });

  it('says what is bought, in the time zone of the catalogue', async () => {
    const { page } = await show('open', 'nb');
    // biome-ignore lint/performance/useDomNodeTextContent: a customer reads what is laid out.
    const seen = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    for (const expected of [
      'Enkeltbillett tog, refunderbar',
      '2 × Voksen, 1 × Barn',
      '08:05 Fjordby stasjon',
      '14:42 Nordre Vestlandshavn terminal',
      '00:20 Ytterøya (lørdag 19. desember)',
      'Tillegg: Sykkel',
      'vogn 3, plass 41',
      'Bestillingsgebyr 49,00 kr',
      'Sum 1 117,00 kr',
      'Herav merverdiavgift 12 % av 953,57 kr 114,43 kr',
      'Betal innen torsdag 17. desember kl. 12:30.',
    ])
      assert.ok(seen.includes(expected), `${expected} is missing in ${seen}`);
    await page.close();
  });

  it('marks names that are in another language than the page', async () => {
    const { page } = await show('open', 'en');
    assert.equal(await page.getByText('Periodebillett').getAttribute('lang'), 'nb');
    await page.close();
  });

  it('follows the state by itself, and stops when it is final', async () => {
    const { page } = await show('processing', 'en');
    const later = page.waitForURL(`${server.url}${LINK}?lang=en`, { waitUntil: 'load' });
    server.told.view = { ...OPEN, ...STATES.completed };
    await page.getByRole('heading', { name: 'Thank you! Your order is paid' }).waitFor();
    await later;
    assert.equal(await page.locator('script').count(), 0);
    await page.close();
  });

  it('leads on from the return address by itself, with scripts and without', async () => {
    for (const javaScriptEnabled of [true, false]) {
      server.told.view = { ...OPEN, ...STATES.processing };
      server.told.returned = { go: 'WAIT' };
      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${server.url}${LINK}/return?lang=nb&responseCode=OK`);
      assert.equal(await page.textContent('h1'), 'Vi kontrollerer betalingen');
      server.told.view = { ...OPEN, ...STATES.paid };
      server.told.returned = { go: 'PAGE' };
      await page.getByRole('heading', { name: 'Takk! Betalingen er mottatt' }).waitFor();
      assert.equal(page.url(), `${server.url}${LINK}?lang=nb`);
      await context.close();
    }
  });
});
