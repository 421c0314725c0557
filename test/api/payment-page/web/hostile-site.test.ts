/** What another site can do with the customer's page in a real browser, also when it knows the link. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../../support/browser.ts';
import { LINK, OPEN, type PageServer, startPageServer } from './sample-page.ts';

describe('another site', () => {
  let browser: Browser;
  let pages: PageServer;
  let hostile: Server;
  let url: string;

  before(async function () {
    const started = await startBrowser();
    if (!started) return this.skip();
    browser = started;
    pages = await startPageServer();
    hostile = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html><title>Hostile</title><body>');
    });
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    // Another site to the browser, though the same machine.
    url = `http://localhost:${(hostile.address() as AddressInfo).port}/`;
  });
  after(async () => {
    await browser?.close();
    await pages?.close();
    hostile?.close();
  });

  async function visit(): Promise<{ readonly page: Page; readonly complaints: string[] }> {
    pages.told.view = OPEN;
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(url);
    return { page, complaints };
  }

  it('cannot show the page in a frame of its own', async () => {
    const { page, complaints } = await visit();
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = resolve;
      frame.src = '${pages.url}${LINK}';
      document.body.append(frame);
    })`);
    const [, framed] = page.frames();
    assert.equal(await framed?.getByRole('button').count(), 0);
    assert.ok(
      complaints.some((text) => text.includes('frame-ancestors')),
      complaints.join('\n'),
    );
    await page.close();
  });

  it('cannot read the page, nor its state', async () => {
    const { page } = await visit();
    for (const path of [LINK, `${LINK}/state`]) {
      const read = `fetch('${pages.url}${path}', { credentials: 'include' }).then((answer) => answer.text())`;
      await assert.rejects(page.evaluate(read), /Failed to fetch/, path);
      const opaque = `fetch('${pages.url}${path}', { mode: 'no-cors' }).then((answer) => answer.text())`;
      await assert.rejects(page.evaluate(opaque), /Failed to fetch/, path);
    }
    await page.close();
  });

  it('cannot reach into a window in which it has opened the page', async () => {
    const { page } = await visit();
    const opened = page.waitForEvent('popup');
    await page.evaluate(`globalThis.shown = open('${pages.url}${LINK}'); undefined`);
    const popup = await opened;
    await popup.getByRole('button').first().waitFor();
    assert.equal(await popup.evaluate('opener'), null);
    assert.equal(await page.evaluate('shown.closed'), true);
    await page.close();
    await popup.close();
  });

  it('cannot run a script that it has brought into a text of the page', async () => {
    const page = await browser.newPage();
    pages.told.view = { ...OPEN, sellerName: '"><script>document.title="taken"</script><img src=x onerror=alert(1)>' };
    await page.goto(`${pages.url}${LINK}?lang=en`);
    assert.doesNotMatch(await page.title(), /^taken$/);
    // Even where escaping had failed, the policy of the page lets no script of a text run.
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="document.title=1">')`);
    await page.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken"';
      document.body.append(script);
    })()`);
    assert.doesNotMatch(await page.title(), /^(1|taken)$/);
    await page.close();
  });
});
