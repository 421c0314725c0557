/** Shows a schema as a list of members with their types and limits; named schemas are links. Pure. */
import { type Json, toJson } from '../openapi-reference.ts';
import { type Html, html, type Part } from '../pages/html.ts';
import { prose } from './prose.ts';
import type { PageTexts } from './texts.ts';

const NAMED = /^#\/components\/schemas\/(.+)$/;
/** Limits that are shown as they are written. */
const LIMITS = [
  ...['format', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'writeOnly', 'readOnly', 'deprecated'],
] as const;

/** The whole schema, with the members of an object. */
export function schemaView(schema: unknown, t: PageTexts): Part {
  const { type, items } = asJson(schema);
  const list = type === 'array' && items !== undefined ? membersOf(asJson(items), t) : membersOf(asJson(schema), t);
  return html`<p class="type">${typeView(schema, t)}</p>${details(asJson(schema), t)}${list}`;
}

export function typeView(schema: unknown, t: PageTexts): Part {
  const json = asJson(schema);
  const named = NAMED.exec(String(json.$ref ?? ''))?.[1];
  if (named !== undefined) return html`<a href="#schema-${named}">${named}</a>`;
  if (json.type === 'array') return html`${t.listOf} ${typeView(json.items, t)}`;
  const types = [json.type].flat().filter((each) => each !== undefined);
  if (types.length > 0) return html`<code>${types.join(' | ')}</code>`;
  if (json.const !== undefined) return html`<code>${JSON.stringify(json.const)}</code>`;
  return undefined;
}

/** Description and limits, without type and members. */
export function details(schema: Json, t: PageTexts): Part {
  const limits = LIMITS.filter((name) => schema[name] !== undefined && schema[name] !== false);
  return [
    prose(schema.description),
    Array.isArray(schema.enum) && html`<p>${t.values}: ${codes(schema.enum)}</p>`,
    schema.const !== undefined && schema.type !== undefined && html`<p>${t.values}: ${codes([schema.const])}</p>`,
    schema.default !== undefined && html`<p>${t.default}: ${codes([schema.default])}</p>`,
    limits.length > 0 && html`<p class="limits">${limits.map((name) => limitView(name, schema[name]))}</p>`,
  ];
}

function limitView(name: string, value: unknown): Html {
  return html`<span>${name}${value !== true && html` <code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`}</span> `;
}

function codes(values: readonly unknown[]): Part {
  return values.map((value, index) => [
    index > 0 && ', ',
    html`<code>${JSON.stringify(value).replace(/^"(.*)"$/, '$1')}</code>`,
  ]);
}

function membersOf(schema: Json, t: PageTexts): Part {
  const parts: Part[] = [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const members = Object.entries(asJson(schema.properties));
  if (members.length > 0) {
    const rows = members.map(([name, member]) => memberView(name, asJson(member), required.has(name), t));
    parts.push(html`<dl class="members">${rows}</dl>`);
  }
  const closed = schema.additionalProperties === false || schema.unevaluatedProperties === false;
  if (closed && members.length > 0) parts.push(html`<p class="limits">${t.noOtherMembers}</p>`);
  for (const [keyword, title] of [
    ['allOf', t.allOf],
    ['oneOf', t.oneOf],
    ['anyOf', t.oneOf],
  ] as const) {
    const choices = schema[keyword];
    if (!Array.isArray(choices)) continue;
    parts.push(
      html`<p>${title}:</p><ul class="choices">${choices.map((each) => html`<li>${schemaView(each, t)}</li>`)}</ul>`,
    );
  }
  return parts;
}

function memberView(name: string, schema: Json, required: boolean, t: PageTexts): Html {
  const inner = schema.type === 'array' ? asJson(schema.items) : schema;
  return html`<div><dt><code>${name}</code> <span class="type">${typeView(schema, t)}</span> ${
    required && html`<span class="required">${t.required}</span>`
  }</dt><dd>${details(schema, t)}${schema.type === 'array' && details(inner, t)}${membersOf(inner, t)}</dd></div>`;
}

export function asJson(value: unknown): Json {
  return value === undefined || typeof value !== 'object' || value === null ? {} : toJson(value, 'schema');
}
