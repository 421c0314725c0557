/**
 * The ids of one file for the rules over the dataset: hashes to find duplicates, and separately, packed, each id's
 * text and place. These are unpacked only for the few files with something to report.
 *
 * Layout, little endian: count; low and high halves of `count` hashes; then packed lines of id, line and column. Ids
 * are in the order of the file.
 */
import { keptText } from '../xml/kept-text.ts';
import { PackedLinesBuilder, printable, readPackedLines } from './packed-lines.ts';

export interface PlacedId {
  readonly id: string;
  readonly line: number;
  readonly column: number;
}

export class IdentifiersBuilder {
  #hashes = new Uint32Array(2048);
  #count = 0;
  readonly #texts = new PackedLinesBuilder();

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
    this.#texts.add(`${printable(keptText(id))}\t${line}\t${column}`);
  }

  build(): Uint8Array {
    const header = 4 + this.#count * 8;
    const texts = this.#texts.build();
    const bytes = new Uint8Array(header + texts.length);
    new DataView(bytes.buffer).setUint32(0, this.#count, true);
    bytes.set(new Uint8Array(this.#hashes.buffer, 0, this.#count * 8), 4);
    bytes.set(texts, header);
    return bytes;
  }
}

export function countIdentifiers(identifiers: Uint8Array): number {
  if (identifiers.length === 0) return 0;
  return new DataView(identifiers.buffer, identifiers.byteOffset, identifiers.byteLength).getUint32(0, true);
}

/** Pairs of low and high, in the order of the file. */
export function readIdentifierHashes(identifiers: Uint8Array): Uint32Array {
  const count = countIdentifiers(identifiers);
  return new Uint32Array(identifiers.slice(4, 4 + count * 8).buffer);
}

/** Text and place of the ids with the given numbers, which must be ascending. */
export function readIdentifiers(identifiers: Uint8Array, numbers: readonly number[]): PlacedId[] {
  const texts = identifiers.subarray(4 + countIdentifiers(identifiers) * 8);
  return readPackedLines(texts, numbers).map(([id = '', line, column]) => ({
    id,
    line: Number(line),
    column: Number(column),
  }));
}
