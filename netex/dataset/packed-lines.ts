/**
 * Packs texts of which only a few are ever read: one line each, deflated in blocks. A line is found by its number,
 * and only its block is unpacked.
 *
 * Callers: the ids of a file, the lines and interchanges of a timetable extract.
 *
 * Layout, little endian: blocks of (bytes, deflated lines), 20,000 lines a block, fields separated by tabs.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

const LINES_PER_BLOCK = 20_000;
const LONGEST_FIELD = 300;

export class PackedLinesBuilder {
  #lines: string[] = [];
  readonly #blocks: Uint8Array[] = [];

  /** Fields from the file need `printable` first. */
  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length === LINES_PER_BLOCK) this.#closeBlock();
  }

  build(): Uint8Array {
    if (this.#lines.length > 0) this.#closeBlock();
    const bytes = new Uint8Array(this.#blocks.reduce((sum, block) => sum + 4 + block.length, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const block of this.#blocks) {
      view.setUint32(at, block.length, true);
      bytes.set(block, at + 4);
      at += 4 + block.length;
    }
    return bytes;
  }

  #closeBlock(): void {
    const text = Buffer.from(this.#lines.join('\n'));
    this.#blocks.push(deflateRawSync(text, { level: constants.Z_BEST_SPEED }));
    this.#lines = [];
  }
}

/** Removes separators of fields and lines, and cuts a text longer than real ids or names. */
export function printable(text: string): string {
  const shown = text.length > LONGEST_FIELD ? text.slice(0, LONGEST_FIELD) : text;
  return /[\t\n]/.test(shown) ? shown.replace(/[\t\n]/g, ' ') : shown;
}

/** Fields of the lines with the given numbers, which must be ascending. */
export function readPackedLines(packed: Uint8Array, numbers: readonly number[]): string[][] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const found: string[][] = [];
  let at = 0;
  let next = 0;
  for (let first = 0; next < numbers.length; first += LINES_PER_BLOCK) {
    const packedBytes = view.getUint32(at, true);
    if ((numbers[next] as number) < first + LINES_PER_BLOCK) {
      const text = inflateRawSync(packed.subarray(at + 4, at + 4 + packedBytes)).toString();
      const lines = text.split('\n');
      for (; next < numbers.length && (numbers[next] as number) < first + LINES_PER_BLOCK; next++) {
        found.push((lines[(numbers[next] as number) - first] ?? '').split('\t'));
      }
    }
    at += 4 + packedBytes;
  }
  return found;
}
