/**
 * An OpenAPI document as a page for people, and the list of a server's documents. The pages need no script and nothing of
 * another host. Caller: api-docs.ts. Pure.
 */
import { createHash } from 'node:crypto';
import type { Json } from '../openapi-reference.ts';
import { METHODS } from '../operation-kind.ts';
import { Html, html, type Part } from '../pages/html.ts';
import { pageStyle } from '../pages/page-style.ts';
import { operationView, type ShownOperation } from './operation-view.ts';
import { inline, prose } from './prose.ts';
import { asJson, schemaView } from './schema-view.ts';
import { LANGUAGES, type PageLanguage, type PageTexts, pageTexts } from './texts.ts';

export interface ShownDocument {
  readonly name: string;
  readonly document: Json;
}

const style = pageStyle(new URL('./style.css', import.meta.url));
const styleHash = createHash('sha256').update(style).digest('base64');

/** The style of the page itself, and nothing else. */
export const DOCS_CSP =
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function documentPage(shown: ShownDocument, all: readonly ShownDocument[], language: PageLanguage): string {
  const t = pageTexts[language];
  const { document, name } = shown;
  const { title, version, description } = asJson(document.info);
  const operations = listOperations(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const described = new Map(listOf(document.tags).map((tag) => [String(tag.name), tag.description]));
  const schemas = Object.entries(asJson(asJson(document.components).schemas));
  const groups = tags.map(
    (tag, index) => html`<section aria-labelledby="tag-${index}"><h2 id="tag-${index}" lang="en">${tag}</h2>
${prose(described.get(tag))}
${operations.filter((each) => each.tag === tag).map((each) => operationView(document, each, t))}</section>`,
  );
  const main = html`<h1 lang="en">${String(title)}</h1>
<p class="facts">${t.version} ${String(version)} · ${t.download} <a href="/api-docs/${name}?format=json">JSON</a>, <a href="/api-docs/${name}?format=yaml">YAML</a></p>
${prose(description)}
${groups}
${schemas.length > 0 && html`<section aria-labelledby="schemas"><h2 id="schemas">${t.schemas}</h2>${schemas.map(([each, schema]) => schemaSection(each, schema, t))}</section>`}`;
  return page({
    title: String(title),
    path: `/api-docs/${name}`,
    all,
    language,
    main,
    contents: contentsOf(operations, tags, schemas, t),
  });
}

export function indexPage(all: readonly ShownDocument[], language: PageLanguage): string {
  const t = pageTexts[language];
  const items = all.map(({ name, document }) => {
    const { title, description } = asJson(document.info);
    const first = String(description ?? '').split(/(?<=\.)\s/)[0] ?? '';
    return html`<li lang="en"><a href="/api-docs/${name}?lang=${language}">${String(title)}</a><p>${inline(first)}</p></li>`;
  });
  const main = html`<h1>${t.index}</h1><p>${t.indexHint}</p><ul class="cards">${items}</ul>`;
  return page({ title: t.index, path: '/api-docs', all, language, main, contents: undefined });
}

interface PageParts {
  readonly title: string;
  readonly path: string;
  readonly all: readonly ShownDocument[];
  readonly language: PageLanguage;
  readonly main: Html;
  readonly contents: Part;
}

function page({ title, path, all, language, main, contents }: PageParts): string {
  const t = pageTexts[language];
  const documents = all.map(({ name, document }) => {
    const here = path === `/api-docs/${name}`;
    const label = String(asJson(document.info).title);
    return html`<li><a href="/api-docs/${name}?lang=${language}"${here && html` aria-current="page"`} lang="en">${label}</a></li>`;
  });
  const languages = LANGUAGES.map((each) =>
    each === language
      ? html`<li><span aria-current="true">${pageTexts[each].language}</span></li>`
      : html`<li><a href="${path}?lang=${each}" lang="${each}" hreflang="${each}">${pageTexts[each].language}</a></li>`,
  );
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Samferd</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">${t.skip}</a>
<header><p class="brand"><a href="/api-docs?lang=${language}">Samferd</a></p>
<nav aria-label="${t.documents}"><ul>${documents}</ul></nav>
<ul class="languages">${languages}</ul></header>
<div class="columns${contents === undefined && ' single'}">
${contents}
<main id="content" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`.markup;
}

function contentsOf(
  operations: readonly ShownOperation[],
  tags: readonly string[],
  schemas: readonly (readonly [string, unknown])[],
  t: PageTexts,
): Html {
  const links = (tag: string) =>
    operations
      .filter((each) => each.tag === tag)
      .map(
        ({ id, method, operation }) =>
          html`<li><a href="#op-${id}"><span class="method ${method}">${method.toUpperCase()}</span> <span lang="en">${String(operation.summary ?? id)}</span></a></li>`,
      );
  return html`<nav class="contents" aria-label="${t.contents}">
${tags.map((tag) => html`<h2 lang="en">${tag}</h2><ul>${links(tag)}</ul>`)}
${schemas.length > 0 && html`<h2>${t.schemas}</h2><ul>${schemas.map(([name]) => html`<li><a href="#schema-${name}"><code>${name}</code></a></li>`)}</ul>`}
</nav>`;
}

function schemaSection(name: string, schema: unknown, t: PageTexts): Html {
  return html`<section class="schema" id="schema-${name}"><h3 id="title-schema-${name}"><code>${name}</code></h3>${schemaView(schema, t)}</section>
`;
}

/** In the order of the document; the requests that it sends itself come last. */
function listOperations(document: Json): readonly ShownOperation[] {
  const { paths, webhooks = {} } = document;
  return Object.entries({ ...asJson(paths), ...asJson(webhooks) }).flatMap(([path, given]) => {
    const item = asJson(given);
    return METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const operation = asJson(item[method]);
      const tag = String([operation.tags].flat()[0] ?? '');
      const parameters = [...[item.parameters ?? []].flat(), ...[operation.parameters ?? []].flat()];
      return { id: String(operation.operationId), method, path, tag, operation, parameters };
    });
  });
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(asJson) : [];
}
