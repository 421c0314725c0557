/** A traveller in the list of a ticket: the name, and below it what kind of traveller it is; beside it where they are many. */
import { continued, paragraph, putParagraph, putStack } from '../../shared/pdf/paragraphs.ts';
import { besideTop, regular, semibold } from '../../shared/pdf/styles.ts';
import type { TaggedPdf } from '../../shared/pdf/tagged-pdf.ts';
import type { Row, RowPlace } from './row.ts';
import type { Fact } from './ticket-view.ts';

const NOTE_GAP = 7;

export function travellerRow(pdf: TaggedPdf, { value, note = '' }: Fact, place: RowPlace, areMany: boolean): Row {
  const { x, width, scale } = place;
  const [nameStyle, noteStyle] = [semibold(14 * scale), regular(12 * scale)];
  const name = paragraph(pdf, value, nameStyle, width);
  const noteX = pdf.widthOf(value, nameStyle) + NOTE_GAP * scale;
  const isBeside = areMany && noteX + pdf.widthOf(note, noteStyle) <= width;
  const noted = paragraph(pdf, note, noteStyle, width);
  const noteHeight = note === '' || isBeside ? 0 : noted.height;
  const draw = (top: number) => {
    if (note === '') putParagraph(pdf, name, { x, top });
    else if (!isBeside) putStack(pdf, [name, noted], { x, top });
    else {
      putParagraph(pdf, continued(name), { x, top });
      pdf.put(note, x + noteX, besideTop(top, nameStyle, noteStyle), noteStyle);
    }
  };
  return {
    height: name.height + noteHeight + 5 * scale,
    draw: (top) => pdf.element('LI', () => pdf.element('LBody', () => pdf.mark(() => draw(top)))),
  };
}
