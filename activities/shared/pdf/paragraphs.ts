/** Breaks texts into lines that fit a width. */
import { printable } from './faces.ts';
import { lineHeightOf, type TextStyle } from './styles.ts';
import type { Align, Tag, TaggedPdf } from './tagged-pdf.ts';

export interface Paragraph {
  readonly lines: readonly string[];
  readonly style: TextStyle;
  readonly width: number;
  readonly height: number;
}

export function paragraph(pdf: TaggedPdf, text: string, style: TextStyle, width: number): Paragraph {
  const lines = breakLines(printable(text), width, (part) => pdf.widthOf(part, style));
  return { lines, style, width, height: lines.length * lineHeightOf(style) };
}

/** A word that is wider than a line is broken within. */
export function breakLines(text: string, width: number, widthOf: (part: string) => number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => breakWord(each, width, widthOf))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

function breakWord(word: string, width: number, widthOf: (part: string) => number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  const characters = Array.from(word);
  let end = characters.length;
  while (end > 1 && widthOf(characters.slice(0, end).join('')) > width) end -= 1;
  return [characters.slice(0, end).join(''), ...breakWord(characters.slice(end).join(''), width, widthOf)];
}

export interface Place {
  readonly x: number;
  readonly top: number;
  readonly align?: Align;
}

/** Writes a paragraph as an element. Returns where it ends. */
export function write(pdf: TaggedPdf, tag: Tag, text: Paragraph, place: Place): number {
  pdf.element(tag, () => pdf.mark(() => putParagraph(pdf, text, place)));
  return place.top + text.height;
}

/** Writes its lines among the marks of an element. A space ends each line but the last: readers join lines as they are. */
export function putParagraph(pdf: TaggedPdf, { lines, style, width }: Paragraph, { x, top, align }: Place): void {
  for (const [at, line] of lines.entries()) {
    const left = align === 'right' ? x + width - pdf.widthOf(line, style) : x;
    pdf.put(at < lines.length - 1 ? `${line} ` : line, left, top + at * lineHeightOf(style), style);
  }
}

/** Writes paragraphs below each other among the marks of one element. Returns where they end. */
export function putStack(pdf: TaggedPdf, texts: readonly Paragraph[], place: Place): number {
  let { top } = place;
  for (const [at, text] of texts.entries()) {
    putParagraph(pdf, at < texts.length - 1 ? continued(text) : text, { ...place, top });
    top += text.height;
  }
  return top;
}

/** With a space at its end: more follows in the same element. */
export function continued(text: Paragraph): Paragraph {
  return { ...text, lines: text.lines.map((line, at) => (at === text.lines.length - 1 ? `${line} ` : line)) };
}
