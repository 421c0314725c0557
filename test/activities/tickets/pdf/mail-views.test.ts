/** Mails of tickets and receipts in a browser, light and dark, on a narrow screen. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { renderReceiptMail } from '../../../../activities/receipts/pdf/receipt-mail.ts';
import { renderTicketMail } from '../../../../activities/tickets/pdf/ticket-mail.ts';
import { findAccessFaults, startBrowser } from '../../../support/browser.ts';
import { receiptOf } from '../../receipts/pdf/receipts.ts';
import { manyLegs, nineTravellers, sheetOf, zoneTicket } from './sheets.ts';

/** A mail is shown within the page of a mail program, which has the landmarks. */
const OF_THE_PROGRAM = /^(landmark-one-main|region):/;
const NARROW = { width: 320, height: 640 };

const MAILS = [
  renderTicketMail([nineTravellers('nob'), zoneTicket('nob')]),
  renderTicketMail([manyLegs('eng'), sheetOf('eng', { specimen: true })]),
  renderReceiptMail(receiptOf(), { copy: true, language: 'nno', timeZone: 'Europe/Oslo' }),
];

describe('mails in a browser', () => {
  let browser: Browser;

  before(async function () {
    const started = await startBrowser();
    if (!started) return this.skip();
    browser = started;
  });
  after(async () => await browser?.close());

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`can be used by everybody on a ${colorScheme} screen, without scrolling sideways`, async () => {
      const page = await browser.newPage({ colorScheme, viewport: NARROW });
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(request.url()));
      for (const { subject, html } of MAILS) {
        await page.setContent(html);
        const faults = await findAccessFaults(page);
        assert.deepEqual(
          faults.filter((fault) => !OF_THE_PROGRAM.test(fault)),
          [],
          subject,
        );
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), NARROW.width, subject);
        assert.equal(await page.evaluate('getComputedStyle(document.body).colorScheme'), 'light dark');
      }
      assert.deepEqual(fetched, []);
      await page.close();
    });
  }
});
