/** Travellers and legs of a ticket. They grow smaller to fit their page; what is too much even then goes on on a further page. */
import { type Paragraph, paragraph, putParagraph, write } from '../../shared/pdf/paragraphs.ts';
import { COLOURS, CONTENT_WIDTH, faint, PAGE, regular, semibold } from '../../shared/pdf/styles.ts';
import type { TaggedPdf } from '../../shared/pdf/tagged-pdf.ts';
import type { Fact, LegView, TicketView } from './ticket-view.ts';
import type { TicketWords } from './ticket-words.ts';

export interface TicketBody {
  readonly view: TicketView;
  readonly words: TicketWords;
  readonly top: number;
}

/** Items of a list that stand beside each other, or one below another. */
interface Row {
  readonly height: number;
  readonly draw: (top: number) => void;
}

interface Part {
  readonly heading: Paragraph;
  readonly rows: readonly Row[];
}

const SCALES = [1, 0.92, 0.84, 0.76, 0.7] as const;
const LEAST_SCALE = 0.7;
const BOTTOM = PAGE.height - 62;
const PART_GAP = 14;
const HEADING_GAP = 5;
const TIME_WIDTH = 50;
const LINE_X = PAGE.margin + TIME_WIDTH + 10;
const STOP_X = LINE_X + 18;

export function drawTicketBody(pdf: TaggedPdf, body: TicketBody): void {
  const parts = SCALES.map((scale) => partsOf(pdf, body, scale));
  const fitting = parts.find((each) => body.top + heightOf(each) <= BOTTOM);
  let top = body.top;
  for (const { heading, rows } of fitting ?? partsOf(pdf, body, LEAST_SCALE)) {
    const place = (height: number) => {
      if (top + height > BOTTOM) {
        pdf.addPage();
        top = PAGE.margin;
      }
      const at = top;
      top += height;
      return at;
    };
    const first = rows[0]?.height ?? 0;
    if (top + heading.height + first > BOTTOM) place(BOTTOM);
    write(pdf, 'H2', heading, { x: PAGE.margin, top: place(heading.height + HEADING_GAP) });
    pdf.element('L', () => {
      for (const { height, draw } of rows) draw(place(height));
    });
    top += PART_GAP;
  }
}

function heightOf(parts: readonly Part[]): number {
  const heights = parts.map(
    ({ heading, rows }) => heading.height + HEADING_GAP + rows.reduce((sum, { height }) => sum + height, 0),
  );
  return heights.reduce((sum, height) => sum + height, 0) + PART_GAP * (parts.length - 1);
}

function partsOf(pdf: TaggedPdf, { view, words }: TicketBody, scale: number): readonly Part[] {
  const heading = (text: string) => paragraph(pdf, text, semibold(13 * scale, COLOURS.accent), CONTENT_WIDTH);
  return [
    { heading: heading(words.travellers), rows: travellerRows(pdf, view.travellers, scale) },
    { heading: heading(words.journey), rows: view.legs.map((leg) => legRow(pdf, leg, scale)) },
  ].filter(({ rows }) => rows.length > 0);
}

/** Two beside each other when they are many. */
function travellerRows(pdf: TaggedPdf, travellers: readonly Fact[], scale: number): readonly Row[] {
  const columns = travellers.length > 2 ? 2 : 1;
  const width = (CONTENT_WIDTH - (columns - 1) * 20) / columns;
  const cells = travellers.map(({ value, note }) => [
    paragraph(pdf, value, semibold(14 * scale), width),
    ...(note === undefined ? [] : [paragraph(pdf, note, regular(12 * scale), width)]),
  ]);
  return Array.from({ length: Math.ceil(cells.length / columns) }, (_, at) => {
    const row = cells.slice(at * columns, (at + 1) * columns);
    const height = Math.max(...row.map((cell) => cell.reduce((sum, text) => sum + text.height, 0)));
    return {
      height: height + 5 * scale,
      draw: (top) => {
        for (const [column, cell] of row.entries()) {
          pdf.element('LI', () => writeStack(pdf, cell, PAGE.margin + column * (width + 20), top));
        }
      },
    };
  });
}

function writeStack(pdf: TaggedPdf, texts: readonly Paragraph[], x: number, from: number): void {
  let top = from;
  pdf.element('LBody', () =>
    pdf.mark(() => {
      for (const text of texts) {
        putParagraph(pdf, text, { x, top });
        top += text.height;
      }
    }),
  );
}

function legRow(pdf: TaggedPdf, leg: LegView, scale: number): Row {
  const width = PAGE.width - PAGE.margin - STOP_X;
  const text = (value: string, style = regular(12 * scale)) => paragraph(pdf, value, style, width);
  const stop = semibold(14 * scale);
  const [from, to] = [text(leg.from.name, stop), text(leg.to.name, stop)];
  const between = [
    text(leg.line),
    ...(leg.seats.length > 0 ? [text(leg.seats.join('; '), semibold(12 * scale, COLOURS.accent))] : []),
    ...(leg.via === undefined ? [] : [text(leg.via, faint(10.5 * scale))]),
  ];
  const day = leg.day === undefined ? undefined : text(leg.day, regular(12 * scale));
  const all = [...(day ? [day] : []), from, ...between, to];
  const time = (value: string, top: number) => {
    if (value !== '') write(pdf, 'P', paragraph(pdf, value, stop, TIME_WIDTH), { x: PAGE.margin, top });
  };
  return {
    height: all.reduce((sum, each) => sum + each.height, 0) + 12 * scale,
    draw: (rowTop) => {
      const top = rowTop + (day?.height ?? 0);
      const toTop = top + from.height + between.reduce((sum, each) => sum + each.height, 0) + 2 * scale;
      drawLine(pdf, top + from.height / 2 / from.lines.length, toTop + to.height / 2 / to.lines.length);
      const body = () => {
        if (day) write(pdf, 'P', day, { x: STOP_X, top: rowTop });
        time(leg.from.time, top);
        let next = write(pdf, 'P', from, { x: STOP_X, top });
        for (const each of between) next = write(pdf, 'P', each, { x: STOP_X, top: next });
        time(leg.to.time, toTop);
        write(pdf, 'P', to, { x: STOP_X, top: toTop });
      };
      pdf.element('LI', () => pdf.element('LBody', body));
    },
  };
}

/** From stop to stop. */
function drawLine(pdf: TaggedPdf, from: number, to: number): void {
  pdf.artifact((document) => {
    document.moveTo(LINE_X, from).lineTo(LINE_X, to).lineWidth(2).stroke(COLOURS.accent);
    for (const y of [from, to]) document.circle(LINE_X, y, 4).lineWidth(2).fillAndStroke(COLOURS.paper, COLOURS.accent);
  });
}
