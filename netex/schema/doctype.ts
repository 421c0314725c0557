/**
 * Finds a DOCTYPE before the root element without parsing it: it can define entities that exhaust the memory or read
 * files, and NeTEx needs none.
 *
 * Callers: SchemaSet, before any parser sees the bytes.
 */

export const DOCTYPE_MESSAGE = 'The file has a DOCTYPE, which is not allowed; remove it.';

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const PARTS: ReadonlyArray<readonly [start: string, end: string]> = [
  ['<?', '?>'],
  ['<!--', '-->'],
];

/**
 * Takes UTF-8 text. Returns the position of the `<!DOCTYPE`, both from 1; undefined without one before the root
 * element.
 */
export function findDoctype(utf8: Uint8Array): { line: number; column: number } | undefined {
  const bytes = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength);
  const startsWith = (text: string, offset: number): boolean =>
    bytes.toString('latin1', offset, offset + text.length) === text;
  let offset = startsWith('\xef\xbb\xbf', 0) ? 3 : 0;
  while (offset < bytes.length) {
    if (SPACE.has(bytes[offset] ?? 0)) {
      offset += 1;
      continue;
    }
    const part = PARTS.find(([start]) => startsWith(start, offset));
    if (part === undefined) break;
    const end = bytes.indexOf(part[1], offset + part[0].length);
    if (end < 0) return undefined;
    offset = end + part[1].length;
  }
  if (!startsWith('<!DOCTYPE', offset)) return undefined;
  const lines = bytes
    .subarray(0, offset)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
