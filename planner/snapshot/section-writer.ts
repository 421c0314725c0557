/**
 * Collects sections and makes the snapshot file of them. `finish` copies each section once. The order of `add` is the
 * order in the file, so the same calls give the same bytes.
 */
import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { Sections } from './sections.ts';
import {
  aligned,
  type DirectoryEntry,
  HEADER_BYTES,
  OFFSET_OF,
  SECTION_KINDS,
  type SectionArray,
  SNAPSHOT_FORMAT,
  SNAPSHOT_MAGIC,
  sectionKindOf,
} from './snapshot-format.ts';

export interface WrittenSnapshot {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly snapshotId: string;
}

export class SectionWriter {
  readonly #sections = new Map<string, SectionArray>();

  /** The array must not change before `finish`. */
  add(name: string, array: SectionArray): void {
    if (this.#sections.has(name)) throw new Error(`snapshot section ${name} is written twice`);
    this.#sections.set(name, array);
  }

  /** For few texts, such as names of zones or submodes: keeps them as a list. Many texts belong in a text table. */
  addTexts(name: string, texts: readonly string[]): void {
    this.add(name, new TextEncoder().encode(JSON.stringify(texts)));
  }

  /** The sections added so far, in a reader's form, as input of derived sections. */
  written(): Sections {
    return new Sections('', this.#sections);
  }

  finish(): WrittenSnapshot {
    if (endianness() !== 'LE') throw new Error('snapshots are written on little-endian machines only');
    const directoryBytes = aligned(this.#directory(0).length + 16 * this.#sections.size);
    const directory = this.#directory(HEADER_BYTES + directoryBytes);
    const last = HEADER_BYTES + directoryBytes + this.#contentBytes();
    const bytes = new Uint8Array(last);
    bytes.fill(0x20, HEADER_BYTES, HEADER_BYTES + directoryBytes);
    bytes.set(directory, HEADER_BYTES);
    let offset = HEADER_BYTES + directoryBytes;
    for (const array of this.#sections.values()) {
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
      offset += aligned(array.byteLength);
    }
    return { bytes, snapshotId: writeHeader(bytes, directoryBytes) };
  }

  #contentBytes(): number {
    let total = 0;
    for (const array of this.#sections.values()) total += aligned(array.byteLength);
    return total;
  }

  #directory(firstOffset: number): Uint8Array {
    const entries: DirectoryEntry[] = [];
    let offset = firstOffset;
    for (const [name, array] of this.#sections) {
      const kind = sectionKindOf(array);
      entries.push([name, kind, offset, array.byteLength / SECTION_KINDS[kind].BYTES_PER_ELEMENT]);
      offset += aligned(array.byteLength);
    }
    return new TextEncoder().encode(JSON.stringify(entries));
  }
}

function writeHeader(bytes: Uint8Array, directoryBytes: number): string {
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(SNAPSHOT_MAGIC), OFFSET_OF.magic);
  view.setUint32(OFFSET_OF.format, SNAPSHOT_FORMAT, true);
  view.setUint32(OFFSET_OF.directoryBytes, directoryBytes, true);
  view.setBigUint64(OFFSET_OF.fileBytes, BigInt(bytes.byteLength), true);
  const digest = createHash('sha256').update(bytes.subarray(HEADER_BYTES)).digest();
  bytes.set(digest, OFFSET_OF.digest);
  return digest.toString('hex');
}
