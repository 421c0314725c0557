/** What all pages of the customer have around their content. Pure. */
import { type Html, html, type Part } from '../../shared/pages/html.ts';
import { ASSETS } from './assets.ts';
import { LANGUAGES, type PageLanguage, TEXTS } from './texts/languages.ts';

export interface PageParts {
  readonly language: PageLanguage;
  /** Without it the page names nobody. */
  readonly sellerName?: string | undefined;
  /** Of the browser's tab: it says the state. */
  readonly title: string;
  readonly main: Part;
  /** The address of the page without a query, for the links to other languages; absent on pages without a link of their own. */
  readonly path?: string | undefined;
  /** What the script watches; absent: the page has no script. */
  readonly watches?: WatchedState | undefined;
  /** Loads the page again where scripts are off. */
  readonly refreshSeconds?: number | undefined;
}

export interface WatchedState {
  readonly status: string;
  /** Asked for the page's state. */
  readonly url: string;
  /** Opened when it is another. */
  readonly page: string;
  readonly everySeconds: number;
}

export function layout({ language, sellerName, title, main, path, watches, refreshSeconds }: PageParts): string {
  const t = TEXTS[language];
  const name = sellerName ?? 'Samferd';
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title} – ${name}</title>
<link rel="icon" href="${ASSETS.icon.path}">
<link rel="stylesheet" href="${ASSETS.style.path}">
${refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
${watches && html`<script src="${ASSETS.script.path}" type="module"></script>`}
</head>
<body>
<a class="skip" href="#content">${t.skip}</a>
<header>
<p class="brand">${name}</p>
${path !== undefined && languageLinks(path, language)}
</header>
<main id="content" tabindex="-1"${watches && watched(watches)}>
${main}
</main>
</body>
</html>
`.markup;
}

function languageLinks(path: string, language: PageLanguage): Html {
  const links = LANGUAGES.map((each) =>
    each === language
      ? html`<li><span lang="${each}" aria-current="true">${TEXTS[each].language}</span></li>`
      : html`<li><a href="${path}?lang=${each}" lang="${each}" hreflang="${each}">${TEXTS[each].language}</a></li>`,
  );
  return html`<nav aria-label="${TEXTS[language].languages}"><ul class="languages">${links}</ul></nav>`;
}

function watched({ status, url, page, everySeconds }: WatchedState): Html {
  return html` data-status="${status}" data-url="${url}" data-page="${page}" data-every="${everySeconds}"`;
}
