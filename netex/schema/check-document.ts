/**
 * Checks one whole document against a compiled schema.
 *
 * Callers: SchemaSet. Needs about eight times the document's size in memory while it runs: larger files go through
 * windows. Counts every breach; only the first {@link LISTED_DEFECTS} are put into words.
 */
import { elementOrdinals, freeDocument, type Pointer, parseDocument, validateDocument } from './libxml2.ts';
import { locateElements } from './locate.ts';
import { describeBreach } from './schema-messages.ts';
import { LISTED_DEFECTS, type SchemaDefect } from './schema-outcome.ts';
import { describeRemark, describeSyntaxError } from './syntax-messages.ts';

export interface Checked {
  readonly wellFormed: boolean;
  readonly defects: readonly SchemaDefect[];
  readonly count: number;
  readonly warnings: readonly SchemaDefect[];
}

/** The schema is only asked for when the text is XML. The same text twice: as UTF-8 without regard to what encoding it declares, and decoded chunk by chunk. */
export function checkDocument(schema: () => Pointer, utf8: Uint8Array, texts: () => Iterable<string>): Checked {
  let syntaxError: SchemaDefect | undefined;
  const warnings: SchemaDefect[] = [];
  const document = parseDocument(
    utf8,
    (read) => {
      if (syntaxError) return;
      const { code, level, message, line, column } = read();
      if (level < 2) {
        if (warnings.length < LISTED_DEFECTS)
          warnings.push({ message: describeRemark(code, message), objectId: null, line, column: column || null });
        return;
      }
      syntaxError = { message: describeSyntaxError(code, message), objectId: null, line, column: column || null };
    },
    { encoding: 'UTF-8' },
  );
  if (document === undefined || syntaxError) {
    if (document !== undefined) freeDocument(document);
    const defect = syntaxError ?? { message: describeSyntaxError(0, ''), objectId: null, line: null, column: null };
    return { wellFormed: false, defects: [defect], count: 1, warnings };
  }
  try {
    return { ...checkParsed(schema(), document, texts), warnings };
  } finally {
    freeDocument(document);
  }
}

function checkParsed(schema: Pointer, document: Pointer, texts: () => Iterable<string>): Omit<Checked, 'warnings'> {
  const breaches: Array<{ message: string; node: Pointer }> = [];
  let count = 0;
  validateDocument(schema, document, (read) => {
    if (breaches.length < LISTED_DEFECTS) {
      const { level, message, node } = read();
      if (level < 2) return;
      breaches.push({ message, node });
    }
    count += 1;
  });
  if (count === 0) return { wellFormed: true, defects: [], count };
  const ordinals = elementOrdinals(document, new Set(breaches.map(({ node }) => node)));
  const located = locateElements(texts(), new Set(ordinals.values()));
  const defects = breaches.map(({ message, node }) => {
    const at = located.get(ordinals.get(node) ?? -1);
    return {
      message: describeBreach(message, at),
      objectId: at?.objectId ?? null,
      line: at?.line ?? null,
      column: at?.column ?? null,
    };
  });
  return { wellFormed: true, defects, count };
}
