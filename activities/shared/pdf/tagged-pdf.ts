/**
 * A tagged PDF in the making: every mark on its pages belongs to an element of its structure, or is an artifact. Its order of
 * writing is the order of reading. Callers: the renderers of tickets and receipts. Same calls, same bytes.
 */
import PDFDocument from 'pdfkit';
import type { TextLanguage } from '../../../workflows/shared/text.ts';
import { type Face, fontOf, printable } from './faces.ts';
import { baselineOf, PAGE, type TextStyle } from './styles.ts';

/** Types of structure elements, by ISO 32000-1, 14.8.4. */
export type Tag =
  | 'Sect'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure';

export interface ElementOptions {
  /** Read in place of a figure. */
  readonly alt?: string;
  /** Of a figure: left, top, right, bottom. */
  readonly bbox?: readonly [number, number, number, number];
  /** What a header of a table is for. */
  readonly scope?: 'Row' | 'Column';
}

export interface PdfFacts {
  readonly title: string;
  readonly language: TextLanguage;
  /** The only time in the document: it never holds that of its making. */
  readonly createdAt: Date;
}

export type Align = 'left' | 'right';

const LANGUAGE_TAGS: Readonly<Record<TextLanguage, string>> = { nob: 'nb-NO', nno: 'nn-NO', eng: 'en-GB' };
const FACES: readonly Face[] = ['regular', 'semibold'];
const REPLACEMENT_CHARACTER = 0xfffd;

/** Says in the metadata: PDF/UA-1. */
const UNIVERSAL_ACCESS = `<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
  <pdfuaid:part>1</pdfuaid:part>
</rdf:Description>`;

type StructureElement = PDFKit.PDFStructureElement;

/** Whether a PDF of this service is in that language, as it says itself. */
export function isPdfIn(language: TextLanguage, pdf: Uint8Array): boolean {
  return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).includes(`/Lang (${LANGUAGE_TAGS[language]})`);
}

export class TaggedPdf {
  readonly #document: PDFKit.PDFDocument;
  readonly #chunks: Uint8Array[] = [];
  readonly #ended: Promise<void>;
  #parent: StructureElement;

  constructor({ title, language, createdAt }: PdfFacts) {
    this.#document = new PDFDocument({
      // The fonts are not those that each PDF reader has.
      font: null as unknown as string,
      size: [PAGE.width, PAGE.height],
      margin: 0,
      autoFirstPage: false,
      pdfVersion: '1.7',
      tagged: true,
      lang: LANGUAGE_TAGS[language],
      displayTitle: true,
      info: { Title: escapedTitle(title), Creator: 'Samferd', Producer: 'Samferd', CreationDate: createdAt },
    });
    // In place of the library's option `subset`, which lists the glyphs of a font and forgets parts of letters as `å`.
    this.#document.appendXML(UNIVERSAL_ACCESS);
    this.#document.on('data', (chunk: Uint8Array) => this.#chunks.push(chunk));
    this.#ended = new Promise((resolve, reject) => {
      this.#document.once('end', resolve).once('error', reject);
    });
    // The library takes parsed fonts; its types do not know it yet.
    for (const face of FACES) {
      this.#document.registerFont(face, fontOf(face) as unknown as Uint8Array).font(face);
      nameMissingGlyph(this.#document);
    }
    this.#parent = this.#document.struct('Document');
    this.#document.addStructure(this.#parent);
  }

  addPage(): void {
    this.#document.addPage();
  }

  /** An element of the structure, with the elements or the marks that `content` makes. */
  element(tag: Tag, content: () => void, options: ElementOptions = {}): void {
    const [outer, element] = [
      this.#parent,
      this.#document.struct(tag, options as PDFKit.Mixins.StructureElementOptions),
    ];
    outer.add(element);
    this.#parent = element;
    content();
    element.end();
    this.#parent = outer;
  }

  /** Marks that belong to the present element. */
  mark(draw: (document: PDFKit.PDFDocument) => void): void {
    this.#parent.add(() => draw(this.#document));
  }

  /** Marks without meaning: lines, grounds, numbers of pages. */
  artifact(draw: (document: PDFKit.PDFDocument) => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.#document.markContent('Artifact', { type });
    draw(this.#document);
    this.#document.endMarkedContent();
  }

  widthOf(text: string, style: TextStyle): number {
    return this.#document
      .font(style.face)
      .fontSize(style.size)
      .widthOfString(withSpaces(printable(text)));
  }

  /** One line of text among the marks of an element or an artifact. Returns where it ends. */
  put(text: string, x: number, top: number, style: TextStyle): number {
    const baseline = top + baselineOf(style);
    const shown = withSpaces(text.endsWith(' ') ? `${printable(text)} ` : printable(text));
    this.#document
      .font(style.face)
      .fontSize(style.size)
      .fillColor(style.color)
      .text(shown, x, baseline, { lineBreak: false, baseline: 'alphabetic' });
    return x + this.widthOf(text, style);
  }

  async finish(): Promise<Uint8Array> {
    this.#document.end();
    await this.#ended;
    return Buffer.concat(this.#chunks);
  }
}

/** A no-break space and a space would share a glyph, and be read back as one of the two. */
function withSpaces(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

/** The library says that the glyph for missing characters is U+0000, which PDF/UA forbids even where that glyph is never used. */
function nameMissingGlyph(document: PDFKit.PDFDocument): void {
  const { _font: font } = document as unknown as { readonly _font: { readonly unicode: number[][] } };
  font.unicode[0] = [REPLACEMENT_CHARACTER];
}

/** The library writes the title into XML as it is. */
function escapedTitle(title: string): string {
  return printable(title).replaceAll(/[&<>]/g, ' ');
}
