/**
 * The one streaming pass over a NeTEx file. Rules and schema constraints listen; nothing here knows any of them.
 *
 * Callers: the validation of a file, the classification of an archive, the stop register reader.
 * Never builds a tree, never resolves anything outside the file, never reads a DTD.
 */
import { SaxesParser } from 'saxes';

export const NETEX_NAMESPACE = 'http://www.netex.org.uk/netex';
const KNOWN_PREFIXES: Readonly<Record<string, string>> = {
  [NETEX_NAMESPACE]: '',
  'http://www.opengis.net/gml/3.2': 'gml:',
  'http://www.siri.org.uk/siri': 'siri:',
};

/** An element between its start and its end tag. Valid only while it is open: listeners copy what they keep. */
export interface OpenElement {
  /** Local name for the NeTEx namespace, `gml:x` and `siri:x` for those two, `{uri}x` for any other. */
  readonly name: string;
  /** Attributes by their written names, namespace declarations left out. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Line and column of the `<`, both from 1. */
  readonly line: number;
  readonly column: number;
  readonly parent: OpenElement | undefined;
  /** Root is 1. */
  readonly depth: number;
  /** Text directly inside the element, complete at its end. */
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

interface MutableElement extends OpenElement {
  name: string;
  attributes: Record<string, string>;
}

/** A scan that is fed chunk by chunk; `close` ends it. Throws NotWellFormedError from `write` or `close`. */
export class Scanner {
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  #current: MutableElement | undefined;
  #pending: { line: number; column: number } = { line: 1, column: 1 };
  #scopes: Array<{ depth: number; prefixes: Record<string, string> }> = [];
  #prefixes: Record<string, string> = {};
  #names = new Map<string, string>();

  constructor(listener: ScanListener) {
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new NotWellFormedError(error.message.replace(/^\d+:\d+: /, ''), parser.line, parser.column);
    });
    parser.on('opentagstart', (tag) => {
      this.#pending = { line: parser.line, column: Math.max(1, parser.column - tag.name.length - 1) };
    });
    parser.on('opentag', (tag) => {
      const attributes = this.#declareNamespaces(tag.attributes as Record<string, string>);
      const parent = this.#current;
      this.#current = {
        name: this.#canonicalName(tag.name),
        attributes,
        line: this.#pending.line,
        column: this.#pending.column,
        parent,
        depth: parent ? parent.depth + 1 : 1,
        text: '',
      };
      listener.start?.(this.#current);
    });
    const addText = (text: string): void => {
      if (this.#current) this.#current.text += text;
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('closetag', () => {
      const closing = this.#current as MutableElement;
      listener.end?.(closing);
      this.#leaveNamespaces(closing.depth);
      this.#current = closing.parent as MutableElement | undefined;
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
  }

  #declareNamespaces(attributes: Record<string, string>): Record<string, string> {
    let declared: Record<string, string> | undefined;
    let plain = attributes;
    for (const key in attributes) {
      if (!key.startsWith('xmlns')) continue;
      declared ??= {};
      if (key === 'xmlns') declared[''] = attributes[key] as string;
      else if (key.charCodeAt(5) === 58) declared[key.slice(6)] = attributes[key] as string;
    }
    if (declared) {
      plain = Object.fromEntries(
        Object.entries(attributes).filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:')),
      );
      this.#scopes.push({ depth: this.#current ? this.#current.depth + 1 : 1, prefixes: this.#prefixes });
      this.#prefixes = { ...this.#prefixes, ...declared };
      this.#names.clear();
    }
    return plain;
  }

  #leaveNamespaces(depth: number): void {
    const scope = this.#scopes.at(-1);
    if (scope?.depth !== depth) return;
    this.#scopes.pop();
    this.#prefixes = scope.prefixes;
    this.#names.clear();
  }

  #canonicalName(written: string): string {
    let name = this.#names.get(written);
    if (name === undefined) {
      const colon = written.indexOf(':');
      const uri = this.#prefixes[colon < 0 ? '' : written.slice(0, colon)];
      const local = colon < 0 ? written : written.slice(colon + 1);
      const known = uri === undefined ? undefined : KNOWN_PREFIXES[uri];
      name = known !== undefined ? known + local : uri ? `{${uri}}${local}` : `{}${written}`;
      this.#names.set(written, name);
    }
    return name;
  }
}
