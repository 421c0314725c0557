/**
 * Splits the text of a large file into windows. Each is a whole document: the next part of the file within a skeleton
 * of its surroundings.
 *
 * Callers: checkInWindows. A window is cut only between two children of a plain list. The next skeleton has the open
 * elements and their earlier content. Every list is shortened to one child, so that order and completeness can be
 * checked. See package.md.
 */
import { SaxesParser } from 'saxes';
import { NotWellFormedError } from '../xml/scan.ts';
import { LISTED_DEFECTS } from './schema-outcome.ts';

/** How the check treats an element of a window. */
export type Part =
  /** Seen for the first time. */
  | 'new'
  /** Begun in an earlier window. */
  | 'reopened'
  /** Skeleton: checked in an earlier window. */
  | 'repeated';

interface Token {
  readonly type: 'start' | 'end' | 'text';
  readonly text: string;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly part: Part;
}

export interface WindowElement {
  readonly line: number;
  readonly column: number;
  readonly part: Part;
  /** Continues in the next window: missing parts may still come. */
  readonly cut: boolean;
}

export interface Window {
  readonly text: string;
  /** In document order. */
  readonly elements: readonly WindowElement[];
}

/** The parser found a DOCTYPE; its declarations are not read. */
export class DoctypeError extends NotWellFormedError {}

/** Codes of libxml2. */
const RESERVED_NAME = 64;
const UNKNOWN_XML_VERSION = 97;

export class WindowCutter {
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #lists: ReadonlySet<string>;
  readonly #windowLetters: number;
  readonly #onWindow: (window: Window) => void;
  #tokens: Token[] = [];
  /** Indexes of the open elements among the tokens. */
  #open: number[] = [];
  #newLetters = 0;
  #line = 1;
  #column = 1;

  /** libxml2's remarks on anything but elements: windows hold only elements. */
  readonly remarks: Array<{ readonly code: number; readonly message: string; readonly line: number }> = [];

  constructor(lists: ReadonlySet<string>, windowLetters: number, onWindow: (window: Window) => void) {
    this.#lists = lists;
    this.#windowLetters = windowLetters;
    this.#onWindow = onWindow;
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new NotWellFormedError(error.message.replace(/^\d+:\d+: /, ''), parser.line, parser.column);
    });
    parser.on('xmldecl', ({ version }) => {
      if (version !== undefined && version !== '1.0') this.#remark(UNKNOWN_XML_VERSION, `'${version}'`);
    });
    parser.on('processinginstruction', ({ target }) => {
      if (/^xml(?!-stylesheet$|-model$)/i.test(target)) this.#remark(RESERVED_NAME, target);
    });
    parser.on('doctype', () => {
      throw new DoctypeError('DOCTYPE', parser.line, Math.max(1, parser.column));
    });
    parser.on('opentagstart', (tag) => {
      this.#line = parser.line;
      this.#column = Math.max(1, parser.columnIndex - tag.name.length - 1);
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.#open.push(this.#tokens.length);
      this.#add('start', name, startTag(name, attributes as Record<string, string>));
    });
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
    parser.on('closetag', ({ name }) => {
      this.#open.pop();
      this.#add('end', name, `</${name}>`);
      if (this.#newLetters >= this.#windowLetters && this.#mayCut()) this.#cut();
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
    this.#give();
  }

  #remark(code: number, message: string): void {
    if (this.remarks.length < LISTED_DEFECTS) this.remarks.push({ code, message, line: this.#parser.line });
  }

  #addText(text: string): void {
    if (this.#open.length > 0) this.#add('text', '', escapeText(text));
  }

  #add(type: Token['type'], name: string, text: string): void {
    this.#newLetters += text.length;
    this.#tokens.push({ type, name, text, line: this.#line, column: this.#column, part: 'new' });
  }

  #mayCut(): boolean {
    const parent = this.#tokens[this.#open.at(-1) ?? -1];
    return parent !== undefined && this.#lists.has(localName(parent.name));
  }

  #cut(): void {
    this.#give();
    this.#tokens = this.#skeleton();
    this.#newLetters = 0;
  }

  /** Emits the tokens so far as a document; open elements are closed. */
  #give(): void {
    const open = new Set(this.#open);
    const elements: WindowElement[] = [];
    const texts = this.#tokens.map(({ type, text, line, column, part }, place) => {
      if (type === 'start') elements.push({ line, column, part, cut: open.has(place) });
      return text;
    });
    for (const place of this.#open.toReversed()) texts.push(`</${this.#tokens[place]?.name}>`);
    this.#onWindow({ text: texts.join(''), elements });
  }

  #skeleton(): Token[] {
    const open = new Set(this.#open);
    const kept: Token[] = [];
    this.#open = [];
    /** The ancestors: lists keep one child, so that they are not empty, other elements keep all. */
    const around: Array<{ isList: boolean; children: number }> = [];
    let skippedDepth = 0;
    this.#tokens.forEach((token, place) => {
      if (skippedDepth > 0) {
        if (token.type !== 'text') skippedDepth += token.type === 'start' ? 1 : -1;
        return;
      }
      const parent = around.at(-1);
      if (token.type === 'end') around.pop();
      else if (token.type === 'start') {
        const isOpen = open.has(place);
        if (parent?.isList && !isOpen && parent.children > 0) {
          skippedDepth = 1;
          return;
        }
        if (parent) parent.children += 1;
        around.push({ isList: this.#lists.has(localName(token.name)), children: 0 });
        if (isOpen) this.#open.push(kept.length);
        kept.push({ ...token, part: isOpen ? 'reopened' : 'repeated' });
        return;
      }
      // Text between the children of a list does not count, and would accumulate from window to window.
      if (token.type === 'end' || !parent?.isList) kept.push(token);
    });
    return kept;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function startTag(name: string, attributes: Readonly<Record<string, string>>): string {
  let tag = `<${name}`;
  for (const key in attributes) tag += ` ${key}="${escapeAttribute(attributes[key] as string)}"`;
  return `${tag}>`;
}

function escapeText(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (letter) => `&#${letter.charCodeAt(0)};`) : text;
}

function escapeAttribute(value: string): string {
  return /[&<"\t\n\r]/.test(value) ? value.replace(/[&<"\t\n\r]/g, (letter) => `&#${letter.charCodeAt(0)};`) : value;
}
