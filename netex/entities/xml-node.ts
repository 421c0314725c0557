/**
 * An element with its content while one entity is read. Texts and attributes are views of the file's text; copy them
 * with `keptText` to keep them longer. Callers: the readers of this folder.
 */
import type { OpenElement } from '../xml/scan.ts';

const NO_CHILDREN: XmlNode[] = [];

export class XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text = '';
  children: XmlNode[] = NO_CHILDREN;

  constructor(element: OpenElement) {
    this.name = element.name;
    this.attributes = element.attributes;
  }

  add(child: XmlNode): void {
    if (this.children === NO_CHILDREN) this.children = [child];
    else this.children.push(child);
  }
}

export function findChild(node: XmlNode | undefined, name: string): XmlNode | undefined {
  if (node === undefined) return undefined;
  for (const child of node.children) if (child.name === name) return child;
  return undefined;
}

export function childrenNamed(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  return node === undefined ? NO_CHILDREN : node.children.filter((child) => child.name === name);
}

/** The children of a list such as `dayTypes`. */
export function listOf(node: XmlNode, listName: string): readonly XmlNode[] {
  return findChild(node, listName)?.children ?? NO_CHILDREN;
}

/** Text of a direct child; undefined when missing or empty. */
export function textOf(node: XmlNode | undefined, name: string): string | undefined {
  const text = findChild(node, name)?.text.trim();
  return text === '' ? undefined : text;
}

export function refOf(node: XmlNode | undefined, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const ref = findChild(node, name)?.attributes.ref;
    if (ref !== undefined) return ref;
  }
  return undefined;
}

/** Undefined when absent. */
export function flagOf(node: XmlNode, name: string): boolean | undefined {
  const text = textOf(node, name);
  return text === undefined ? undefined : text === 'true' || text === '1';
}

export function numberOf(node: XmlNode, name: string): number | undefined {
  const text = textOf(node, name);
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Sorted by their `order`; nodes without one keep the order of the file. */
export function byOrder(nodes: readonly XmlNode[]): readonly XmlNode[] {
  const order = (node: XmlNode): number => Number.parseInt(node.attributes.order ?? '', 10);
  if (nodes.some((node) => Number.isNaN(order(node)))) return nodes;
  return nodes.toSorted((a, b) => order(a) - order(b));
}
