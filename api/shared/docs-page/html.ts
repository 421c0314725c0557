/** Makes HTML in which every text is escaped. Callers: the pages of this folder. Pure. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Part = Html | string | number | undefined | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Texts are escaped; undefined and false leave nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(markupOf)));
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(markupOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Prose of a document: paragraphs and `code`, as its descriptions have them. */
export function prose(text: unknown): Part {
  if (typeof text !== 'string') return undefined;
  return text
    .trim()
    .split(/\n{2,}|\n(?=- )/)
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

export function inline(text: string): Part {
  return text.split('`').map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`));
}
