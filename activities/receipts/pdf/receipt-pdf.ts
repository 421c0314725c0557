/** A receipt as PDF, on A4. Callers: the activities that send receipts, and the API. The same receipt makes the same bytes. */
import type { Receipt } from '../../../workflows/receipts/rules/receipt.ts';
import { drawBand, drawMark, drawNumber } from '../../shared/pdf/page-marks.ts';
import { paragraph, write } from '../../shared/pdf/paragraphs.ts';
import { besideTop, COLOURS, CONTENT_WIDTH, faint, PAGE, regular, semibold } from '../../shared/pdf/styles.ts';
import { drawTable } from '../../shared/pdf/tables.ts';
import { TaggedPdf } from '../../shared/pdf/tagged-pdf.ts';
import { type ReceiptOptions, type ReceiptView, viewReceipt } from './receipt-view.ts';
import { receiptWords } from './receipt-words.ts';

const TITLE_TOP = 42;
const SELLER_WIDTH = 196;
const LABEL_WIDTH = 132;
const TABLE_GAP = 24;

export async function renderReceipt(receipt: Receipt, options: ReceiptOptions): Promise<Uint8Array> {
  const words = receiptWords(options.language);
  const view = viewReceipt(receipt, options);
  const pdf = new TaggedPdf({ title: view.title, language: options.language, createdAt: receipt.createdAt });
  let pages = 0;
  const addPage = () => {
    pdf.addPage();
    pages += 1;
    drawBand(pdf);
    if (options.copy) drawMark(pdf, words.copy);
    if (pages > 1) drawNumber(pdf, words.page(pages));
    return PAGE.margin;
  };
  addPage();
  let top = drawHead(pdf, view);
  for (const table of view.tables) top = drawTable(pdf, table, { top, addPage }) + TABLE_GAP;
  return await pdf.finish();
}

function drawHead(pdf: TaggedPdf, view: ReceiptView): number {
  const x = PAGE.margin;
  const width = CONTENT_WIDTH - SELLER_WIDTH - 24;
  let top = write(pdf, 'P', paragraph(pdf, view.type, semibold(13, COLOURS.accent), width), { x, top: TITLE_TOP });
  top = write(pdf, 'H1', paragraph(pdf, view.name, { ...semibold(30), lineHeight: 1.2 }, width), { x, top });
  if (view.copy !== undefined) {
    top = write(pdf, 'P', paragraph(pdf, view.copy, semibold(14), width), { x, top: top + 4 });
  }
  top += 12;
  pdf.element('L', () => {
    for (const [name, content] of view.facts) {
      pdf.element('LI', () => {
        const [label, value] = [faint(12), semibold(14)];
        write(pdf, 'Lbl', paragraph(pdf, name, label, LABEL_WIDTH), { x, top: besideTop(top, value, label) });
        const text = paragraph(pdf, content, value, width - LABEL_WIDTH);
        top = write(pdf, 'LBody', text, { x: x + LABEL_WIDTH, top }) + 3;
      });
    }
  });
  return Math.max(top, drawSeller(pdf, view.seller)) + TABLE_GAP;
}

function drawSeller(pdf: TaggedPdf, [name = '', ...lines]: readonly string[]): number {
  const x = PAGE.width - PAGE.margin - SELLER_WIDTH;
  let top = write(pdf, 'P', paragraph(pdf, name, semibold(15), SELLER_WIDTH), { x, top: TITLE_TOP });
  for (const line of lines) top = write(pdf, 'P', paragraph(pdf, line, regular(11), SELLER_WIDTH), { x, top });
  return top;
}
