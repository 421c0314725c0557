/**
 * Opens a snapshot file as typed arrays over its memory, without copies, so that all threads share one. It rejects an
 * incomplete file or another format with a SnapshotError. It reads header and directory alone; the caller must compare
 * the content with the SHA-256.
 */
import { SnapshotError } from './snapshot-error.ts';
import {
  ALIGNMENT_BYTES,
  DIGEST_BYTES,
  type DirectoryEntry,
  HEADER_BYTES,
  OFFSET_OF,
  SECTION_KINDS,
  type SectionArray,
  type SectionKind,
  SNAPSHOT_FORMAT,
  SNAPSHOT_MAGIC,
  sectionKindOf,
} from './snapshot-format.ts';

export type SnapshotBytes = ArrayBuffer | SharedArrayBuffer;

export type IntegerArray = Exclude<SectionArray, Float32Array | Float64Array>;
type ArrayOf<Kind extends SectionKind> = InstanceType<(typeof SECTION_KINDS)[Kind]>;

export class Sections {
  readonly snapshotId: string;
  readonly #arrays: ReadonlyMap<string, SectionArray>;

  /** SectionWriter uses it to read unwritten sections; all others open a file. */
  constructor(snapshotId: string, arrays: ReadonlyMap<string, SectionArray>) {
    this.snapshotId = snapshotId;
    this.#arrays = arrays;
  }

  static open(buffer: SnapshotBytes): Sections {
    const directoryBytes = checkedHeader(buffer);
    const digest = Buffer.from(buffer, OFFSET_OF.digest, DIGEST_BYTES).toString('hex');
    const arrays = new Map<string, SectionArray>();
    for (const [name, kind, offset, length] of readDirectory(buffer, directoryBytes)) {
      arrays.set(name, arrayOver(buffer, kind, offset, length));
    }
    return new Sections(digest, arrays);
  }

  get names(): readonly string[] {
    return [...this.#arrays.keys()];
  }

  has(name: string): boolean {
    return this.#arrays.has(name);
  }

  uint8(name: string): Uint8Array {
    return this.#array(name, 'uint8');
  }

  uint16(name: string): Uint16Array {
    return this.#array(name, 'uint16');
  }

  int16(name: string): Int16Array {
    return this.#array(name, 'int16');
  }

  uint32(name: string): Uint32Array {
    return this.#array(name, 'uint32');
  }

  int32(name: string): Int32Array {
    return this.#array(name, 'int32');
  }

  float32(name: string): Float32Array {
    return this.#array(name, 'float32');
  }

  float64(name: string): Float64Array {
    return this.#array(name, 'float64');
  }

  texts(name: string): readonly string[] {
    const bytes = this.uint8(name);
    const value = parsedJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    if (!Array.isArray(value) || !value.every((text) => typeof text === 'string')) {
      throw new SnapshotError('damaged', `snapshot section ${name} is no list of texts`);
    }
    return value;
  }

  /** A section of whole numbers, stored in any width. */
  integers(name: string): IntegerArray {
    const array = this.#section(name);
    if (array instanceof Float64Array || array instanceof Float32Array) {
      throw new SnapshotError('damaged', `snapshot section ${name} does not hold whole numbers`);
    }
    return array;
  }

  #array<Kind extends SectionKind>(name: string, kind: Kind): ArrayOf<Kind> {
    const array = this.#section(name);
    if (array instanceof SECTION_KINDS[kind]) return array as ArrayOf<Kind>;
    throw new SnapshotError('damaged', `snapshot section ${name} is ${sectionKindOf(array)}, not ${kind}`);
  }

  #section(name: string): SectionArray {
    const array = this.#arrays.get(name);
    if (array === undefined) throw new SnapshotError('damaged', `the snapshot has no section ${name}`);
    return array;
  }
}

function arrayOver(buffer: SnapshotBytes, kind: SectionKind, offset: number, length: number): SectionArray {
  const kinds: Record<SectionKind, new (buffer: SnapshotBytes, offset: number, length: number) => SectionArray> =
    SECTION_KINDS;
  return new kinds[kind](buffer, offset, length);
}

function checkedHeader(buffer: SnapshotBytes): number {
  if (buffer.byteLength < HEADER_BYTES) {
    throw new SnapshotError('truncated', `${buffer.byteLength} bytes are too few for a snapshot`);
  }
  const magic = Buffer.from(buffer, OFFSET_OF.magic, SNAPSHOT_MAGIC.length).toString('latin1');
  if (magic !== SNAPSHOT_MAGIC) throw new SnapshotError('foreign', 'the file is not a planner snapshot');
  const view = new DataView(buffer);
  const format = view.getUint32(OFFSET_OF.format, true);
  if (format !== SNAPSHOT_FORMAT) {
    throw new SnapshotError('otherFormat', `the snapshot has format ${format}; this program reads ${SNAPSHOT_FORMAT}`);
  }
  const fileBytes = Number(view.getBigUint64(OFFSET_OF.fileBytes, true));
  if (fileBytes !== buffer.byteLength) {
    throw new SnapshotError('truncated', `the snapshot should have ${fileBytes} bytes and has ${buffer.byteLength}`);
  }
  const directoryBytes = view.getUint32(OFFSET_OF.directoryBytes, true);
  if (HEADER_BYTES + directoryBytes > fileBytes) {
    throw new SnapshotError('damaged', 'the directory of the snapshot is longer than the file');
  }
  return directoryBytes;
}

function readDirectory(buffer: SnapshotBytes, directoryBytes: number): Iterable<DirectoryEntry> {
  const value = parsedJson(Buffer.from(buffer, HEADER_BYTES, directoryBytes).toString('utf8'));
  if (!Array.isArray(value)) throw new SnapshotError('damaged', 'the directory of the snapshot is no list');
  const entries = new Map<string, DirectoryEntry>();
  for (const item of value) {
    if (!isEntry(item, HEADER_BYTES + directoryBytes, buffer.byteLength) || entries.has(item[0])) {
      throw new SnapshotError('damaged', `the directory of the snapshot has a wrong entry: ${JSON.stringify(item)}`);
    }
    entries.set(item[0], item);
  }
  return entries.values();
}

function isEntry(item: unknown, firstOffset: number, fileBytes: number): item is DirectoryEntry {
  if (!Array.isArray(item) || item.length !== 4) return false;
  const [name, kind, offset, length] = item as unknown[];
  if (typeof name !== 'string' || typeof kind !== 'string' || !Object.hasOwn(SECTION_KINDS, kind)) return false;
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length)) return false;
  const [start, count] = [Number(offset), Number(length)];
  const elementBytes = SECTION_KINDS[kind as SectionKind].BYTES_PER_ELEMENT;
  return (
    start >= firstOffset && start % ALIGNMENT_BYTES === 0 && count >= 0 && start + count * elementBytes <= fileBytes
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SnapshotError('damaged', 'a list inside the snapshot cannot be read');
  }
}
