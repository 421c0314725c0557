/**
 * Checks one whole document against a compiled schema.
 *
 * Callers: SchemaSet. Needs about eight times the document's size in memory while it runs: larger files are checked
 * in windows. Counts every breach; only the first {@link LISTED_DEFECTS} are put into words.
 */
import { type CompiledSchema, parser } from './compiled-schemas.ts';
import type { Libxml2, Pointer } from './libxml2.ts';
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

export interface SchemaOnDemand {
  /** Undefined until it is compiled. */
  find(): CompiledSchema | undefined;
  /** Compiles it if necessary. No document may be open. */
  get(): CompiledSchema;
}

/**
 * Asks for the schema only when the text is XML. Takes the same text twice: as UTF-8, whatever encoding it declares,
 * and decoded chunk by chunk.
 */
export function checkDocument(onDemand: SchemaOnDemand, utf8: Uint8Array, texts: () => Iterable<string>): Checked {
  if (!onDemand.find()) {
    const early = new Parsed(parser, utf8);
    early.free();
    if (early.broken) return early.broken;
  }
  const compiled = onDemand.get();
  const parsed = new Parsed(compiled.libxml2, utf8);
  try {
    if (parsed.broken) return parsed.broken;
    return { ...checkParsed(compiled, parsed.document, texts), warnings: parsed.warnings };
  } finally {
    parsed.free();
  }
}

class Parsed {
  readonly document: Pointer;
  readonly warnings: SchemaDefect[] = [];
  /** The result for a text that is not XML. */
  readonly broken: Checked | undefined;
  readonly #libxml2: Libxml2;

  constructor(libxml2: Libxml2, utf8: Uint8Array) {
    this.#libxml2 = libxml2;
    let syntaxError: SchemaDefect | undefined;
    const document = libxml2.parseDocument(
      utf8,
      (read) => {
        if (syntaxError) return;
        const { code, level, message, line, column } = read();
        if (level < 2) {
          if (this.warnings.length < LISTED_DEFECTS)
            this.warnings.push({
              message: describeRemark(code, message),
              objectId: null,
              line,
              column: column || null,
            });
          return;
        }
        syntaxError = { message: describeSyntaxError(code, message), objectId: null, line, column: column || null };
      },
      { encoding: 'UTF-8' },
    );
    this.document = document ?? 0;
    if (document !== undefined && !syntaxError) return;
    const defect = syntaxError ?? { message: describeSyntaxError(0, ''), objectId: null, line: null, column: null };
    this.broken = { wellFormed: false, defects: [defect], count: 1, warnings: this.warnings };
  }

  free(): void {
    if (this.document !== 0) this.#libxml2.freeDocument(this.document);
  }
}

function checkParsed(
  { libxml2, schema }: CompiledSchema,
  document: Pointer,
  texts: () => Iterable<string>,
): Omit<Checked, 'warnings'> {
  const breaches: Array<{ message: string; node: Pointer }> = [];
  let count = 0;
  libxml2.validateDocument(schema, document, (read) => {
    if (breaches.length < LISTED_DEFECTS) {
      const { level, message, node } = read();
      if (level < 2) return;
      breaches.push({ message, node });
    }
    count += 1;
  });
  if (count === 0) return { wellFormed: true, defects: [], count };
  const ordinals = libxml2.elementOrdinals(document, new Set(breaches.map(({ node }) => node)));
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
