/**
 * Finds the elements of a schema that are plain lists, e.g. `vehicleJourneys`: any number of children of certain
 * kinds in any order and nothing else. Such a list may be checked in parts.
 *
 * Callers: SchemaSet, for files too large to be checked whole. An element counts only when every declaration of its
 * name in the whole schema is such a list and none carries a constraint.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { decodeXml } from '../xml/decode.ts';
import { Scanner } from '../xml/scan.ts';

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
}

const XSD = '{http://www.w3.org/2001/XMLSchema}';
const PARTICLES = new Set(['sequence', 'choice', 'all', 'group']);
const CONSTRAINTS = new Set(['unique', 'key', 'keyref']);

/** `root` is the schema's file; included and imported files count when they are in the same folder. */
export function readListContainers(root: string): ReadonlySet<string> {
  const types = new Map<string, Node[]>();
  const elements: Node[] = [];
  const files = new Set([resolve(root)]);
  for (const file of files) {
    const tree = readTree(readFileSync(file));
    collect(tree, types, elements);
    for (const { name, attributes } of tree.children[0]?.children ?? []) {
      if ((name !== 'include' && name !== 'import') || attributes.schemaLocation === undefined) continue;
      const included = resolve(dirname(file), attributes.schemaLocation);
      if (existsSync(included)) files.add(included);
    }
  }
  const lists = new Set<string>();
  const others = new Set<string>();
  for (const element of elements) {
    const name = element.attributes.name as string;
    (isList(element, types) ? lists : others).add(name);
  }
  return new Set([...lists].filter((name) => !others.has(name)));
}

function readTree(xsd: Uint8Array): Node {
  const root: Node = { name: '', attributes: {}, children: [] };
  const path = [root];
  const scanner = new Scanner({
    start(element) {
      const name = element.name.startsWith(XSD) ? element.name.slice(XSD.length) : element.name;
      const node: Node = { name, attributes: element.attributes, children: [] };
      path.at(-1)?.children.push(node);
      path.push(node);
    },
    end() {
      path.pop();
    },
  });
  for (const text of decodeXml(xsd)) scanner.write(text);
  scanner.close();
  return root;
}

/** Complex types and element declarations by name, local declarations too. */
function collect(node: Node, types: Map<string, Node[]>, elements: Node[]): void {
  const { name } = node.attributes;
  if (name !== undefined && node.name === 'complexType') types.set(name, [...(types.get(name) ?? []), node]);
  if (name !== undefined && node.name === 'element') elements.push(node);
  for (const child of node.children) collect(child, types, elements);
}

function isList(element: Node, types: ReadonlyMap<string, readonly Node[]>): boolean {
  if (element.attributes.abstract === 'true' || element.children.some(({ name }) => CONSTRAINTS.has(name)))
    return false;
  const own = element.children.filter(({ name }) => name === 'complexType');
  const declared = own.length > 0 ? own : typesOf(element.attributes.type, types);
  return declared.length > 0 && declared.every((type) => isListType(type, types));
}

function typesOf(name: string | undefined, types: ReadonlyMap<string, readonly Node[]>): readonly Node[] {
  return types.get(name?.replace(/^.*:/, '') ?? '') ?? [];
}

function isListType(type: Node, types: ReadonlyMap<string, readonly Node[]>): boolean {
  if (type.attributes.mixed === 'true') return false;
  const extension = type.children
    .find(({ name }) => name === 'complexContent')
    ?.children.find(({ name }) => name === 'extension');
  if (extension) {
    const bases = typesOf(extension.attributes.base, types);
    if (bases.length === 0 || !bases.every((base) => isWithoutContent(base, types))) return false;
  }
  const particles = (extension ?? type).children.filter(({ name }) => PARTICLES.has(name));
  const [particle] = particles;
  return particles.length === 1 && particle !== undefined && repeatsFreely(particle);
}

function isWithoutContent(type: Node, types: ReadonlyMap<string, readonly Node[]>): boolean {
  if (
    type.attributes.mixed === 'true' ||
    type.children.some(({ name }) => PARTICLES.has(name) || name === 'simpleContent')
  ) {
    return false;
  }
  const content = type.children.find(({ name }) => name === 'complexContent');
  if (content === undefined) return true;
  const extension = content.children.find(({ name }) => name === 'extension');
  if (extension === undefined || extension.children.some(({ name }) => PARTICLES.has(name))) return false;
  const bases = typesOf(extension.attributes.base, types);
  return bases.length > 0 && bases.every((base) => isWithoutContent(base, types));
}

/** Whether every part of valid content, and every two parts in succession, are valid again. */
function repeatsFreely(particle: Node): boolean {
  const children = particle.children.filter(({ name }) => name === 'element' || PARTICLES.has(name));
  const unbounded = (node: Node): boolean => node.attributes.maxOccurs === 'unbounded';
  const few = (node: Node): boolean => Number(node.attributes.minOccurs ?? 1) <= 1;
  if (!few(particle) || !children.every(few)) return false;
  if (particle.name === 'choice' && unbounded(particle)) return children.every(({ name }) => name === 'element');
  const [child] = children;
  if (particle.name !== 'sequence' || children.length !== 1 || child === undefined) return false;
  if (child.name === 'element') return unbounded(child) || unbounded(particle);
  return repeatsFreely(child) && !unbounded(particle);
}
