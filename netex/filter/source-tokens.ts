/**
 * Cuts the text of an XML file into tags and the text between them, each as written, so that kept parts can be
 * copied.
 *
 * Caller: Walker. For validated files only: it checks that tags balance and nothing else. Comments and processing
 * instructions are dropped; they are no data, and may mention dropped content.
 */
import { NotWellFormedError } from '../xml/scan.ts';

export interface TokenListener {
  /** `name` as it is written, with its prefix. */
  start(name: string, tag: string, selfClosing: boolean): void;
  /** `tag` is empty when the start tag closed itself. */
  end(tag: string): void;
  /** Text with its entities, or a CDATA section with its brackets; in pieces. */
  text(source: string): void;
}

const NAME = /[^\s/>]+/y;
const CDATA_OPEN = '<![CDATA[';
const CDATA_CLOSE = ']]>';

export class SourceTokens {
  readonly #listener: TokenListener;
  #carry = '';
  #depth = 0;
  /** Terminator of the open comment, instruction or CDATA section; these may be longer than any chunk. */
  #closer = '';

  constructor(listener: TokenListener) {
    this.#listener = listener;
  }

  write(chunk: string): void {
    const text = this.#carry === '' ? chunk : this.#carry + chunk;
    let at = 0;
    while (at < text.length) {
      if (this.#closer !== '') {
        const end = this.#passOver(text, at);
        if (end === at) break;
        at = end;
        continue;
      }
      const open = text.indexOf('<', at);
      if (open !== at) {
        const end = open < 0 ? text.length : open;
        this.#listener.text(text.slice(at, end));
        at = end;
        continue;
      }
      const end = this.#markup(text, open);
      if (end < 0) break;
      at = end;
    }
    this.#carry = at < text.length ? text.slice(at) : '';
  }

  end(): void {
    if (this.#carry !== '' || this.#depth !== 0 || this.#closer !== '')
      throw new NotWellFormedError('The file ends inside an element', 1, 1);
  }

  /** End of the markup that opens at `open`; -1 when it has not arrived yet. */
  #markup(text: string, open: number): number {
    const first = text.charCodeAt(open + 1);
    if (first === 33) return this.#declaration(text, open);
    if (first === 63) return this.#enclose('?>', open + 2);
    const end = first === 47 ? after(text, '>', open) : endOfStartTag(text, open);
    if (end < 0) return -1;
    const tag = text.slice(open, end);
    if (first === 47) {
      if (--this.#depth < 0) throw new NotWellFormedError('An end tag without a start tag', 1, 1);
      this.#listener.end(tag);
      return end;
    }
    NAME.lastIndex = open + 1;
    const name = NAME.exec(text)?.[0] ?? '';
    const selfClosing = text.charCodeAt(end - 2) === 47;
    this.#listener.start(name, tag, selfClosing);
    if (selfClosing) this.#listener.end('');
    else this.#depth++;
    return end;
  }

  #declaration(text: string, open: number): number {
    if (text.startsWith('<!--', open)) return this.#enclose('-->', open + 4);
    if (text.startsWith(CDATA_OPEN, open)) {
      this.#listener.text(CDATA_OPEN);
      return this.#enclose(CDATA_CLOSE, open + CDATA_OPEN.length);
    }
    if (text.length - open < CDATA_OPEN.length) return -1;
    throw new NotWellFormedError('A DOCTYPE or another declaration, which NeTEx files do not have', 1, 1);
  }

  #enclose(closer: string, from: number): number {
    this.#closer = closer;
    return from;
  }

  /** Skips to the terminator, else as far as the terminator cannot have begun. */
  #passOver(text: string, from: number): number {
    const closer = this.#closer;
    const closed = after(text, closer, from);
    const end = closed < 0 ? Math.max(from, text.length - closer.length + 1) : closed;
    if (closer === CDATA_CLOSE && end > from) this.#listener.text(text.slice(from, end));
    if (closed >= 0) this.#closer = '';
    return end;
  }
}

function after(text: string, closer: string, from: number): number {
  const at = text.indexOf(closer, from);
  return at < 0 ? -1 : at + closer.length;
}

/** Attribute values may hold a `>`, so quoted text is skipped. */
function endOfStartTag(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 62) return at + 1;
    if (code !== 34 && code !== 39) continue;
    at = text.indexOf(code === 34 ? '"' : "'", at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The text that a piece of source stands for. */
export function textOf(source: string): string {
  if (!source.includes('&') && !source.includes('<')) return source;
  return source.replace(/<!\[CDATA\[(.*?)\]\]>|&(#x?[0-9a-fA-F]+|\w+);/gs, (whole, data?: string, entity?: string) => {
    if (data !== undefined) return data;
    if (entity?.startsWith('#x')) return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
    if (entity?.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
    return ENTITIES[entity ?? ''] ?? whole;
  });
}
