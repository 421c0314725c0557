/** Tables of documents: a heading, a row of headers, rows of cells, and a total. They go on on further pages. */
import { type Paragraph, paragraph, putStack, write } from './paragraphs.ts';
import { COLOURS, CONTENT_WIDTH, faint, PAGE, regular, semibold, type TextStyle } from './styles.ts';
import type { Tag, TaggedPdf } from './tagged-pdf.ts';

export interface Table {
  readonly title: string;
  readonly header: readonly string[];
  /** How many columns at the end hold amounts: these stand to the right. */
  readonly amounts: number;
  readonly rows: readonly (readonly { readonly text: string; readonly note?: string }[])[];
  readonly total?: readonly [label: string, amount: string];
}

export interface TablePlace {
  readonly top: number;
  /** Returns where its content begins. */
  readonly addPage: () => number;
}

interface Column {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

interface RowLook {
  readonly tag: Extract<Tag, 'TH' | 'TD'>;
  /** Width of the line below it. */
  readonly rule: number;
  /** Behind it. */
  readonly ground?: string;
}

type Row = readonly (readonly Paragraph[])[];

const AMOUNT_WIDTH = 130;
const ROW_PADDING = 6;
/** Of the total, whose ground is seen, to its sides. */
const GROUND_PADDING = 10;
const BOTTOM = PAGE.height - 62;
/** A heading is never left without a row. */
const HEADING_ROOM = 96;

export function drawTable(pdf: TaggedPdf, table: Table, place: TablePlace): number {
  const columns = columnsOf(table);
  let top = place.top;
  if (top + HEADING_ROOM > BOTTOM) top = place.addPage();
  const heading = paragraph(pdf, table.title, semibold(14, COLOURS.accent), CONTENT_WIDTH);
  top = write(pdf, 'H2', heading, { x: PAGE.margin, top }) + 2;
  const add = (row: Row, look: RowLook) => {
    const height = heightOf(row) + 2 * ROW_PADDING;
    if (top + height > BOTTOM) top = place.addPage();
    drawRow(pdf, row, columns, top, look);
    top += height;
  };
  const plain = (text: string, style: TextStyle) => [paragraph(pdf, text, style, CONTENT_WIDTH)];
  pdf.element('Table', () => {
    add(
      table.header.map((text) => plain(text, faint(11.5))),
      { tag: 'TH', rule: 1 },
    );
    for (const cells of table.rows)
      add(
        cells.map((cell, at) => cellTexts(pdf, cell, columns[at])),
        { tag: 'TD', rule: 0.5 },
      );
    if (!table.total) return;
    top += ROW_PADDING;
    add(
      table.total.map((text) => plain(text, semibold(17))),
      { tag: 'TD', rule: 0, ground: COLOURS.soft },
    );
  });
  return top;
}

function cellTexts(
  pdf: TaggedPdf,
  { text, note }: Table['rows'][number][number],
  column?: Column,
): readonly Paragraph[] {
  const width = column?.width ?? AMOUNT_WIDTH;
  const shown = paragraph(pdf, text, regular(13), width);
  return note === undefined ? [shown] : [shown, paragraph(pdf, note, faint(11.5), width)];
}

/** Amounts have one width; the other columns share the rest. */
function columnsOf({ header, amounts }: Table): readonly Column[] {
  const texts = header.length - amounts;
  const width = (CONTENT_WIDTH - amounts * AMOUNT_WIDTH) / texts;
  return header.map((_, at) => {
    if (at < texts) return { x: PAGE.margin + at * width, width: width - GROUND_PADDING, align: 'left' };
    const x = PAGE.margin + texts * width + (at - texts) * AMOUNT_WIDTH;
    return { x, width: AMOUNT_WIDTH, align: 'right' };
  });
}

function heightOf(row: Row): number {
  return Math.max(...row.map((cell) => cell.reduce((sum, { height }) => sum + height, 0)));
}

function drawRow(pdf: TaggedPdf, row: Row, columns: readonly Column[], top: number, look: RowLook): void {
  const { tag, rule, ground } = look;
  const height = heightOf(row) + 2 * ROW_PADDING;
  pdf.artifact((document) => {
    const { margin, width } = PAGE;
    if (ground !== undefined) {
      const left = margin - GROUND_PADDING;
      document.roundedRect(left, top, CONTENT_WIDTH + 2 * GROUND_PADDING, height, 6).fill(ground);
    }
    if (rule === 0) return;
    const y = top + height;
    document
      .moveTo(margin, y)
      .lineTo(width - margin, y)
      .lineWidth(rule)
      .stroke(COLOURS.rule);
  });
  pdf.element('TR', () => {
    for (const [at, cell] of row.entries()) {
      const column = columns[at];
      if (!column) continue;
      const draw = () => drawCell(pdf, cell, column, top + ROW_PADDING);
      pdf.element(tag, () => pdf.mark(draw), tag === 'TH' ? { scope: 'Column' } : {});
    }
  });
}

function drawCell(pdf: TaggedPdf, cell: readonly Paragraph[], { x, width, align }: Column, top: number): void {
  putStack(
    pdf,
    cell.map((text) => ({ ...text, width })),
    { x, top, align },
  );
}
