/**
 * Decodes the bytes of an XML file by its declared encoding, strictly: an invalid byte is an error, never a
 * replacement character.
 *
 * Callers: the classification of archives, the scan of a file. The encodings are those of the schema parser, so that
 * all stages see the same text. Never holds more than a chunk and the bytes of one character.
 */
import { isAscii, isUtf8 } from 'node:buffer';

export type XmlEncoding =
  | 'utf-8'
  | 'us-ascii'
  | 'utf-16le'
  | 'utf-16be'
  | 'iso-8859-1'
  | 'iso-8859-15'
  | 'windows-1252';

/** The bytes are invalid in the file's encoding, or the encoding is not supported. */
export class XmlEncodingError extends Error {
  readonly code = 'ERROR_FILE_INVALID_XML_ENCODING_ERROR';
  /** From 1; undefined when the error is about the file's declaration, or about 16-bit text. */
  readonly line: number | undefined;
  constructor(message: string, line?: number) {
    super(message);
    this.name = 'XmlEncodingError';
    this.line = line;
  }
}

const DECLARED_NAMES: Readonly<Record<string, XmlEncoding | 'utf-16'>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'us-ascii',
  ascii: 'us-ascii',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'iso-8859-1',
  latin1: 'iso-8859-1',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
};
const DECLARATION = /^<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([^"'>]{0,60})["']/;
/** Enough for a byte order mark and a whole XML declaration in 16-bit characters. */
export const ENCODING_HEAD_BYTES = 512;
const SAVE_AS_UTF_8 = 'Save the file as UTF-8.';

interface Detected {
  readonly encoding: XmlEncoding;
  /** Length of the byte order mark, which is left out. */
  readonly markBytes: number;
}

/** Decides by byte order mark, then by declaration, else UTF-8. Throws XmlEncodingError when the two contradict. */
export function detectXmlEncoding(head: Uint8Array): Detected {
  const starts = (...bytes: number[]): boolean => bytes.every((byte, i) => head[i] === byte);
  if (starts(0xff, 0xfe, 0, 0) || starts(0, 0, 0xfe, 0xff) || starts(0x3c, 0, 0, 0) || starts(0, 0, 0, 0x3c)) {
    throw new XmlEncodingError(`The encoding UTF-32 is not supported. ${SAVE_AS_UTF_8}`);
  }
  if (starts(0x4c, 0x6f, 0xa7, 0x94)) {
    throw new XmlEncodingError(`The encoding EBCDIC is not supported. ${SAVE_AS_UTF_8}`);
  }
  if (starts(0xff, 0xfe)) return agreed('utf-16le', 2, head);
  if (starts(0xfe, 0xff)) return agreed('utf-16be', 2, head);
  if (starts(0x3c, 0, 0x3f, 0)) return agreed('utf-16le', 0, head);
  if (starts(0, 0x3c, 0, 0x3f)) return agreed('utf-16be', 0, head);
  if (starts(0xef, 0xbb, 0xbf)) return agreed('utf-8', 3, head);
  return agreed(undefined, 0, head);
}

/** Compares the encoding that the bytes show with the declared one. */
function agreed(shown: XmlEncoding | undefined, markBytes: number, head: Uint8Array): Detected {
  const wide = shown === 'utf-16le' || shown === 'utf-16be';
  const text = new TextDecoder(wide ? shown : 'latin1').decode(head.subarray(markBytes, ENCODING_HEAD_BYTES));
  const written = DECLARATION.exec(text)?.[1];
  if (written === undefined) return { encoding: shown ?? 'utf-8', markBytes };
  const declared = DECLARED_NAMES[written.toLowerCase()];
  if (declared === undefined) {
    const name = written.replace(/[^\x20-\x7e]/g, '?');
    throw new XmlEncodingError(`The file declares the encoding "${name}", which is not supported. ${SAVE_AS_UTF_8}`);
  }
  const declaredWide = declared.startsWith('utf-16');
  if (wide ? declared !== 'utf-16' && declared !== shown : declaredWide || (shown && declared !== shown)) {
    const actual = wide ? 'UTF-16' : shown === 'utf-8' ? 'UTF-8' : 'an encoding of 8-bit letters';
    throw new XmlEncodingError(
      `The file declares the encoding "${written}" but is written in ${actual}. ${SAVE_AS_UTF_8}`,
    );
  }
  return { encoding: shown ?? (declared as XmlEncoding), markBytes };
}

/** Decodes a file that arrives in chunks; call `end` after the last. Both throw XmlEncodingError. */
export class XmlDecoder {
  #decode: ((bytes: Buffer, last: boolean) => string) | undefined;
  #head: Buffer | undefined = Buffer.alloc(0);

  write(bytes: Uint8Array): string {
    return this.#next(bytes, false);
  }

  end(): string {
    return this.#next(new Uint8Array(0), true);
  }

  #next(bytes: Uint8Array, last: boolean): string {
    let chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.#head) {
      if (this.#head.length > 0) chunk = Buffer.concat([this.#head, chunk]);
      if (chunk.length < ENCODING_HEAD_BYTES && !last) {
        // The chunk may be a view of a buffer that the caller reuses.
        this.#head = Buffer.from(chunk);
        return '';
      }
      this.#head = undefined;
      const { encoding, markBytes } = detectXmlEncoding(chunk);
      this.#decode = decoderOf(encoding);
      chunk = chunk.subarray(markBytes);
    }
    return this.#decode?.(chunk, last) ?? '';
  }
}

function decoderOf(encoding: XmlEncoding): (bytes: Buffer, last: boolean) => string {
  if (encoding === 'utf-8') return utf8Decoder();
  if (encoding === 'iso-8859-1') return (bytes) => bytes.toString('latin1');
  if (encoding === 'us-ascii') {
    return (bytes) => {
      if (!isAscii(bytes)) throw notValid('US-ASCII', bytes, (line) => isAscii(line));
      return bytes.toString('latin1');
    };
  }
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (bytes, last) => {
    try {
      return decoder.decode(bytes, { stream: !last });
    } catch {
      throw new XmlEncodingError(`The file is not valid ${encoding.toUpperCase()}. ${SAVE_AS_UTF_8}`);
    }
  };
}

/** Validates and converts whole characters only; the bytes of an incomplete one wait for the next chunk. */
function utf8Decoder(): (bytes: Buffer, last: boolean) => string {
  let waiting = Buffer.alloc(0);
  return (bytes, last) => {
    const chunk = waiting.length > 0 ? Buffer.concat([waiting, bytes]) : bytes;
    const end = last ? chunk.length : endOfWholeLetters(chunk);
    const whole = chunk.subarray(0, end);
    waiting = Buffer.from(chunk.subarray(end));
    if (!isUtf8(whole)) throw notValid('UTF-8', whole, isUtf8);
    return whole.toString('utf8');
  };
}

/** Start of a last incomplete character; the length when all are complete. */
function endOfWholeLetters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const letterBytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < letterBytes ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function notValid(name: string, chunk: Buffer, isValid: (line: Buffer) => boolean): XmlEncodingError {
  let line = 1;
  let start = 0;
  for (let end = chunk.indexOf(10); end >= 0 && isValid(chunk.subarray(start, end)); end = chunk.indexOf(10, start)) {
    line++;
    start = end + 1;
  }
  return new XmlEncodingError(`The file is not valid ${name}. ${SAVE_AS_UTF_8}`, line);
}

/** Text passed to the parser at one time; larger chunks gain nothing. */
const CHUNK_BYTES = 64 * 1024;

/** The text of a whole file, chunk by chunk. Throws XmlEncodingError, with the line if known. */
export function* decodeXml(bytes: Uint8Array): Generator<string> {
  const decoder = new XmlDecoder();
  for (let start = 0; start < bytes.length || start === 0; start += CHUNK_BYTES) {
    const chunk = bytes.subarray(start, start + CHUNK_BYTES);
    const last = start + CHUNK_BYTES >= bytes.length;
    try {
      yield decoder.write(chunk) + (last ? decoder.end() : '');
    } catch (error) {
      if (!(error instanceof XmlEncodingError) || error.line === undefined) throw error;
      const linesBefore = bytes.subarray(0, start).reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0);
      throw new XmlEncodingError(error.message, linesBefore + error.line);
    }
  }
}
