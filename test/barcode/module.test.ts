/** Compares the types of the library with UIC's own modules, component by component. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { barcodeHeader } from '../../barcode/uic/barcode-header.ts';
import { railTicket } from '../../barcode/uic/rail-ticket.ts';
import { sharedDirectory } from '../support/folders.ts';
import { type Component, type Reflected, typeOf } from './reflected.ts';

const shared = sharedDirectory();

describe('types of the barcode modules', () => {
  if (!shared) {
    it.skip('need the shared folder');
    return;
  }
  const MODULES: readonly (readonly [string, Reflected])[] = [
    ['uicBarcodeHeader_v2.0.1.asn', barcodeHeader as Reflected],
    ['uicRailTicketData_v3.0.5.asn', railTicket as Reflected],
  ];

  for (const [file, root] of MODULES) {
    const definitions = definitionsOf(readFileSync(join(shared, 'barcode', file), 'utf8'));
    for (const [name, type] of namedTypes(root)) {
      it(`${name} is as ${file} defines it`, () => assert.equal(definitionOf(type), definitions.get(name)));
    }
  }
});

/** All types with a name of their own, from `root` down. */
function namedTypes(root: Reflected, found = new Map<string, Reflected>()): Map<string, Reflected> {
  const { notation, components, items, order, types = {}, item } = root;
  if (found.has(notation)) return found;
  if (components || items || (order && notation !== 'ticket')) found.set(notation, root);
  for (const component of Object.values(components ?? {})) namedTypes(typeOf(component), found);
  for (const type of Object.values(types)) namedTypes(type, found);
  if (item) namedTypes(item, found);
  return found;
}

function definitionOf({ components, items, order, isExtensible = true }: Reflected): string {
  const more = isExtensible ? [',...'] : [];
  if (items) return ['ENUMERATED', ...items.map((item, at) => `${item}(${at})`), ...more].join(' ');
  if (order) return choiceOf(order);
  const all = Object.entries(components ?? {}).map(([name, component]) => `${name} ${componentOf(component)}`);
  return ['SEQUENCE', ...all, ...more].join(' ');
}

function componentOf(component: Component): string {
  if (!('type' in component)) return notationOf(component);
  const { type, initial } = component;
  if (initial === undefined) return `${notationOf(type)} OPTIONAL`;
  return `${notationOf(type)} DEFAULT ${type.notation.startsWith('IA5') ? `"${initial}"` : initial}`;
}

/** The kinds of a ticket have no type name of their own. */
function notationOf({ notation, order }: Reflected): string {
  return notation === 'ticket' ? choiceOf(order ?? []) : notation;
}

/** All choices of the modules are extensible. */
function choiceOf(alternatives: readonly string[]): string {
  return ['CHOICE', ...alternatives, '+'].join(' ');
}

/** `name` to its definition, in the form that {@link definitionOf} makes. */
function definitionsOf(module: string): Map<string, string> {
  const text = module
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/CHOICE \{([^}]*)\}/g, (_, body: string) => `CHOICE ${namesOf(body)}`);
  const definitions = new Map<string, string>();
  for (const [, name = '', kind, body = ''] of text.matchAll(/(\w+) ::= (SEQUENCE|ENUMERATED) \{([^}]*)\}/g)) {
    definitions.set(name, [kind, ...partsOf(body)].join(' '));
  }
  for (const [, name = '', alternatives = ''] of text.matchAll(/(\w+) ::= (CHOICE [\w ]+? \+)/g)) {
    definitions.set(name, alternatives);
  }
  return definitions;
}

function namesOf(body: string): string {
  return partsOf(body)
    .map((part) => (part === ',...' ? '+' : part.split(' ')[0]))
    .join(' ');
}

function partsOf(body: string): string[] {
  const parts = body.split(',').map((part) => part.trim().replaceAll(/ ?\( ?/g, '('));
  const known = parts.filter((part) => part !== '' && part !== '...');
  return [
    ...known.map((part) => part.replace(/(INTEGER|IA5String)\(/, '$1 (')),
    ...(parts.includes('...') ? [',...'] : []),
  ];
}
