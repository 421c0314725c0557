/**
 * Travellers and legs of a ticket, below its symbol. They grow smaller, and legs stand in two columns, to fit their page. What is too
 * much even then goes on on a further page.
 */
import { type Paragraph, paragraph, write } from '../../shared/pdf/paragraphs.ts';
import { COLOURS, CONTENT_WIDTH, PAGE, semibold } from '../../shared/pdf/styles.ts';
import type { TaggedPdf } from '../../shared/pdf/tagged-pdf.ts';
import { legRow } from './leg-row.ts';
import type { Row, RowPlace } from './row.ts';
import type { TicketView } from './ticket-view.ts';
import type { TicketWords } from './ticket-words.ts';
import { travellerRow } from './traveller-row.ts';

export interface TicketBody {
  readonly view: TicketView;
  readonly words: TicketWords;
  readonly top: number;
}

interface Part {
  readonly heading: Paragraph;
  readonly rows: readonly Row[];
}

interface Layout {
  readonly scale: number;
  readonly legColumns: 1 | 2;
}

/** The first that fits is taken. */
const LAYOUTS: readonly Layout[] = [1, 0.93, 0.86, 0.79, 0.72, 0.66].flatMap((scale) => [
  { scale, legColumns: 1 },
  { scale, legColumns: 2 },
]);
const SEVERAL_PAGES: Layout = { scale: 0.86, legColumns: 1 };
const BOTTOM = PAGE.height - 56;
const PART_GAP = 14;
const HEADING_GAP = 5;
const COLUMN_GAP = 22;
const MANY_TRAVELLERS = 5;

export function drawTicketBody(pdf: TaggedPdf, body: TicketBody, addPage: () => number): void {
  let top = body.top;
  const place = (height: number, room = height) => {
    if (top + room > BOTTOM) top = addPage();
    top += height;
    return top - height;
  };
  for (const { heading, rows } of fittingParts(pdf, body)) {
    const height = heading.height + HEADING_GAP;
    write(pdf, 'H2', heading, { x: PAGE.margin, top: place(height, height + (rows[0]?.height ?? 0)) });
    pdf.element('L', () => {
      for (const row of rows) row.draw(place(row.height));
    });
    top += PART_GAP;
  }
}

function fittingParts(pdf: TaggedPdf, body: TicketBody): readonly Part[] {
  for (const layout of LAYOUTS) {
    const parts = partsOf(pdf, body, layout);
    if (body.top + heightOf(parts) <= BOTTOM) return parts;
  }
  return partsOf(pdf, body, SEVERAL_PAGES);
}

function heightOf(parts: readonly Part[]): number {
  const heights = parts.map(({ heading, rows }) => heading.height + HEADING_GAP + stackedHeight(rows));
  return heights.reduce((sum, height) => sum + height, 0) + PART_GAP * (parts.length - 1);
}

function stackedHeight(rows: readonly Row[]): number {
  return rows.reduce((sum, { height }) => sum + height, 0);
}

function partsOf(pdf: TaggedPdf, { view, words }: TicketBody, { scale, legColumns }: Layout): readonly Part[] {
  const heading = (text: string) => paragraph(pdf, text, semibold(13 * scale, COLOURS.accent), CONTENT_WIDTH);
  const [first, second] = columns(scale);
  const legs =
    legColumns === 1 || view.legs.length < 2
      ? view.legs.map((leg) => legRow(pdf, leg, { x: PAGE.margin, width: CONTENT_WIDTH, scale }))
      : inColumns((place) => view.legs.map((leg) => legRow(pdf, leg, place)), first, second);
  return [
    { heading: heading(words.travellers), rows: travellersOf(pdf, view, scale) },
    { heading: heading(words.journey), rows: legs },
  ].filter(({ rows }) => rows.length > 0);
}

function columns(scale: number): readonly [RowPlace, RowPlace] {
  const width = (CONTENT_WIDTH - COLUMN_GAP) / 2;
  return [
    { x: PAGE.margin, width, scale },
    { x: PAGE.margin + width + COLUMN_GAP, width, scale },
  ];
}

/** Two beside each other when they are many. */
function travellersOf(pdf: TaggedPdf, { travellers }: TicketView, scale: number): readonly Row[] {
  if (travellers.length < 3) {
    const place = { x: PAGE.margin, width: CONTENT_WIDTH, scale };
    return travellers.map((traveller) => travellerRow(pdf, traveller, place, false));
  }
  const places = columns(scale);
  const areMany = travellers.length >= MANY_TRAVELLERS;
  return Array.from({ length: Math.ceil(travellers.length / 2) }, (_, at) => {
    const pair = travellers.slice(2 * at, 2 * at + 2);
    return beside(pair.map((traveller, column) => travellerRow(pdf, traveller, places[column] ?? places[0], areMany)));
  });
}

/** The first column is read to its end before the second. It has half of the height, or a little more. */
function inColumns(rowsAt: (place: RowPlace) => readonly Row[], first: RowPlace, second: RowPlace): readonly Row[] {
  const rows = rowsAt(first);
  const half = stackedHeight(rows) / 2;
  const count = rows.findIndex((_, at) => stackedHeight(rows.slice(0, at + 1)) >= half) + 1;
  return [beside([stacked(rows.slice(0, count)), stacked(rowsAt(second).slice(count))])];
}

function beside(rows: readonly Row[]): Row {
  return {
    height: Math.max(...rows.map(({ height }) => height)),
    draw: (top) => {
      for (const row of rows) row.draw(top);
    },
  };
}

function stacked(rows: readonly Row[]): Row {
  return {
    height: stackedHeight(rows),
    draw: (from) => {
      let top = from;
      for (const { height, draw } of rows) {
        draw(top);
        top += height;
      }
    },
  };
}
