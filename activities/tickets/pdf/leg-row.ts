/** A leg in the list of a ticket: times, stops and the line between them, with seats and the stops on the way. */
import { type Paragraph, paragraph, write } from '../../shared/pdf/paragraphs.ts';
import { COLOURS, faint, regular, semibold } from '../../shared/pdf/styles.ts';
import type { TaggedPdf } from '../../shared/pdf/tagged-pdf.ts';
import type { CallView, LegView } from './leg-view.ts';
import type { Row, RowPlace } from './row.ts';

const TIME_WIDTH = 50;
const LINE_OFFSET = 58;
const TEXT_OFFSET = 75;
const ROW_GAP = 13;

/** What stands right of the line, from above. `time`: of the call that the text names. */
interface Entry {
  readonly text: Paragraph;
  readonly time?: Paragraph;
}

export function legRow(pdf: TaggedPdf, leg: LegView, place: RowPlace): Row {
  const { scale } = place;
  const text = (value: string, style = regular(12 * scale)) => ({
    text: paragraph(pdf, value, style, place.width - TEXT_OFFSET * scale),
  });
  const entries: readonly Entry[] = [
    ...callEntries(pdf, leg.from, place),
    ...(leg.line === '' ? [] : [text(leg.line)]),
    ...leg.seats.map((seats) => text(seats, semibold(12 * scale, COLOURS.accent))),
    ...(leg.via === undefined ? [] : [text(leg.via, faint(11 * scale))]),
    ...callEntries(pdf, leg.to, place),
  ];
  return {
    height: entries.reduce((sum, { text: { height } }) => sum + height, 0) + ROW_GAP * scale,
    draw: (top) => drawLeg(pdf, entries, place, top),
  };
}

function callEntries(pdf: TaggedPdf, { day, time, name }: CallView, { width, scale }: RowPlace): readonly Entry[] {
  const style = semibold(14 * scale);
  const textWidth = width - TEXT_OFFSET * scale;
  return [
    ...(day === undefined ? [] : [{ text: paragraph(pdf, day, regular(12 * scale), textWidth) }]),
    { text: paragraph(pdf, name, style, textWidth), time: paragraph(pdf, time, style, TIME_WIDTH * scale) },
  ];
}

function drawLeg(pdf: TaggedPdf, entries: readonly Entry[], { x, scale }: RowPlace, from: number): void {
  const calls: number[] = [];
  const draw = () => {
    let top = from;
    for (const { text, time } of entries) {
      if (time) calls.push(top + text.height / text.lines.length / 2);
      if (time && time.lines[0] !== '') write(pdf, 'P', time, { x, top });
      top = write(pdf, 'P', text, { x: x + TEXT_OFFSET * scale, top });
    }
  };
  pdf.element('LI', () => pdf.element('LBody', draw));
  drawLine(pdf, x + LINE_OFFSET * scale, calls, scale);
}

/** From stop to stop. */
function drawLine(pdf: TaggedPdf, x: number, calls: readonly number[], scale: number): void {
  const [first = 0, last = first] = calls;
  pdf.artifact((document) => {
    document
      .lineWidth(2 * scale)
      .moveTo(x, first)
      .lineTo(x, last)
      .stroke(COLOURS.accent);
    for (const y of calls) document.circle(x, y, 4 * scale).fillAndStroke(COLOURS.paper, COLOURS.accent);
  });
}
