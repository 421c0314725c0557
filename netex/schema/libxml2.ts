/**
 * The few calls of libxml2 (WebAssembly) that schema validation needs, with its own error handler: the package's
 * XsdValidator asks for the path of every faulty element, which costs minutes when a file has 70,000 errors.
 *
 * Callers: netex/schema alone. One WebAssembly memory per thread, which grows and never shrinks: everything made here
 * is freed by its maker. Never opens a file or a network address: documents come as bytes, the files that a schema
 * includes through the reader given to {@link compileSchema}.
 */
import loadLibxml2 from 'libxml2-wasm/lib/libxml2raw.mjs';

const lib = await loadLibxml2();
lib._xmlSetWinPathEnabled(0);
lib._xmlInitParser();

/** Address of a thing in the WebAssembly memory; 0 is none. */
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

/**
 * Lines beyond 65,535 are kept, short texts stored within their node, the white space between elements left out (a fifth
 * of the time; no type of an XSD asks for it). Entities and DTDs are never loaded.
 */
const PARSE_OPTIONS = (1 << 22) | (1 << 16) | (1 << 8) | (1 << 23) | (1 << 11);

let listener: ErrorListener = () => {};
const handlerPointer = lib.addFunction((_data: number, error: Pointer) => listener(() => readError(error)), 'vii');

function readError(error: Pointer): LibxmlError {
  const word = (offset: number): number => lib.HEAP32[(error + offset) >> 2] ?? 0;
  const message = word(8);
  return {
    code: word(4),
    level: word(12),
    message: message === 0 ? '' : lib.UTF8ToString(message),
    line: word(20),
    column: word(40),
    node: word(48),
  };
}

function listening<T>(to: ErrorListener, run: () => T): T {
  const before = listener;
  listener = to;
  try {
    return run();
  } finally {
    listener = before;
  }
}

/** Bytes that the WebAssembly memory of this thread has grown to. */
export function schemaMemoryBytes(): number {
  return lib.HEAPU8.byteLength;
}

export class SchemaMemoryError extends Error {
  constructor(bytes: number) {
    super(`No room for ${bytes} bytes of XML in the memory of the schema validation.`);
    this.name = 'SchemaMemoryError';
  }
}

function allocate(bytes: Uint8Array): Pointer {
  const pointer = lib._malloc(bytes.length + 1);
  if (pointer === 0) throw new SchemaMemoryError(bytes.length);
  lib.HEAPU8.set(bytes, pointer);
  lib.HEAPU8[pointer + bytes.length] = 0;
  return pointer;
}

/**
 * Parses bytes; undefined when they are not well-formed, which the listener has then heard. Free the document. With an
 * encoding given, the one that the document declares is not asked.
 */
export function parseDocument(
  bytes: Uint8Array,
  onError: ErrorListener,
  { url, encoding: name }: { readonly url?: string; readonly encoding?: 'UTF-8' } = {},
): Pointer | undefined {
  const text = allocate(bytes);
  const address = url === undefined ? 0 : allocate(Buffer.from(url));
  const encoding = name === undefined ? 0 : allocate(Buffer.from(name));
  const context = lib._xmlNewParserCtxt();
  try {
    lib._xmlCtxtSetErrorHandler(context, handlerPointer, 0);
    const document = listening(onError, () =>
      lib._xmlCtxtReadMemory(context, text, bytes.length, address, encoding, PARSE_OPTIONS),
    );
    return document === 0 ? undefined : document;
  } finally {
    lib._xmlFreeParserCtxt(context);
    if (encoding !== 0) lib._free(encoding);
    if (address !== 0) lib._free(address);
    lib._free(text);
  }
}

export function freeDocument(document: Pointer): void {
  lib._xmlFreeDoc(document);
}

/** The document's own bytes of the file at a path; undefined when there is none that may be read. */
export type IncludeReader = (path: string) => Uint8Array | undefined;

let readInclude: IncludeReader = () => undefined;
const openIncludes = new Map<number, { bytes: Uint8Array; offset: number }>();
let lastInclude = 0;

lib._xmlCleanupInputCallbacks();
lib._xmlRegisterInputCallbacks(
  lib.addFunction(() => 1, 'ii'),
  lib.addFunction((path: Pointer) => {
    const bytes = readInclude(lib.UTF8ToString(path));
    if (bytes === undefined) return 0;
    lastInclude += 1;
    openIncludes.set(lastInclude, { bytes, offset: 0 });
    return lastInclude;
  }, 'ii'),
  lib.addFunction((include: number, target: Pointer, length: number) => {
    const open = openIncludes.get(include);
    if (open === undefined) return -1;
    const part = open.bytes.subarray(open.offset, open.offset + length);
    lib.HEAPU8.set(part, target);
    open.offset += part.length;
    return part.length;
  }, 'iiii'),
  lib.addFunction((include: number) => (openIncludes.delete(include) ? 0 : -1), 'ii'),
);

/** Compiles the XSD at a path; throws with libxml2's words when it is broken, which no user's file can cause. */
export function compileSchema(path: string, reader: IncludeReader): Pointer {
  const errors: string[] = [];
  const keep: ErrorListener = (read) => {
    const error = read();
    if (error.level > 1 && errors.length < 5) errors.push(error.message.trim());
  };
  const bytes = reader(path);
  if (bytes === undefined) throw new Error(`The schema ${path} cannot be read.`);
  readInclude = reader;
  try {
    const document = parseDocument(bytes, keep, { url: path });
    if (document === undefined) throw new Error(`The schema ${path} is not well-formed: ${errors.join(' ')}`);
    const context = lib._xmlSchemaNewDocParserCtxt(document);
    lib._xmlSchemaSetParserStructuredErrors(context, handlerPointer, 0);
    const schema = listening(keep, () => lib._xmlSchemaParse(context));
    lib._xmlSchemaFreeParserCtxt(context);
    lib._xmlFreeDoc(document);
    if (schema === 0) throw new Error(`The schema ${path} cannot be compiled: ${errors.join(' ')}`);
    return schema;
  } finally {
    readInclude = () => undefined;
  }
}

export function freeSchema(schema: Pointer): void {
  lib._xmlSchemaFree(schema);
}

/** Validates a parsed document. Errors are passed on one by one and are readable only during the call. */
export function validateDocument(schema: Pointer, document: Pointer, onError: ErrorListener): void {
  const context = lib._xmlSchemaNewValidCtxt(schema);
  if (context === 0) throw new SchemaMemoryError(0);
  try {
    lib._xmlSchemaSetValidStructuredErrors(context, handlerPointer, 0);
    const result = listening(onError, () => lib._xmlSchemaValidateDoc(context, document));
    if (result < 0) throw new Error('libxml2 could not run the schema validation.');
  } finally {
    lib._xmlSchemaFreeValidCtxt(context);
  }
}

const ELEMENT_NODE = 1;
const ATTRIBUTE_NODE = 2;

/** The place of elements in document order, from 0, for the nodes given (for an attribute: its element's). */
export function elementOrdinals(document: Pointer, nodes: Iterable<Pointer>): Map<Pointer, number> {
  const heap = lib.HEAP32;
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
  let node = lib._xmlDocGetRootElement(document);
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
