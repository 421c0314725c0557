/**
 * The HTML of mails. Every text is escaped. Mail programs drop much of HTML and invert colours in the dark, so there are tables for
 * columns, styles on the elements, no images and nothing to fetch.
 */
import type { TextLanguage } from '../../../workflows/shared/text.ts';
import { COLOURS } from './styles.ts';

/** Markup in which texts are escaped. */
export class MailHtml {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type MailPart = MailHtml | string | undefined | false | readonly MailPart[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const LANGUAGE_CODES: Readonly<Record<TextLanguage, string>> = { nob: 'nb', nno: 'nn', eng: 'en' };

export function mailHtml(strings: TemplateStringsArray, ...parts: readonly MailPart[]): MailHtml {
  return new MailHtml(String.raw({ raw: strings }, ...parts.map(markupOf)));
}

function markupOf(part: MailPart): string {
  if (part instanceof MailHtml) return part.markup;
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(markupOf).join('');
  return part.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** In the dark the classes take other colours. Programs that drop the style sheet keep the light ones, which also can be inverted. */
const STYLE_SHEET = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .back { background-color: #10161d !important; }
  .card { background-color: #18212b !important; border-color: #2e3b49 !important; }
  .ink { color: #e6edf5 !important; }
  .faint { color: #a3b3c4 !important; }
  .accent { color: #7cb8f5 !important; }
  .rule { border-color: #2e3b49 !important; }
}
@media (max-width: 480px) { .outer { padding: 12px 8px !important; } .card { padding: 20px 16px !important; } }`;

const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

export const MAIL_STYLES = {
  heading: `margin: 0 0 4px; font-size: 24px; line-height: 30px; font-weight: 600; color: ${COLOURS.ink}`,
  subheading: `margin: 24px 0 8px; font-size: 15px; line-height: 20px; font-weight: 600; color: ${COLOURS.accent}`,
  text: `margin: 0; font-size: 16px; line-height: 24px; color: ${COLOURS.ink}`,
  strong: `margin: 0; font-size: 16px; line-height: 24px; font-weight: 600; color: ${COLOURS.ink}`,
  faint: `margin: 0; font-size: 14px; line-height: 20px; color: ${COLOURS.faint}`,
  cell: `padding: 6px 0; font-size: 16px; line-height: 22px; vertical-align: top; color: ${COLOURS.ink}`,
} as const;

export interface MailFact {
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
}

/** Labels in a column of their own. */
export function mailFacts(facts: readonly MailFact[]): MailHtml {
  const noted = (note: string | undefined) =>
    note !== undefined && mailHtml`<br><span class="faint" style="${MAIL_STYLES.faint}">${note}</span>`;
  const row = ({ label, value, note }: MailFact) => mailHtml`<tr>
<td class="faint" style="${`${MAIL_STYLES.faint}; padding: 4px 14px 4px 0; line-height: 22px; vertical-align: top`}">${label}</td>
<td class="ink" style="${`${MAIL_STYLES.cell}; padding: 4px 0`}">${value}${noted(note)}</td>
</tr>
`;
  return mailHtml`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
${facts.map(row)}</table>
`;
}

/** A whole mail: one column of cards, at most 600 pixels wide. */
export function mailPage(title: string, language: TextLanguage, cards: readonly MailHtml[]): string {
  const card = (content: MailHtml) => mailHtml`<tr><td style="padding: 0 0 16px">
<div class="card" style="${`padding: 28px; border: 1px solid ${COLOURS.rule}; border-radius: 10px; background-color: ${COLOURS.paper}; overflow-wrap: anywhere`}">
${content}
</div></td></tr>
`;
  return mailHtml`<!doctype html>
<html lang="${LANGUAGE_CODES[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
${new MailHtml(STYLE_SHEET)}
</style>
</head>
<body class="back" style="${`margin: 0; padding: 0; background-color: ${COLOURS.soft}; font-family: ${FONT}`}">
<div class="back outer" role="article" aria-label="${title}" lang="${LANGUAGE_CODES[language]}" style="${`padding: 24px 12px; background-color: ${COLOURS.soft}`}">
<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="max-width: 600px; margin: 0 auto">
${cards.map(card)}</table>
</div>
</body>
</html>
`.markup;
}
