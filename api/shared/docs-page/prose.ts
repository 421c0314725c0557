/** The texts of OpenAPI documents, which are English on every page. Pure. */
import { html, type Part } from '../pages/html.ts';

/** Paragraphs and `code`, as descriptions have them. */
export function prose(text: unknown): Part {
  if (typeof text !== 'string') return undefined;
  return text
    .trim()
    .split(/\n{2,}|\n(?=- )/)
    .map((paragraph) => html`<p lang="en">${inline(paragraph)}</p>`);
}

export function inline(text: string): Part {
  return text.split('`').map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`));
}
