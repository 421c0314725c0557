/**
 * Checks a file in windows when it is too large to be held as a tree. Findings are the same as in one piece, except
 * that it may find more after a misplaced element, since each window starts its list afresh.
 *
 * Callers: SchemaSet. Memory grows with the size of a window, time linearly with the file.
 */
import { NotWellFormedError } from '../xml/scan.ts';
import type { Checked } from './check-document.ts';
import type { CompiledSchema } from './compiled-schemas.ts';
import { DOCTYPE_MESSAGE } from './doctype.ts';
import { type Pointer, SchemaMemoryError } from './libxml2.ts';
import { locateElements } from './locate.ts';
import { describeBreach } from './schema-messages.ts';
import { LISTED_DEFECTS, type SchemaDefect } from './schema-outcome.ts';
import { describeRemark, describeSyntaxError } from './syntax-messages.ts';
import { DoctypeError, type Window, WindowCutter, type WindowElement } from './window-tokens.ts';

/** A skeleton is small; a window this many times the intended size has an element in which no list could be cut. */
const LARGEST_WINDOW = 16;

/** Ends the reading after a defect that leaves nothing further to read. */
class Unreadable extends Error {
  readonly defect: SchemaDefect;
  constructor(defect: SchemaDefect) {
    super(defect.message);
    this.defect = defect;
  }
}

export function checkInWindows(
  schema: () => CompiledSchema,
  lists: () => ReadonlySet<string>,
  windowLetters: number,
  texts: Iterable<string>,
): Checked {
  const defects: SchemaDefect[] = [];
  const reportedOfOpen = new Set<string>();
  let count = 0;
  const cutter = new WindowCutter(lists(), windowLetters, (window) => {
    if (window.text.length > LARGEST_WINDOW * windowLetters) throw new SchemaMemoryError(window.text.length);
    count += checkWindow(schema(), window, reportedOfOpen, defects);
  });
  try {
    for (const text of texts) cutter.write(text);
    cutter.close();
  } catch (error) {
    const defect = error instanceof Unreadable ? error.defect : syntaxDefect(error);
    return { wellFormed: false, defects: [defect], count: 1, warnings: warningsOf(cutter) };
  }
  return { wellFormed: true, defects, count, warnings: warningsOf(cutter) };
}

function warningsOf({ remarks }: WindowCutter): SchemaDefect[] {
  return remarks.map(({ code, message, line }) => {
    return { message: describeRemark(code, message), objectId: null, line, column: null };
  });
}

function syntaxDefect(error: unknown): SchemaDefect {
  if (!(error instanceof NotWellFormedError)) throw error;
  const { line, column } = error;
  const message = error instanceof DoctypeError ? DOCTYPE_MESSAGE : `The file is not well-formed XML: ${error.message}`;
  return { message, objectId: null, line, column };
}

interface Breach {
  readonly message: string;
  readonly ordinal: number;
  readonly element: WindowElement;
}

/** Adds to the defects while there is room; returns the number of the window's own breaches. */
function checkWindow(
  schema: CompiledSchema,
  window: Window,
  reportedOfOpen: Set<string>,
  defects: SchemaDefect[],
): number {
  const breaches = validateWindow(schema, window).filter((breach) => isOwn(breach, reportedOfOpen));
  const listed = breaches.slice(0, LISTED_DEFECTS - defects.length);
  if (listed.length === 0) return breaches.length;
  const located = locateElements([window.text], new Set(listed.map(({ ordinal }) => ordinal)));
  for (const { message, ordinal, element } of listed) {
    const at = located.get(ordinal);
    const { line, column } = element;
    defects.push({ message: describeBreach(message, at), objectId: at?.objectId ?? null, line, column });
  }
  return breaches.length;
}

function validateWindow({ libxml2, schema }: CompiledSchema, window: Window): Breach[] {
  const first = window.elements.find(({ part }) => part === 'new');
  const place = { objectId: null, line: first?.line ?? null, column: first?.column ?? null };
  let syntaxError: SchemaDefect | undefined;
  const document = libxml2.parseDocument(
    Buffer.from(window.text),
    (read) => {
      const { code, level, message } = read();
      // The place within the window is useless; the window's first element is near.
      if (level >= 2) syntaxError ??= { message: describeSyntaxError(code, message), ...place };
    },
    { encoding: 'UTF-8' },
  );
  try {
    if (document === undefined || syntaxError) {
      throw new Unreadable(
        syntaxError ?? { message: describeSyntaxError(0, ''), objectId: null, line: null, column: null },
      );
    }
    const found: Array<{ message: string; node: Pointer }> = [];
    libxml2.validateDocument(schema, document, (read) => {
      const { level, message, node } = read();
      if (level >= 2) found.push({ message, node });
    });
    if (found.length === 0) return [];
    const ordinals = libxml2.elementOrdinals(document, new Set(found.map(({ node }) => node)));
    return found.flatMap(({ message, node }) => {
      const ordinal = ordinals.get(node);
      const element = ordinal === undefined ? undefined : window.elements[ordinal];
      return ordinal === undefined || element === undefined ? [] : [{ message, ordinal, element }];
    });
  } finally {
    if (document !== undefined) libxml2.freeDocument(document);
  }
}

/** Leaves out what an earlier window has reported, and missing children that the next window may hold. */
function isOwn({ message, element }: Breach, reportedOfOpen: Set<string>): boolean {
  if (element.part === 'repeated') return false;
  if (element.cut && message.includes('Missing child element(s)')) return false;
  if (element.part === 'new' && !element.cut) return true;
  const finding = `${element.line}:${element.column} ${message}`;
  if (reportedOfOpen.has(finding)) return false;
  reportedOfOpen.add(finding);
  return true;
}
