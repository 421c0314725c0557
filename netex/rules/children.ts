/**
 * The most common rule: an element needs a child, possibly with text. One check per kind of element serves them all.
 */

import type { OpenElement } from '../xml/scan.ts';
import type { Check, ElementHandler, RuleRun } from './check.ts';
import type { NotedPlace } from './finding-list.ts';
import type { Rule } from './rule.ts';

export interface ChildDemand {
  readonly rule: Rule;
  readonly child: string;
  /** An empty or blank child counts as missing. */
  readonly filled?: boolean;
}

export interface Watched {
  readonly element: string;
  /** Name of the parent, to exclude elements of the same name elsewhere. */
  readonly within?: string;
  /** Name of the parent's parent. */
  readonly around?: string;
}

export function demandChildren(watched: Watched, demands: readonly ChildDemand[]): Check {
  return {
    rules: demands.map(({ rule }) => rule),
    begin(run) {
      const children = demands.map(({ child }) => child);
      return watchChildren(watched, children, (element, texts) => {
        for (const demand of demands) demandChild(run, element, texts.get(demand.child), demand);
      });
    },
  };
}

/**
 * Subscriptions that report, at the end of an element, the texts of its children with those names (the last of each).
 */
export function watchChildren(
  { element: name, within, around }: Watched,
  children: readonly string[],
  atEnd: (element: OpenElement, texts: ReadonlyMap<string, string>) => void,
): { start: Record<string, ElementHandler>; end: Record<string, ElementHandler> } {
  let texts: Map<string, string> | undefined;
  let depth = 0;
  const noteChild: ElementHandler = (child) => {
    if (texts && child.depth === depth + 1) texts.set(child.name, child.text);
  };
  return {
    start: {
      [name](element) {
        if (texts || (within !== undefined && element.parent?.name !== within)) return;
        if (around !== undefined && element.parent?.parent?.name !== around) return;
        texts = new Map();
        depth = element.depth;
      },
    },
    end: {
      ...Object.fromEntries(children.map((child) => [child, noteChild])),
      [name](element) {
        if (!texts || element.depth !== depth) return;
        atEnd(element, texts);
        texts = undefined;
      },
    },
  };
}

function demandChild(
  run: RuleRun,
  element: OpenElement,
  text: string | undefined,
  { rule, child, filled }: ChildDemand,
): void {
  if (text === undefined) {
    run.report(
      rule,
      element,
      () => `${nameOf(element)} has no ${child}; expected ${isPlural(child) ? 'them' : 'one'}.`,
    );
  } else if (filled && text.trim() === '') {
    run.report(rule, element, () => `${nameOf(element)} has an empty ${child}; expected a text in it.`);
  }
}

/** The schema begins names of lists with a lower-case letter. */
function isPlural(child: string): boolean {
  return /^[a-z]|Details$/.test(child);
}

/** For messages: the element and its id; without an id, the nearest ancestor with one. */
function nameOf(element: OpenElement): string {
  if (element.attributes.id !== undefined) return `${element.name}${idOf(element)}`;
  let around = element.parent;
  while (around && around.attributes.id === undefined) around = around.parent;
  return around ? `${element.name} of ${around.name}${idOf(around)}` : element.name;
}

/** For messages: a space and the id, or nothing. */
export function idOf(element: OpenElement): string {
  const { id } = element.attributes;
  return id === undefined ? '' : ` ${id}`;
}

/** The same for an element that has closed. */
export function notedIdOf({ objectId }: NotedPlace): string {
  return objectId === null ? '' : ` ${objectId}`;
}
