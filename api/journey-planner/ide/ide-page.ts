/**
 * Writes the HTML around the query page, and its content security policy. Everything comes from this origin, and only
 * data is inline. The functions are pure.
 */
import type { IdeExample } from './read-examples.ts';

export type IdeLanguage = 'nb' | 'en';

export interface IdePage {
  readonly dialect: 'v2' | 'v3';
  readonly language: IdeLanguage;
  readonly clientNameHeader: string;
  readonly examples: readonly IdeExample[];
  readonly js: string;
  readonly css: string;
  /** Belongs to this answer alone. */
  readonly nonce: string;
}

/**
 * GraphiQL's dialogs write a style element with the nonce into the page while they are open. Its style sheets contain
 * icons as data.
 */
export function idePolicy(nonce: string): string {
  const own = "default-src 'none'; script-src 'self'; img-src 'self' data:; connect-src 'self'";
  return `${own}; style-src 'self' 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

const WORDS = {
  nb: {
    title: 'Reiseplanlegger',
    script: 'Denne siden trenger JavaScript.',
    missing: 'Spørringssiden er ikke bygget.',
  },
  en: {
    title: 'Journey planner',
    script: 'This page needs JavaScript.',
    missing: 'The query page has not been built.',
  },
} as const;

/** Addresses are relative, so that the page works behind any prefix. */
export function idePage({ dialect, language, clientNameHeader, examples, nonce, js, css }: IdePage): string {
  const words = WORDS[language];
  const setup = JSON.stringify({ dialect, language, clientNameHeader, examples, nonce }).replaceAll('<', '\\u003c');
  return html(
    language,
    `${words.title} ${dialect}`,
    `<link rel="stylesheet" href="../ide/${css}">
<link rel="icon" href="data:,">
<script type="application/json" id="setup">${setup}</script>
<script type="module" src="../ide/${js}"></script>`,
    `<div id="page"></div>
<noscript>${words.script}</noscript>`,
  );
}

/** Written when the image has no page. It states how to build the page. */
export function missingIdePage(language: IdeLanguage): string {
  const { title, missing } = WORDS[language];
  return html(language, title, '', `<h1>${title}</h1><p>${missing} <code>npm run build:ide</code></p>`);
}

function html(language: IdeLanguage, title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
