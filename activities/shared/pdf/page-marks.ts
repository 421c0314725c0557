/** What is on pages of all documents and has no meaning of its own. */
import { COLOURS, faint, PAGE, semibold } from './styles.ts';
import type { TaggedPdf } from './tagged-pdf.ts';

/** Of the page: below the symbol of a ticket. */
const MARK_HEIGHT = 0.71;

/** Along the upper edge. */
export function drawBand(pdf: TaggedPdf): void {
  pdf.artifact((document) => document.rect(0, 0, PAGE.width, 8).fill(COLOURS.accent));
}

/** A large word across the page, below everything else. A text of the page says the same, for those who do not see it. */
export function drawMark(pdf: TaggedPdf, word: string): void {
  const style = { ...semibold(110, COLOURS.mark), lineHeight: 1 };
  const [x, y] = [PAGE.width / 2, PAGE.height * MARK_HEIGHT];
  pdf.artifact((document) => {
    document.save().rotate(-38, { origin: [x, y] });
    pdf.put(word, x - pdf.widthOf(word, style) / 2, y - style.size / 2, style);
    document.restore();
  });
}

/** In the lower right corner. */
export function drawNumber(pdf: TaggedPdf, text: string): void {
  const x = PAGE.width - PAGE.margin - pdf.widthOf(text, faint(9));
  pdf.artifact(() => pdf.put(text, x, PAGE.height - 46, faint(9)), 'Pagination');
}
