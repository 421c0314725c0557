/** Tickets as PDF: one a page, on A4. Callers: the activities that issue and send tickets. The same sheets make the same bytes. */
import { setImmediate } from 'node:timers/promises';
import { TaggedPdf } from '../../shared/pdf/tagged-pdf.ts';
import { prepareSymbol } from './symbol.ts';
import { drawTicketPage } from './ticket-page.ts';
import type { TicketSheet } from './ticket-sheet.ts';
import { ticketWords } from './ticket-words.ts';

/** In the language of the first sheet. Lets other work run between pages. */
export async function renderTickets(sheets: readonly TicketSheet[]): Promise<Uint8Array> {
  const [first] = sheets;
  if (first === undefined) throw new RangeError('A document needs one ticket at least');
  const words = ticketWords(first.language);
  const createdAt = new Date(Math.max(...sheets.map(({ issuedAt }) => issuedAt.getTime())));
  const name = sheets.length === 1 ? words.ticket : words.tickets;
  const pdf = new TaggedPdf({ title: `${name} ${first.orderId}`, language: first.language, createdAt });
  for (const [at, sheet] of sheets.entries()) {
    const symbol = prepareSymbol(sheet.barcode);
    await setImmediate();
    drawTicketPage(pdf, { sheet, symbol, number: at + 1, of: sheets.length });
    await setImmediate();
  }
  return await pdf.finish();
}
