/**
 * The calls of libxml2 (WebAssembly) that schema validation needs, with our own error handler. The package's
 * XsdValidator computes the path of every faulty element, which takes minutes for 70,000 errors.
 *
 * Callers: netex/schema alone. Each instance has a WebAssembly memory of its own, which grows and never shrinks: code
 * that allocates here must also free. Never opens a file or a network address: documents come as bytes, included
 * schema files through the reader given to {@link Libxml2.compileSchema}.
 */
import loadLibxml2, { type LibXml2 as Module } from 'libxml2-wasm/lib/libxml2raw.mjs';

/** Address in the memory of one instance; 0 is null. */
export type Pointer = number;

interface LibxmlError {
  readonly code: number;
  /** libxml2's level: 1 warning, 2 error, 3 fatal. */
  readonly level: number;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The element or attribute at fault; 0 for errors of the parser. */
  readonly node: Pointer;
}

/** Called for each error. The text of the message is decoded only on demand. */
type ErrorListener = (read: () => LibxmlError) => void;

/** Returns the bytes of the file at a path; undefined when it does not exist or must not be read. */
export type IncludeReader = (path: string) => Uint8Array | undefined;

/**
 * Keeps line numbers beyond 65,535 and stores short texts within their node. Drops white space between elements,
 * which no type of an XSD needs; this saves a fifth of the time. Never loads entities or DTDs.
 */
const PARSE_OPTIONS = (1 << 22) | (1 << 16) | (1 << 8) | (1 << 23) | (1 << 11);
const ELEMENT_NODE = 1;
const ATTRIBUTE_NODE = 2;

export class SchemaMemoryError extends Error {
  constructor(bytes: number) {
    super(`No room for ${bytes} bytes of XML in the memory of the schema validation.`);
    this.name = 'SchemaMemoryError';
  }
}

export class Libxml2 {
  readonly #lib: Module;
  readonly #handlerPointer: Pointer;
  readonly #openIncludes = new Map<number, { bytes: Uint8Array; offset: number }>();
  #listener: ErrorListener = () => {};
  #readInclude: IncludeReader = () => undefined;
  #lastInclude = 0;

  /** Every instance makes the same calls in the same order, so that a memory image of one fits all. */
  private constructor(lib: Module) {
    this.#lib = lib;
    lib._xmlSetWinPathEnabled(0);
    lib._xmlInitParser();
    const onError = (_data: number, error: Pointer) => this.#listener(() => this.#readError(error));
    this.#handlerPointer = lib.addFunction(onError, 'vii');
    lib._xmlCleanupInputCallbacks();
    lib._xmlRegisterInputCallbacks(
      lib.addFunction(() => 1, 'ii'),
      lib.addFunction((path: Pointer) => this.#openInclude(path), 'ii'),
      lib.addFunction((include: number, to: Pointer, length: number) => this.#copyInclude(include, to, length), 'iiii'),
      lib.addFunction((include: number) => (this.#openIncludes.delete(include) ? 0 : -1), 'ii'),
    );
  }

  static async create(): Promise<Libxml2> {
    return new Libxml2(await loadLibxml2());
  }

  /** Current size of the memory. */
  get memoryBytes(): number {
    return this.#lib.HEAPU8.byteLength;
  }

  /** A copy of the memory. No document may be open. */
  copyMemory(): Uint8Array {
    return this.#lib.HEAPU8.slice();
  }

  /** Replaces this instance's memory by a copy of another's: every pointer of that instance is then valid here. */
  restoreMemory(image: Uint8Array): void {
    const lib = this.#lib;
    while (this.memoryBytes < image.length) {
      if (lib._malloc(image.length - this.memoryBytes) === 0) throw new SchemaMemoryError(image.length);
    }
    lib.HEAPU8.set(image);
    lib.HEAPU8.fill(0, image.length);
  }

  /**
   * Parses bytes; undefined when they are not well-formed, after the listener has received the error. The caller
   * frees the document. A given encoding overrides the declared one.
   */
  parseDocument(
    bytes: Uint8Array,
    onError: ErrorListener,
    { url, encoding: name }: { readonly url?: string; readonly encoding?: 'UTF-8' } = {},
  ): Pointer | undefined {
    const text = this.#allocate(bytes);
    const address = url === undefined ? 0 : this.#allocate(Buffer.from(url));
    const encoding = name === undefined ? 0 : this.#allocate(Buffer.from(name));
    const context = this.#lib._xmlNewParserCtxt();
    try {
      this.#lib._xmlCtxtSetErrorHandler(context, this.#handlerPointer, 0);
      const document = this.#listening(onError, () =>
        this.#lib._xmlCtxtReadMemory(context, text, bytes.length, address, encoding, PARSE_OPTIONS),
      );
      return document === 0 ? undefined : document;
    } finally {
      this.#lib._xmlFreeParserCtxt(context);
      if (encoding !== 0) this.#lib._free(encoding);
      if (address !== 0) this.#lib._free(address);
      this.#lib._free(text);
    }
  }

  freeDocument(document: Pointer): void {
    this.#lib._xmlFreeDoc(document);
  }

  /** Compiles the XSD at a path. Throws libxml2's message when it is broken, which no user's file can cause. */
  compileSchema(path: string, reader: IncludeReader): Pointer {
    const errors: string[] = [];
    const keep: ErrorListener = (read) => {
      const error = read();
      if (error.level > 1 && errors.length < 5) errors.push(error.message.trim());
    };
    const bytes = reader(path);
    if (bytes === undefined) throw new Error(`The schema ${path} cannot be read.`);
    this.#readInclude = reader;
    try {
      const document = this.parseDocument(bytes, keep, { url: path });
      if (document === undefined) throw new Error(`The schema ${path} is not well-formed: ${errors.join(' ')}`);
      const context = this.#lib._xmlSchemaNewDocParserCtxt(document);
      this.#lib._xmlSchemaSetParserStructuredErrors(context, this.#handlerPointer, 0);
      const schema = this.#listening(keep, () => this.#lib._xmlSchemaParse(context));
      this.#lib._xmlSchemaFreeParserCtxt(context);
      this.#lib._xmlFreeDoc(document);
      if (schema === 0) throw new Error(`The schema ${path} cannot be compiled: ${errors.join(' ')}`);
      return schema;
    } finally {
      this.#readInclude = () => undefined;
    }
  }

  /** Validates a parsed document. Errors are passed on one by one and are readable only during the call. */
  validateDocument(schema: Pointer, document: Pointer, onError: ErrorListener): void {
    const context = this.#lib._xmlSchemaNewValidCtxt(schema);
    if (context === 0) throw new SchemaMemoryError(0);
    try {
      this.#lib._xmlSchemaSetValidStructuredErrors(context, this.#handlerPointer, 0);
      const result = this.#listening(onError, () => this.#lib._xmlSchemaValidateDoc(context, document));
      if (result < 0) throw new Error('libxml2 could not run the schema validation.');
    } finally {
      this.#lib._xmlSchemaFreeValidCtxt(context);
    }
  }

  /** Positions of elements in document order, from 0, for the given nodes (for an attribute: its element's). */
  elementOrdinals(document: Pointer, nodes: Iterable<Pointer>): Map<Pointer, number> {
    const heap = this.#lib.HEAP32;
    const at = (node: Pointer, offset: number): number => heap[(node + offset) >> 2] ?? 0;
    const owners = new Map<Pointer, Pointer[]>();
    for (const node of nodes) {
      const owner = at(node, 4) === ATTRIBUTE_NODE ? at(node, 20) : node;
      const present = owners.get(owner);
      if (present) present.push(node);
      else owners.set(owner, [node]);
    }
    const ordinals = new Map<Pointer, number>();
    let ordinal = 0;
    let node = this.#lib._xmlDocGetRootElement(document);
    while (node !== 0 && node !== document) {
      if (at(node, 4) === ELEMENT_NODE) {
        for (const asked of owners.get(node) ?? []) ordinals.set(asked, ordinal);
        ordinal += 1;
        const child = at(node, 12);
        if (child !== 0) {
          node = child;
          continue;
        }
      }
      while (node !== 0 && node !== document && at(node, 24) === 0) node = at(node, 20);
      if (node !== 0 && node !== document) node = at(node, 24);
    }
    return ordinals;
  }

  #listening<T>(to: ErrorListener, run: () => T): T {
    const before = this.#listener;
    this.#listener = to;
    try {
      return run();
    } finally {
      this.#listener = before;
    }
  }

  #readError(error: Pointer): LibxmlError {
    const word = (offset: number): number => this.#lib.HEAP32[(error + offset) >> 2] ?? 0;
    const message = word(8);
    return {
      code: word(4),
      level: word(12),
      message: message === 0 ? '' : this.#lib.UTF8ToString(message),
      line: word(20),
      column: word(40),
      node: word(48),
    };
  }

  #allocate(bytes: Uint8Array): Pointer {
    const pointer = this.#lib._malloc(bytes.length + 1);
    if (pointer === 0) throw new SchemaMemoryError(bytes.length);
    this.#lib.HEAPU8.set(bytes, pointer);
    this.#lib.HEAPU8[pointer + bytes.length] = 0;
    return pointer;
  }

  #openInclude(path: Pointer): number {
    const bytes = this.#readInclude(this.#lib.UTF8ToString(path));
    if (bytes === undefined) return 0;
    this.#lastInclude += 1;
    this.#openIncludes.set(this.#lastInclude, { bytes, offset: 0 });
    return this.#lastInclude;
  }

  #copyInclude(include: number, target: Pointer, length: number): number {
    const open = this.#openIncludes.get(include);
    if (open === undefined) return -1;
    const part = open.bytes.subarray(open.offset, open.offset + length);
    this.#lib.HEAPU8.set(part, target);
    open.offset += part.length;
    return part.length;
  }
}
