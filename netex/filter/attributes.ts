/** Reads the attributes of a start tag that the filter needs, from its source. Caller: Walker. */
import { NETEX_NAMESPACE } from '../xml/scan.ts';
import { textOf } from './source-tokens.ts';

/** One object is reused for a whole file. */
export class Attributes {
  id = '';
  ref = '';
  isRestricted = false;
  /** Written names and values of attributes that refer to an element, such as `dataSourceRef`. */
  readonly references: Array<{ name: string; ref: string }> = [];
  /** Namespaces that the tag declares: prefix (`''` for the default one) and URI. */
  readonly declared: Array<{ prefix: string; uri: string }> = [];

  read(tag: string, nameLength: number): void {
    this.id = '';
    this.ref = '';
    this.isRestricted = false;
    if (this.references.length > 0) this.references.length = 0;
    if (this.declared.length > 0) this.declared.length = 0;
    let at = nameLength + 1;
    for (;;) {
      const equals = tag.indexOf('=', at);
      if (equals < 0) return;
      let open = equals + 1;
      while (isSpace(tag.charCodeAt(open))) open++;
      const close = tag.indexOf(tag.charAt(open), open + 1);
      while (isSpace(tag.charCodeAt(at))) at++;
      this.#see(tag, at, equals, open + 1, close);
      at = close + 1;
    }
  }

  #see(tag: string, at: number, equals: number, start: number, end: number): void {
    const length = equals - at;
    if (length < 2) return;
    if (length === 2) {
      if (tag.startsWith('id', at)) this.id = textOf(tag.slice(start, end));
      return;
    }
    const name = tag.slice(at, equals).trim();
    if (name === 'id') this.id = textOf(tag.slice(start, end));
    else if (name === 'ref') this.ref = textOf(tag.slice(start, end));
    else if (name === 'publication') this.isRestricted = tag.slice(start, end).trim() !== 'public';
    else if (name.endsWith('Ref')) {
      const ref = textOf(tag.slice(start, end));
      if (ref.includes(':')) this.references.push({ name, ref });
    } else if (name.startsWith('xmlns')) {
      if (name === 'xmlns' || name.charCodeAt(5) === 58) {
        this.declared.push({ prefix: name.slice(6), uri: textOf(tag.slice(start, end)) });
      }
    }
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** Names of elements as the filter uses them: the local name for NeTEx, `gml:x`, and empty for foreign elements. */
export class Names {
  #scopes: Array<{ depth: number; known: ReadonlyMap<string, string> }> = [];
  /** Prefix → text before the local name; foreign prefixes are absent. */
  #known: ReadonlyMap<string, string> = new Map();

  enter(depth: number, declared: ReadonlyArray<{ prefix: string; uri: string }>): void {
    this.#scopes.push({ depth, known: this.#known });
    const known = new Map(this.#known);
    for (const { prefix, uri } of declared) {
      if (uri === NETEX_NAMESPACE) known.set(prefix, '');
      else if (uri === 'http://www.opengis.net/gml/3.2') known.set(prefix, 'gml:');
      else known.delete(prefix);
    }
    this.#known = known;
  }

  leave(depth: number): void {
    const scope = this.#scopes.at(-1);
    if (scope?.depth !== depth) return;
    this.#scopes.pop();
    this.#known = scope.known;
  }

  of(written: string): string {
    const colon = written.indexOf(':');
    const opening = this.#known.get(colon < 0 ? '' : written.slice(0, colon));
    if (opening === undefined) return '';
    return colon < 0 && opening === '' ? written : opening + written.slice(colon + 1);
  }
}
