/**
 * The single streaming pass over a NeTEx file. Rules and schema constraints listen; nothing here depends on them.
 *
 * Callers: the validation of a file, the classification of an archive, the stop register reader. Never builds a tree,
 * never resolves anything outside the file, never reads a DTD.
 */
import { SaxesParser } from 'saxes';

export const NETEX_NAMESPACE = 'http://www.netex.org.uk/netex';
const KNOWN_PREFIXES: ReadonlyMap<string, string> = new Map([
  [NETEX_NAMESPACE, ''],
  ['http://www.opengis.net/gml/3.2', 'gml:'],
  ['http://www.siri.org.uk/siri', 'siri:'],
]);

/** Facts of an element that follow from its name. One object for all elements of that name in a scan. */
export interface ElementKind {
  /** Local name for the NeTEx namespace, `gml:x` and `siri:x` for those two, `{uri}x` for any other. */
  readonly name: string;
  readonly isNetex: boolean;
  /** From 0, by first occurrence in the scan: tables by number are faster than by name. */
  readonly number: number;
}

/** An element between its start and its end tag. Valid only while it is open: listeners copy what they keep. */
export interface OpenElement {
  /** The name of its kind. */
  readonly name: string;
  readonly kind: ElementKind;
  /** Attributes by their written names, without namespace declarations. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Line and column of the `<`, both from 1. */
  readonly line: number;
  readonly column: number;
  readonly parent: OpenElement | undefined;
  /** Root is 1. */
  readonly depth: number;
  /** The element's own text, complete at its end. */
  text: string;
}

export interface ScanListener {
  start?(element: OpenElement): void;
  end?(element: OpenElement): void;
}

/** The text is not well-formed XML; the message is the parser's, without a position. */
export class NotWellFormedError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = 'NotWellFormedError';
    this.line = line;
    this.column = column;
  }
}

/** Every element has the same shape, in the order of use, so that the engine reads its fields fastest. */
class ScannedElement implements OpenElement {
  readonly name: string;
  readonly kind: ElementKind;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly column: number;
  readonly parent: ScannedElement | undefined;
  readonly depth: number;
  text = '';
  hasChildren = false;

  constructor(
    kind: ElementKind,
    attributes: Readonly<Record<string, string>>,
    line: number,
    column: number,
    parent: ScannedElement | undefined,
  ) {
    this.name = kind.name;
    this.kind = kind;
    this.attributes = attributes;
    this.line = line;
    this.column = column;
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 1;
  }
}

/** A scan that receives chunks; `close` ends it. `write` and `close` throw NotWellFormedError. */
export class Scanner {
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #listener: ScanListener;
  #current: ScannedElement | undefined;
  #line = 1;
  #column = 1;
  #scopes: Array<{ depth: number; prefixes: ReadonlyMap<string, string> }> = [];
  #prefixes: ReadonlyMap<string, string> = new Map();
  /** By the name as written, while the same prefixes hold. */
  #written = new Map<string, ElementKind>();
  readonly #kinds = new Map<string, ElementKind>();
  /** Whether tags of the current text may declare namespaces; most text has no xmlns. */
  #mayDeclare = false;
  #lastDeclares = false;
  #sawTag = true;
  #lastLetters = '';

  constructor(listener: ScanListener) {
    this.#listener = listener;
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new NotWellFormedError(error.message.replace(/^\d+:\d+: /, ''), parser.line, parser.column);
    });
    parser.on('opentagstart', (tag) => {
      this.#line = parser.line;
      this.#column = Math.max(1, parser.columnIndex - tag.name.length - 1);
    });
    parser.on('opentag', (tag) => this.#open(tag.name, tag.attributes as Record<string, string>));
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
    parser.on('closetag', () => this.#close());
  }

  write(text: string): void {
    const declares = text.includes('xmlns') || (this.#lastLetters + text.slice(0, 4)).includes('xmlns');
    // A tag that began in earlier text is known only at its end, here or later.
    if (declares || this.#sawTag) this.#mayDeclare = declares || this.#lastDeclares;
    this.#lastDeclares = declares;
    this.#lastLetters = text.slice(-4);
    this.#sawTag = false;
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
  }

  #open(name: string, written: Record<string, string>): void {
    const parent = this.#current;
    this.#sawTag = true;
    const attributes = this.#mayDeclare ? this.#declareNamespaces(written) : written;
    if (parent) parent.hasChildren = true;
    const element = new ScannedElement(this.#kindOf(name), attributes, this.#line, this.#column, parent);
    this.#current = element;
    this.#listener.start?.(element);
  }

  #addText(text: string): void {
    const element = this.#current;
    if (element === undefined) return;
    // White space between children has no use, and would grow into a text as long as the file.
    if (element.hasChildren && text.trim() === '') return;
    element.text = element.text === '' ? text : element.text + text;
  }

  #close(): void {
    const closing = this.#current as ScannedElement;
    this.#listener.end?.(closing);
    if (this.#scopes.length > 0) this.#leaveNamespaces(closing.depth);
    this.#current = closing.parent;
  }

  #declareNamespaces(attributes: Record<string, string>): Record<string, string> {
    let declared: Map<string, string> | undefined;
    let plain = attributes;
    for (const key in attributes) {
      if (!key.startsWith('xmlns')) continue;
      declared ??= new Map();
      if (key === 'xmlns') declared.set('', attributes[key] as string);
      else if (key.charCodeAt(5) === 58) declared.set(key.slice(6), attributes[key] as string);
    }
    if (declared) {
      plain = Object.fromEntries(
        Object.entries(attributes).filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:')),
      );
      this.#scopes.push({ depth: this.#current ? this.#current.depth + 1 : 1, prefixes: this.#prefixes });
      this.#prefixes = new Map([...this.#prefixes, ...declared]);
      this.#written.clear();
    }
    return plain;
  }

  #leaveNamespaces(depth: number): void {
    const scope = this.#scopes.at(-1);
    if (scope?.depth !== depth) return;
    this.#scopes.pop();
    this.#prefixes = scope.prefixes;
    this.#written.clear();
  }

  #kindOf(written: string): ElementKind {
    let kind = this.#written.get(written);
    if (kind === undefined) {
      const name = this.#canonicalName(written);
      kind = this.#kinds.get(name) ?? { name, isNetex: isNetexName(name), number: this.#kinds.size };
      this.#kinds.set(name, kind);
      this.#written.set(written, kind);
    }
    return kind;
  }

  #canonicalName(written: string): string {
    const colon = written.indexOf(':');
    const uri = this.#prefixes.get(colon < 0 ? '' : written.slice(0, colon));
    const local = colon < 0 ? written : written.slice(colon + 1);
    const known = uri === undefined ? undefined : KNOWN_PREFIXES.get(uri);
    return known !== undefined ? known + local : uri ? `{${uri}}${local}` : `{}${written}`;
  }
}

/** Names of other namespaces carry a prefix or a `{uri}`. */
function isNetexName(name: string): boolean {
  return !name.includes(':') && !name.startsWith('{');
}
