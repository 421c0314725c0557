/**
 * Finds elements by their position in document order and returns line, column, id and parent. libxml2 knows lines
 * only roughly (the end of the start tag) and no columns.
 *
 * Callers: the schema check, for the few errors that it lists. One streaming pass that ends at the last requested
 * element.
 */
import { type OpenElement, Scanner } from '../xml/scan.ts';
import type { Surroundings } from './schema-messages.ts';

export interface Located extends Surroundings {
  readonly line: number;
  readonly column: number;
  /** Id of the element, else of its nearest ancestor with one. */
  readonly objectId: string | null;
}

export function locateElements(texts: Iterable<string>, ordinals: ReadonlySet<number>): Map<number, Located> {
  const found = new Map<number, Located>();
  let ordinal = 0;
  const scanner = new Scanner({
    start(element) {
      if (ordinals.has(ordinal)) found.set(ordinal, surroundings(element));
      ordinal += 1;
    },
  });
  for (const text of texts) {
    if (found.size === ordinals.size) break;
    scanner.write(text);
  }
  return found;
}

export function surroundings(element: OpenElement): Located {
  const { name, line, column, parent } = element;
  let holder: OpenElement | undefined = element;
  while (holder && holder.attributes.id === undefined) holder = holder.parent;
  return {
    name,
    id: element.attributes.id,
    parent: parent && { name: parent.name, id: parent.attributes.id },
    line,
    column,
    objectId: holder?.attributes.id ?? null,
  };
}
