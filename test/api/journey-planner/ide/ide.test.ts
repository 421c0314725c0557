/** Tests the query page in a real browser, under its own content security policy, over the demo region. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../../support/browser.ts';
import { until } from '../../../support/until.ts';
import { useDemoPlanner } from '../demo-planner.ts';

describe('The query page in a browser', () => {
  const demo = useDemoPlanner();
  let browser: Browser;

  before(async function () {
    const started = await startBrowser();
    if (!started) return this.skip();
    browser = started;
  });
  after(async () => {
    await browser?.close();
  });

  /** Opens a page. Fails on any error of the page, and on any request to another host. */
  async function open(path: string, options: { width?: number; locale?: string } = {}): Promise<Page> {
    const { width = 1280, locale = 'nb-NO' } = options;
    const page = await browser.newPage({ viewport: { width, height: 800 }, locale });
    page.on('console', (message) => assert.notEqual(message.type(), 'error', message.text()));
    page.on('pageerror', (error) => assert.fail(error));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) assert.ok(request.url().startsWith(demo.planner.url), request.url());
    });
    await page.goto(demo.planner.url + path);
    await page.waitForSelector('.graphiql-response .CodeMirror');
    return page;
  }

  const answered = (page: Page, text: string) =>
    page.locator('.graphiql-response', { hasText: text }).waitFor({ timeout: 20_000 });

  for (const dialect of ['v2', 'v3'] as const) {
    it(`answers the first query of a first visit on ${dialect}`, async () => {
      const page = await open(`/journey-planner/${dialect}/ide`);
      await page.locator('[aria-label=Variables]', { hasText: 'NSR:StopPlace' }).waitFor({ timeout: 5_000 });
      await page.click('#run');
      await answered(page, 'expectedStartTime');
      assert.equal(await page.locator('.graphiql-response', { hasText: 'errors' }).count(), 0);
      await page.close();
    });
  }

  it('is served with a slash at the end of its address', async () => {
    const path = '/journey-planner/v3/ide';
    const { status, headers } = await fetch(`${demo.planner.url}${path}/?lang=en`, { redirect: 'manual' });
    assert.equal(status, 308);
    const target = new URL(headers.get('location') ?? '', `${demo.planner.url}${path}/`);
    assert.equal(target.href, `${demo.planner.url}${path}?lang=en`);
    const page = await open(`${path}/`);
    assert.equal(new URL(page.url()).pathname, path);
    await page.close();
  });

  it('runs an example by keyboard only, with a client name', async () => {
    const page = await open('/journey-planner/v3/ide');
    const names: (string | undefined)[] = [];
    page.on('request', (request) => names.push(request.headers()['service-client-name']));
    await page.locator('#example').focus();
    await page.keyboard.type('Bare lokalbuss');
    await page.locator('.graphiql-query-editor', { hasText: 'localBus' }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').getAttribute('id'), 'run');
    await page.keyboard.press('Enter');
    await answered(page, 'tripPatterns');
    assert.ok(names.includes('samferd-ide'));
    await page.close();
  });

  it('does not trap the keyboard inside its editors', async () => {
    const page = await open('/journey-planner/v3/ide');
    await page.locator('.graphiql-query-editor .CodeMirror-scroll').click();
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('.graphiql-query-editor .CodeMirror-focused').count(), 0);
    await page.close();
  });

  it('shows the documentation of the schema', async () => {
    const page = await open('/journey-planner/v2/ide');
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.locator('.graphiql-doc-explorer', { hasText: 'QueryType' }).waitFor();
    await page.close();
  });

  it('opens every dialog, menu and list of suggestions under its policy', async () => {
    const page = await open('/journey-planner/v3/ide');
    for (const dialog of ['Open short keys dialog', 'Open settings dialog']) {
      await page.getByRole('button', { name: dialog }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.locator('.graphiql-doc-explorer-search input').fill('quay');
    await page.getByRole('option').first().click();
    await page.locator('.graphiql-query-editor .CodeMirror-scroll').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' {');
    await page.keyboard.press('Control+Space');
    await page.locator('.CodeMirror-hints').waitFor();
    await page.getByRole('button', { name: 'Prettify query' }).hover();
    await page.getByRole('tooltip').first().waitFor();
    await page.close();
  });

  it('speaks both languages and fits a phone', async () => {
    const page = await open('/journey-planner/v2/ide', { width: 360, locale: 'en-GB' });
    assert.equal(await page.getAttribute('html', 'lang'), 'en');
    await page.selectOption('#example', '20-departures-stop-place');
    await page.click('#run');
    await answered(page, 'estimatedCalls');
    await page.click('#language');
    assert.equal(await page.getAttribute('html', 'lang'), 'nb');
    assert.equal(await page.locator('#run').textContent(), 'Kjør');
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360);
    await page.close();
  });

  it('brings the answer into view on a phone, and leaves a wide page as it is', async () => {
    for (const { width, scrolls } of [
      { width: 360, scrolls: true },
      { width: 1280, scrolls: false },
    ]) {
      const page = await open('/journey-planner/v3/ide', { width });
      const run = page.locator('#run');
      await run.scrollIntoViewIfNeeded();
      assert.equal(await page.evaluate<number>('scrollY'), 0);
      await run.click();
      await answered(page, 'expectedStartTime');
      const isInView = async () => {
        const box = await page.locator('.graphiql-response').boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= 800;
      };
      await until(isInView);
      assert.equal((await page.evaluate<number>('scrollY')) > 0, scrolls);
      await page.close();
    }
  });

  it('has a strict policy and cacheable parts', async () => {
    const page = await fetch(`${demo.planner.url}/journey-planner/v3/ide`);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    const again = await fetch(`${demo.planner.url}/journey-planner/v3/ide`);
    assert.notEqual(again.headers.get('content-security-policy'), policy, 'a nonce serves once');
    const html = await page.text();
    assert.doesNotMatch(html, /<script>|https?:\/\//);
    const script = /src="\.\.\/(ide\/page-[0-9a-f]+\.js)"/.exec(html)?.[1];
    const { status, headers } = await fetch(`${demo.planner.url}/journey-planner/${script}`);
    assert.deepEqual([status, headers.get('vary')], [200, 'Accept-Encoding']);
    assert.match(headers.get('cache-control') ?? '', /immutable/);
    assert.match(headers.get('content-type') ?? '', /^text\/javascript/);
  });
});
