/**
 * The ids of one file as the rules over the dataset need them: hashes to find duplicates with, and, apart and packed,
 * the ids' text and place, unpacked only for the few files that have something to report.
 *
 * Layout, little endian: count; low and high halves of `count` hashes; then blocks of (bytes, deflated lines of
 * `id TAB line TAB column`), 20,000 ids a block. Ids stand in the order of the file.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { keptText } from '../xml/kept-text.ts';

const IDS_PER_BLOCK = 20_000;
const LONGEST_SHOWN = 300;

export interface PlacedId {
  readonly id: string;
  readonly line: number;
  readonly column: number;
}

export class IdentifiersBuilder {
  #hashes = new Uint32Array(2048);
  #count = 0;
  #lines: string[] = [];
  readonly #blocks: Uint8Array[] = [];

  add(id: string, high: number, low: number, line: number, column: number): void {
    const at = this.#count * 2;
    if (at === this.#hashes.length) {
      const larger = new Uint32Array(this.#hashes.length * 2);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[at] = low;
    this.#hashes[at + 1] = high;
    this.#count++;
    this.#lines.push(`${printable(keptText(id))}\t${line}\t${column}`);
    if (this.#lines.length === IDS_PER_BLOCK) this.#closeBlock();
  }

  build(): Uint8Array {
    if (this.#lines.length > 0) this.#closeBlock();
    const header = 4 + this.#count * 8;
    const packed = this.#blocks.reduce((sum, block) => sum + 4 + block.length, 0);
    const bytes = new Uint8Array(header + packed);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, this.#count, true);
    bytes.set(new Uint8Array(this.#hashes.buffer, 0, this.#count * 8), 4);
    let at = header;
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

/** Without what separates the lines, and not longer than any honest id. */
function printable(id: string): string {
  const shown = id.length > LONGEST_SHOWN ? id.slice(0, LONGEST_SHOWN) : id;
  return /[\t\n]/.test(shown) ? shown.replace(/[\t\n]/g, ' ') : shown;
}

export function countIdentifiers(identifiers: Uint8Array): number {
  return identifiers.length === 0 ? 0 : viewOf(identifiers).getUint32(0, true);
}

/** Pairs of low and high, in the order of the file. */
export function readIdentifierHashes(identifiers: Uint8Array): Uint32Array {
  const count = countIdentifiers(identifiers);
  return new Uint32Array(identifiers.slice(4, 4 + count * 8).buffer);
}

/** Text and place of the ids with the given numbers, which must ascend. */
export function readIdentifiers(identifiers: Uint8Array, numbers: readonly number[]): PlacedId[] {
  const view = viewOf(identifiers);
  const found: PlacedId[] = [];
  let at = 4 + countIdentifiers(identifiers) * 8;
  let next = 0;
  for (let first = 0; next < numbers.length; first += IDS_PER_BLOCK) {
    const packedBytes = view.getUint32(at, true);
    if ((numbers[next] as number) < first + IDS_PER_BLOCK) {
      const text = inflateRawSync(identifiers.subarray(at + 4, at + 4 + packedBytes)).toString();
      const lines = text.split('\n');
      for (; next < numbers.length && (numbers[next] as number) < first + IDS_PER_BLOCK; next++) {
        const [id = '', line, column] = (lines[(numbers[next] as number) - first] ?? '').split('\t');
        found.push({ id, line: Number(line), column: Number(column) });
      }
    }
    at += 4 + packedBytes;
  }
  return found;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
