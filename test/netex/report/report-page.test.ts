/** The report page in a real browser, with its own content security policy. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { Severity } from '../../../netex/finding.ts';
import { reportPageCsp, reportToHtml } from '../../../netex/report/report-html.ts';
import type { ComparedFinding } from '../../../netex/report/report-types.ts';
import { startBrowser } from '../../support/browser.ts';

const NONCE = 'bm9uY2U=';
const LONGEST = 'DISTANCE_BETWEEN_STOP_POINT_AND_START_OF_LINE_STRING_EXCEEDS_WARNING_LIMIT';
const severities: readonly Severity[] = ['WARNING', 'ERROR', 'INFO', 'CRITICAL'];

const finding = (number: number): ComparedFinding => ({
  code: number === 4_998 ? LONGEST : number % 2 === 0 ? 'NETEX_ID_5' : 'NETEX_ID_2',
  name: 'A rule',
  severity: severities[number % 4] ?? 'INFO',
  message: `Finding number ${number} <b>&amp;</b>`,
  objectId: `ABC:Line:${number}`,
  fileName: `ABC_${number % 7}.xml`,
  lineNumber: number,
  columnNumber: 1,
  new: number % 10 === 0,
});
const findings = Array.from({ length: 5_000 }, (_, number) => finding(number));

describe('report page in a browser', () => {
  let browser: Browser;
  let server: Server;
  let address: string;

  before(async function () {
    const started = await startBrowser();
    if (!started) return this.skip();
    browser = started;
    const summary = {
      codespace: 'abc',
      correlationId: 'c',
      fileName: 'abc.zip',
      createdAt: '2026-11-21T10:00:00Z',
      valid: false,
      schemaVersions: ['1.13'],
      files: [
        {
          name: 'ABC_ABC-Line-1_1_Byen-Fjorden-over-Nesset.xml',
          bytes: 1200,
          kind: 'line' as const,
          lines: 1,
          serviceJourneys: 7,
        },
      ],
      findingsPerRule: { NETEX_ID_5: 2_600, NETEX_ID_2: 2_500, [LONGEST]: 1 },
      comparison: {
        with: { correlationId: 'b', importKey: 'abc_before', createdAt: '2026-11-20T10:00:00Z' },
        complete: true,
        perRule: {
          LINE_3: { new: 0, same: 0, gone: 12 },
          NETEX_ID_2: { new: 0, same: 2_500, gone: 0 },
          NETEX_ID_5: { new: 500, same: 2_000, gone: 1 },
        },
        gone: [finding(5_000)],
        partial: ['NETEX_ID_5'],
      },
    };
    const html = (await Array.fromAsync(reportToHtml(summary, findings, { nonce: NONCE, language: 'en' }))).join('');
    server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', reportPageCsp(NONCE));
      response.end(html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  /** Fails on every error that the page reports, including a breach of the policy. */
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

  it('shows 5,000 findings, the most severe first, as text', async () => {
    const page = await open();
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

  it('links to a finding, and shows it in spite of the filters', async () => {
    const page = await open('#severity=INFO&target=4999');
    assert.match((await page.textContent('tr.target')) ?? '', /Finding number 4999/);
    assert.ok(await page.locator('#help-4999').isVisible(), 'with its advice');
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

  it('has the other language, and fits a phone', async () => {
    const page = await open('', 360);
    await page.click('#language');
    assert.equal(await page.getAttribute('html', 'lang'), 'nb');
    assert.match((await firstRow(page)) ?? '', /^Kritisk/);
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360);
    await page.close();
  });

  it('fits 360 pixels with the longest codes, open advice and removed findings', async () => {
    const page = await open('#target=4998', 360);
    await page.locator('#changes summary').click();
    assert.ok(await page.locator('#help-4998').isVisible());
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360);
    const name = page.locator('#rules td.whole', { hasText: 'Line missing PublicCode' });
    assert.ok(((await name.boundingBox())?.width ?? 0) > 250, 'a name has the width of the page');
    await page.close();
  });

  it('opens the advice by a click anywhere in the row, but not when words are selected', async () => {
    const page = await open();
    const row = page.locator('#rows tr').first();
    const help = row.locator('.help');
    const message = row.locator('td:nth-child(3) > div').first();
    await message.click();
    assert.ok(await help.isVisible());
    await help.click();
    assert.ok(await help.isVisible(), 'a click in the advice leaves it open');
    await row.locator('button.code').click();
    assert.ok(await help.isHidden());
    const box = await message.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 2, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 10);
    await page.mouse.up();
    assert.match(await page.evaluate<string>('getSelection().toString()'), /inding/);
    assert.ok(await help.isHidden());
    await page.close();
  });

  it('lists the rules without remaining findings', async () => {
    const page = await open();
    const row = page.locator('#rules tr', { hasText: 'LINE_3' });
    assert.deepEqual(await row.locator('td.number').allInnerTexts(), ['0', '0', '12']);
    await page.close();
  });

  it('shows new and removed findings since the import before', async () => {
    const page = await open();
    await page.check('#new');
    assert.match((await status(page)) ?? '', /^500 of 5000/);
    const again = await open(new URL(page.url()).hash);
    assert.match((await status(again)) ?? '', /^500 of 5000/);
    await again.click('#changes summary');
    assert.match((await again.textContent('#changes')) ?? '', /abc_before[\s\S]*Gone[\s\S]*Finding number 5000/);
    await again.close();
    await page.close();
  });

  it('states where more was found than is listed', async () => {
    const page = await open();
    assert.equal(await page.textContent('[data-listed-of=NETEX_ID_5]'), '2499 of them listed');
    assert.equal(await page.textContent('[data-listed-of=NETEX_ID_2]'), '');
    await page.close();
  });

  it('leads the keyboard past the head and through the filters to the rows', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').textContent(), 'Go to the findings');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator(':focus').getAttribute('id'), 'list');
    const walked: Array<string | null> = [];
    for (let step = 0; step < 16; step++) {
      await page.keyboard.press('Tab');
      const focus = page.locator(':focus');
      walked.push(
        (await focus.getAttribute('id')) ?? (await focus.getAttribute('data-text')) ?? (await focus.textContent()),
      );
    }
    assert.deepEqual(walked.slice(0, 10), [
      'all',
      'CRITICAL',
      'ERROR',
      'WARNING',
      'INFO',
      'rule',
      'file',
      'q',
      'new',
      'clear',
    ]);
    assert.deepEqual(walked.slice(10), ['severity', 'rule', 'message', 'place', 'NETEX_ID_2', '#']);
    await page.close();
  });
});
