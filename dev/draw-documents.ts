/**
 * Draws tickets, receipts and their mails as pictures, to look at their design: `npm run draw:documents -- FOLDER`. Samples of both
 * languages: one traveller and nine, seats, long names, many legs. Needs Python with pypdfium2, which it installs into the
 * cache as tests do, and Chromium for the mails. Needs no running service.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderReceiptMail } from '../activities/receipts/pdf/receipt-mail.ts';
import { renderReceipt } from '../activities/receipts/pdf/receipt-pdf.ts';
import { renderTicketMail } from '../activities/tickets/pdf/ticket-mail.ts';
import { renderTickets } from '../activities/tickets/pdf/ticket-pdf.ts';
import { manyLines, receiptOf, refund, withSupplements } from '../test/activities/receipts/pdf/receipts.ts';
import * as sheets from '../test/activities/tickets/pdf/sheets.ts';
import { startBrowser } from '../test/support/browser.ts';
import { providePythonPackages } from '../test/support/python-packages.ts';
import { run } from '../test/support/run.ts';
import type { TextLanguage } from '../workflows/shared/text.ts';

const LANGUAGES: readonly TextLanguage[] = ['nob', 'eng'];
const PHONE = { width: 390, height: 844 };
const DRAW = `
import pathlib, sys, pypdfium2
for path in map(pathlib.Path, sys.argv[1:]):
    for number, page in enumerate(pypdfium2.PdfDocument(path), 1):
        page.render(scale=1.5).to_pil().save(path.with_suffix(f'.{number}.png'))
`;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('npm run draw:documents -- FOLDER');
const place = resolve(folder);
mkdirSync(place, { recursive: true });

async function drawPdfs(): Promise<void> {
  const paths: string[] = [];
  for (const language of LANGUAGES) {
    const settings = { copy: false, language, timeZone: 'Europe/Oslo' };
    const documents = {
      ticket: await renderTickets([sheets.sheetOf(language, { specimen: true })]),
      'ticket-nine': await renderTickets([sheets.nineTravellers(language)]),
      'ticket-many-legs': await renderTickets([sheets.manyLegs(language)]),
      'ticket-zones': await renderTickets([sheets.zoneTicket(language)]),
      receipt: await renderReceipt(receiptOf(), settings),
      'receipt-supplements': await renderReceipt(withSupplements(), { ...settings, copy: true }),
      'receipt-refund': await renderReceipt(refund(), settings),
      'receipt-many-lines': await renderReceipt(manyLines(), settings),
    };
    for (const [name, bytes] of Object.entries(documents)) {
      const path = join(place, `${name}.${language}.pdf`);
      writeFileSync(path, bytes);
      paths.push(path);
    }
  }
  await run('python3', ['-S', '-c', DRAW, ...paths], { PYTHONPATH: await providePythonPackages('pdf-readers') });
}

async function drawMails(): Promise<void> {
  const browser = await startBrowser();
  if (!browser) throw new Error('There is no Chromium to draw the mails with');
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: PHONE, colorScheme });
    for (const language of LANGUAGES) {
      const mails = {
        'ticket-mail': renderTicketMail([sheets.nineTravellers(language), sheets.zoneTicket(language)]),
        'receipt-mail': renderReceiptMail(receiptOf(), { copy: false, language, timeZone: 'Europe/Oslo' }),
      };
      for (const [name, { html }] of Object.entries(mails)) {
        await page.setContent(html);
        await page.screenshot({ path: join(place, `${name}.${language}.${colorScheme}.png`), fullPage: true });
      }
    }
    await page.close();
  }
  await browser.close();
}

await drawPdfs();
await drawMails();
console.log(`The pictures are in ${place}.`);
