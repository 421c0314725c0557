/** Tables of documents: a heading, a row of headers, rows of cells, and a total. They go on on further pages. */
import { type Paragraph, paragraph, putParagraph, write } from './paragraphs.ts';
import { COLOURS, CONTENT_WIDTH, faint, PAGE, regular, semibold } from './styles.ts';
import type { Tag, TaggedPdf } from './tagged-pdf.ts';

export interface Table {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly { readonly text: string; readonly note?: string }[])[];
  readonly total?: readonly [label: string, amount: string];
}

export interface TablePlace {
  readonly top: number;
  /** Returns where its content begins. */
  readonly addPage: () => number;
}

const AMOUNT_WIDTH = 120;
const ROW_PADDING = 6;
const BOTTOM = PAGE.height - PAGE.margin;

export function drawTable(pdf: TaggedPdf, table: Table, place: TablePlace): number {
  const widths = widthsOf(table.header.length);
  let top = place.top;
  const room = (height: number) => {
    if (top + height > BOTTOM) top = place.addPage();
  };
  room(90);
  top =
    write(pdf, 'H2', paragraph(pdf, table.title, semibold(14, COLOURS.accent), CONTENT_WIDTH), {
      x: PAGE.margin,
      top,
    }) + 2;
  pdf.element('Table', () => {
    top = drawRow(
      pdf,
      table.header.map((text) => [paragraphIn(pdf, text, faint(11))]),
      widths,
      { top, tag: 'TH', rule: 1 },
    );
    for (const cells of table.rows) {
      const row = cells.map(({ text, note }, at) => {
        const width = widths[at] ?? AMOUNT_WIDTH;
        const texts = [paragraph(pdf, text, regular(13), width)];
        return note === undefined ? texts : [...texts, paragraph(pdf, note, faint(11.5), width)];
      });
      room(heightOf(row) + 2 * ROW_PADDING);
      top = drawRow(pdf, row, widths, { top, tag: 'TD', rule: 0.5 });
    }
    if (table.total) {
      const row = table.total.map((text) => [paragraphIn(pdf, text, semibold(16))]);
      room(heightOf(row) + 2 * ROW_PADDING);
      top = drawRow(pdf, row, widths, { top: top + 2, tag: 'TD', rule: 0 });
    }
  });
  return top;
}

/** The last two of three columns have room for an amount, or the first and the last. */
function widthsOf(columns: number): readonly number[] {
  if (columns === 2) return [CONTENT_WIDTH - AMOUNT_WIDTH, AMOUNT_WIDTH];
  const first = CONTENT_WIDTH - 2 * AMOUNT_WIDTH - 100;
  return [first, CONTENT_WIDTH - first - AMOUNT_WIDTH, AMOUNT_WIDTH];
}

function paragraphIn(pdf: TaggedPdf, text: string, style: ReturnType<typeof regular>): Paragraph {
  return paragraph(pdf, text, style, CONTENT_WIDTH);
}

function heightOf(row: readonly (readonly Paragraph[])[]): number {
  return Math.max(...row.map((cell) => cell.reduce((sum, { height }) => sum + height, 0)));
}

interface RowLook {
  readonly top: number;
  readonly tag: Extract<Tag, 'TH' | 'TD'>;
  /** Width of the line below; 0 for none. */
  readonly rule: number;
}

function drawRow(
  pdf: TaggedPdf,
  row: readonly (readonly Paragraph[])[],
  widths: readonly number[],
  { top, tag, rule }: RowLook,
): number {
  const end = top + heightOf(row) + 2 * ROW_PADDING;
  pdf.element('TR', () => {
    let x: number = PAGE.margin;
    for (const [at, cell] of row.entries()) {
      const isLast = at === row.length - 1;
      const width = widths[at] ?? AMOUNT_WIDTH;
      const left = x;
      const draw = () => {
        let y = top + ROW_PADDING;
        for (const text of cell) {
          putParagraph(pdf, { ...text, width }, { x: left, top: y, ...(isLast && { align: 'right' }) });
          y += text.height;
        }
      };
      pdf.element(tag, () => pdf.mark(draw), tag === 'TH' ? { scope: 'Column' } : {});
      x += width;
    }
  });
  if (rule > 0) {
    pdf.artifact((document) => {
      document
        .moveTo(PAGE.margin, end)
        .lineTo(PAGE.width - PAGE.margin, end)
        .lineWidth(rule)
        .stroke(COLOURS.rule);
    });
  }
  return end;
}
