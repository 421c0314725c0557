/** One page of a ticket: issuer and order, where and when, facts beside the symbol, travellers, the journey leg by leg. */
import { drawBand, drawMark, drawNumber } from '../../shared/pdf/page-marks.ts';
import { type Paragraph, paragraph, putParagraph, putStack, write } from '../../shared/pdf/paragraphs.ts';
import { COLOURS, CONTENT_WIDTH, faint, PAGE, regular, semibold, type TextStyle } from '../../shared/pdf/styles.ts';
import type { TaggedPdf } from '../../shared/pdf/tagged-pdf.ts';
import { drawSymbol, type PlacedSymbol } from './symbol.ts';
import { drawTicketBody } from './ticket-body.ts';
import type { TicketSheet } from './ticket-sheet.ts';
import { type TicketView, viewTicket } from './ticket-view.ts';
import { SPECIMEN, type TicketWords, ticketWords } from './ticket-words.ts';

export interface TicketPage {
  readonly sheet: TicketSheet;
  readonly symbol: PlacedSymbol;
  readonly number: number;
  readonly of: number;
}

const HEADER_TOP = 42;
const TITLE_TOP = 78;
const TITLE_SIZES = [30, 24, 19] as const;
const WHEN_SIZES = [16, 14, 12] as const;
const COLUMN_GAP = 28;
const CARD_PADDING = 6;
const CAPTION_HEIGHT = 26;

export function drawTicketPage(pdf: TaggedPdf, page: TicketPage): void {
  const { sheet, symbol } = page;
  const words = ticketWords(sheet.language);
  const view = viewTicket(sheet);
  const footer = paragraph(pdf, view.footer, faint(9), CONTENT_WIDTH - 60);
  const footerPlace = { x: PAGE.margin, top: PAGE.height - 34 - footer.height };
  const addPage = () => {
    pdf.addPage();
    drawBand(pdf);
    if (sheet.specimen) drawMark(pdf, SPECIMEN);
    if (page.of > 1) drawNumber(pdf, words.page(page.number, page.of));
  };
  const goOn = () => {
    pdf.artifact(() => putParagraph(pdf, footer, footerPlace), 'Pagination');
    addPage();
    pdf.artifact(
      () => pdf.put(`${sheet.orderId} · ${view.title}`, PAGE.margin, PAGE.margin / 2, faint(9)),
      'Pagination',
    );
    return PAGE.margin;
  };
  addPage();
  pdf.element('Sect', () => {
    drawHeader(pdf, sheet, words);
    const top = drawTitle(pdf, sheet, view, words);
    const cardTop = top + 16;
    const width = CONTENT_WIDTH - symbol.side - 2 * CARD_PADDING - COLUMN_GAP;
    const factsEnd = drawFacts(pdf, view, cardTop, width);
    const cardEnd = drawCard(pdf, page, words, cardTop);
    drawTicketBody(pdf, { view, words, top: Math.max(factsEnd, cardEnd) + 14 }, goOn);
    write(pdf, 'P', footer, footerPlace);
  });
}

function drawHeader(pdf: TaggedPdf, { issuer, orderId }: TicketSheet, words: TicketWords): void {
  const order = semibold(15);
  const label = faint(12);
  const width = pdf.widthOf(`${words.order} `, label) + 4 + pdf.widthOf(orderId, order);
  const name = paragraph(pdf, issuer, semibold(15, COLOURS.accent), CONTENT_WIDTH - width - 16);
  write(pdf, 'P', name, { x: PAGE.margin, top: HEADER_TOP });
  pdf.element('P', () =>
    pdf.mark(() => {
      const x = pdf.put(`${words.order} `, PAGE.width - PAGE.margin - width, HEADER_TOP + 2, label);
      pdf.put(orderId, x + 4, HEADER_TOP, order);
    }),
  );
}

function drawTitle(pdf: TaggedPdf, sheet: TicketSheet, view: TicketView, words: TicketWords): number {
  const x = PAGE.margin;
  const title = fitting(
    pdf,
    view.title,
    TITLE_SIZES.map((size) => ({ ...semibold(size), lineHeight: 1.18 })),
    2,
  );
  const when = fitting(
    pdf,
    view.when,
    WHEN_SIZES.map((size) => regular(size)),
    1,
  );
  const top = write(pdf, 'P', when, { x, top: write(pdf, 'H1', title, { x, top: TITLE_TOP }) + 5 });
  if (!sheet.specimen) return top;
  const note = paragraph(pdf, words.specimenText, semibold(14), CONTENT_WIDTH - 20);
  pdf.artifact((document) => {
    document
      .rect(x, top + 10, CONTENT_WIDTH, note.height + 10)
      .lineWidth(1.2)
      .stroke(COLOURS.ink);
  });
  return write(pdf, 'P', note, { x: x + 10, top: top + 15 }) + 5;
}

/** In the first style that needs no more lines than this, else in the last. */
function fitting(pdf: TaggedPdf, text: string, styles: readonly TextStyle[], mostLines: number): Paragraph {
  const paragraphs = styles.map((style) => paragraph(pdf, text, style, CONTENT_WIDTH));
  const found = paragraphs.find(({ lines }) => lines.length <= mostLines) ?? paragraphs.at(-1);
  if (!found) throw new RangeError('A text needs one style at least');
  return found;
}

function drawFacts(pdf: TaggedPdf, { facts }: TicketView, from: number, width: number): number {
  const x = PAGE.margin;
  let top = from + 2;
  pdf.element('L', () => {
    for (const { label, value, note } of facts) {
      pdf.element('LI', () => {
        top = write(pdf, 'Lbl', paragraph(pdf, label, faint(11.5), width), { x, top });
        const texts = [paragraph(pdf, value, semibold(15), width)];
        if (note !== undefined) texts.push(paragraph(pdf, note, regular(12), width));
        const body = () => {
          top = putStack(pdf, texts, { x, top });
        };
        pdf.element('LBody', () => pdf.mark(body));
      });
      top += 9;
    }
  });
  return top;
}

function drawCard(pdf: TaggedPdf, { symbol, sheet }: TicketPage, words: TicketWords, top: number): number {
  const side = symbol.side + 2 * CARD_PADDING;
  const x = PAGE.width - PAGE.margin - side;
  const end = top + side + CAPTION_HEIGHT;
  pdf.artifact((document) => {
    document
      .roundedRect(x, top, side, end - top, 10)
      .lineWidth(1)
      .fillAndStroke(COLOURS.paper, COLOURS.rule);
  });
  const left = x + CARD_PADDING;
  pdf.element('Figure', () => pdf.mark((document) => drawSymbol(document, symbol, left, top + CARD_PADDING)), {
    alt: words.codeText(sheet.ticketId),
    bbox: [x, top, x + side, end],
  });
  const caption = regular(11.5);
  const middle = x + (side - pdf.widthOf(words.showCode, caption)) / 2;
  write(pdf, 'P', paragraph(pdf, words.showCode, caption, side), { x: middle, top: top + side - 1 });
  return end;
}
