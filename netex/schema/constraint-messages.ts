/** Words breaches of unique, key and keyref constraints. Callers: the constraint listener. */
import type { OpenElement } from '../xml/scan.ts';
import type { Role } from './constraints.ts';

const LISTED_KINDS = 5;
const LISTED_VERSIONS = 3;

export function describeDuplicate(
  element: OpenElement,
  fields: readonly string[],
  values: readonly string[],
  twin: string,
  line: number,
): string {
  const [first = '', ...rest] = split(values);
  const which = rest.map((value, i) => ` ${fields[i + 1]} '${value}'`).join(',');
  const what = twin === element.name ? 'the same' : `${/^[AEIOU]/.test(twin) ? 'an' : 'a'} ${twin} with the same`;
  return `${element.name} '${first}'${which} is there twice: ${what} is on line ${line}.`;
}

export function describeIncomplete(
  element: OpenElement,
  fields: readonly string[],
  missing: readonly string[],
): string {
  const id = element.attributes.id === undefined ? '' : ` '${element.attributes.id}'`;
  const parent = id === '' && element.parent ? ` in ${element.parent.name}${idOf(element.parent)}` : '';
  return `Attribute '${missing.join("' and '")}' is missing on ${element.name}${id}${parent}; ${list(fields)} identify it.`;
}

/** `others`: the further values (version …) of elements with the same id. */
export function describeUnresolved(
  name: string,
  role: Role,
  values: readonly string[],
  others: readonly string[],
): string {
  const [first = '', ...rest] = split(values);
  const which = rest.map((value, i) => ` ${role.fields[i + 1]} '${value}'`).join(',');
  const kinds = [...new Set(role.refersTo.flatMap((key) => key.selectors.map(({ steps }) => steps.at(-1) ?? '')))];
  const listed = kinds.slice(0, LISTED_KINDS).join(', ') + (kinds.length > LISTED_KINDS ? ' …' : '');
  const present = [...new Set(others.map((other) => split([other]).join(', ')))].slice(0, LISTED_VERSIONS);
  const found = present.length > 0 && !present.includes(rest.join(', ')) ? ` (it has ${present.join('; ')})` : '';
  return `${name} '${first}'${which} refers to nothing in this file${found}; expected ${listed} with that ${list(role.fields.map((field) => (field === 'ref' ? 'id' : field)))}.`;
}

function split(values: readonly string[]): string[] {
  return values.flatMap((value) => value.split('\0')).filter((value, i) => i === 0 || value !== '');
}

function list(fields: readonly string[]): string {
  const named = fields.map((field) => (field === '.' ? 'text' : field));
  return named.length === 1 ? (named[0] as string) : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

function idOf(element: OpenElement): string {
  return element.attributes.id === undefined ? '' : ` '${element.attributes.id}'`;
}
