/** The report page in a real browser, under its own content security policy. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Finding, Severity } from '../../../netex/finding.ts';
import { reportPageCsp, reportToHtml } from '../../../netex/report/report-html.ts';
import { serverPath } from '../../support/stack.ts';

const NONCE = 'bm9uY2U=';
const severities: readonly Severity[] = ['WARNING', 'ERROR', 'INFO', 'CRITICAL'];

const findings: readonly Finding[] = Array.from({ length: 5_000 }, (_, number) => ({
  code: number % 2 === 0 ? 'NETEX_ID_5' : 'NETEX_ID_2',
  name: 'A rule',
  severity: severities[number % 4] ?? 'INFO',
  message: `Finding number ${number} <b>&amp;</b>`,
  objectId: `ABC:Line:${number}`,
  fileName: `ABC_${number % 7}.xml`,
  lineNumber: number,
  columnNumber: 1,
}));

describe('report page in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let server: Server;
  let address: string;

  before(async function () {
    let executablePath: string;
    try {
      executablePath = serverPath('chromium');
    } catch {
      return this.skip();
    }
    const summary = {
      codespace: 'abc',
      correlationId: 'c',
      fileName: 'abc.zip',
      createdAt: '2026-11-21T10:00:00Z',
      valid: false,
      schemaVersions: ['1.13'],
      files: [],
      findingsPerRule: { NETEX_ID_5: 2_500, NETEX_ID_2: 2_500 },
    };
    const html = (await Array.fromAsync(reportToHtml(summary, findings, { nonce: NONCE, language: 'en' }))).join('');
    server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', reportPageCsp(NONCE));
      response.end(html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  /** Fails on anything the page complains of, a breach of the policy included. */
  async function open(hash = '', width = 1200): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.on('console', (message) => assert.notEqual(message.type(), 'error', message.text()));
    page.on('pageerror', (error) => assert.fail(error));
    await page.goto(address + hash);
    await page.waitForSelector('#rows tr');
    return page;
  }

  const status = (page: Page) => page.textContent('#status');
  const firstRow = (page: Page) => page.textContent('#rows tr');

  it('shows 5,000 findings within a second, the most severe first, as text', async () => {
    const page = await open();
    const shownMs = await page.evaluate(() => performance.now());
    assert.ok(shownMs < 1_000, `${shownMs} ms`);
    assert.equal(await status(page), '5000 of 5000 listed findings');
    assert.match((await firstRow(page)) ?? '', /^CriticalNETEX_ID_2.*Finding number 3 <b>&amp;<\/b>/);
    await page.close();
  });

  it('filters by severity, rule, file and text, and keeps the view in the address', async () => {
    const page = await open();
    await page.click('[data-severity=ERROR]');
    await page.selectOption('#file', 'ABC_1.xml');
    assert.match((await status(page)) ?? '', /^179 of 5000/);
    await page.fill('#q', 'finding 49');
    await page.locator('#status', { hasNotText: /^179 / }).waitFor();
    const seen = await status(page);
    const again = await open(new URL(page.url()).hash);
    assert.equal(await status(again), seen);
    await again.click('#clear');
    assert.match((await status(again)) ?? '', /^5000 of/);
    await again.close();
    await page.close();
  });

  it('links to a finding, whatever it takes to show it', async () => {
    const page = await open('#severity=INFO&target=4999');
    assert.match((await page.textContent('tr.target')) ?? '', /Finding number 4999/);
    assert.ok(await page.locator('tr.target').isVisible());
    await page.close();
  });

  it('works by keyboard', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('4998');
    await page.locator('#status', { hasText: /^1 of/ }).waitFor();
    await page.keyboard.press('Escape');
    assert.match((await status(page)) ?? '', /^5000/);
    await page.locator('#q').blur();
    for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
    assert.equal(await page.locator(':focus').getAttribute('id'), 'finding-3');
    assert.equal(await page.getAttribute('#finding-3 button.code', 'aria-expanded'), 'true');
    await page.close();
  });

  it('speaks the other language and fits a phone', async () => {
    const page = await open('', 360);
    await page.click('#language');
    assert.equal(await page.getAttribute('html', 'lang'), 'nb');
    assert.match((await firstRow(page)) ?? '', /^Kritisk/);
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360);
    await page.close();
  });
});
