/** Shows one operation: who may call it, what it takes and what it answers. Pure. */
import { type Json, resolve } from '../openapi-reference.ts';
import { scopesOf } from '../operation-kind.ts';
import { type Html, html, type Part } from '../pages/html.ts';
import { inline, prose } from './prose.ts';
import { asJson, details, schemaView, typeView } from './schema-view.ts';
import type { PageTexts } from './texts.ts';

export interface ShownOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly operation: Json;
  /** Those of the path and its own. */
  readonly parameters: readonly unknown[];
}

export function operationView(
  root: Json,
  { id, method, path, operation, parameters }: ShownOperation,
  t: PageTexts,
): Html {
  const { summary, deprecated, description, requestBody, responses } = operation;
  return html`<section class="operation" id="op-${id}">
<h3 id="title-${id}" lang="en">${String(summary ?? id)}</h3>
<p class="target"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
<p class="access">${accessView(root, operation, t)}${deprecated === true && html` <strong class="deprecated">${t.deprecated}</strong>`}</p>
${prose(description)}
${parametersView(root, parameters, t)}
${requestBody !== undefined && html`<h4>${t.body}</h4>${contentView(root, requestBody, t, { label: `${id}, ${t.body}` })}`}
<h4>${t.answers}</h4>
${Object.entries(asJson(responses)).map(([status, response]) => responseView(root, { id, status, given: response }, t))}
</section>
`;
}

function accessView(root: Json, operation: Json, t: PageTexts): Part {
  const scopes = scopesOf(root, operation);
  if (scopes === undefined) return t.noToken;
  if (scopes.length === 0) return t.anyToken;
  return html`${t.token} ${scopes.map((scope) => html`<code>${scope}</code> `)}`;
}

function parametersView(root: Json, parameters: readonly unknown[], t: PageTexts): Part {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((each) => {
    const [{ name, in: place, required, description, schema, example }] = resolve(root, each, 'parameter');
    const where = t.places[place as keyof PageTexts['places']] ?? String(place);
    return html`<div><dt><code>${String(name)}</code> <span class="type">${where}, ${typeView(schema, t)}</span> ${
      required === true && html`<span class="required">${t.required}</span>`
    }</dt><dd>${prose(description)}${details(asJson(schema), t)}${
      example !== undefined && html`<p>${t.example}: <code>${String(example)}</code></p>`
    }</dd></div>`;
  });
  return html`<h4>${t.parameters}</h4><dl class="members">${rows}</dl>`;
}

interface ShownResponse {
  readonly id: string;
  readonly status: string;
  readonly given: unknown;
}

function responseView(root: Json, { id, status, given }: ShownResponse, t: PageTexts): Html {
  const [response] = resolve(root, given, status);
  const { description, headers, content } = response;
  const summary = html`<code class="status s${status[0] ?? ''}">${status}</code> <span lang="en">${inline(String(description ?? ''))}</span>`;
  const headerRows = Object.entries(asJson(headers)).map(([name, value]) => {
    const [header] = resolve(root, value, name);
    return html`<div><dt><code>${name}</code></dt><dd>${prose(header.description)}</dd></div>`;
  });
  if (headerRows.length === 0 && content === undefined) return html`<p class="answer">${summary}</p>`;
  return html`<details class="answer"><summary>${summary}</summary>
${headerRows.length > 0 && html`<h5>${t.headers}</h5><dl class="members">${headerRows}</dl>`}
${contentView(root, response, t, { status, label: `${id}, ${status}` })}</details>
`;
}

/** Shared examples of problems are of one status: under others they would mislead. `label` names the example. */
function contentView(
  root: Json,
  given: unknown,
  t: PageTexts,
  { status, label }: { readonly status?: string; readonly label: string },
): Part {
  const [{ content }] = resolve(root, given, 'content');
  return Object.entries(asJson(content)).map(([type, value]) => {
    const { schema, example } = asJson(value);
    const shown = example ?? asJson(schema).example;
    const fits = type !== 'application/problem+json' || String(asJson(shown).status) === status;
    return html`<div class="content"><p class="type"><code>${type}</code></p>${schemaView(schema, t)}${shown !== undefined && fits && exampleView(shown, `${t.example}: ${label}, ${type}`, t)}</div>`;
  });
}

function exampleView(example: unknown, label: string, t: PageTexts): Html {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return html`<details class="example"><summary>${t.example}</summary><pre tabindex="0" role="region" aria-label="${label}">${text}</pre></details>`;
}
