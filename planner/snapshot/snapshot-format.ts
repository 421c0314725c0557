/**
 * The file that holds a snapshot: a header, a directory, then sections of numbers. Each section begins at a multiple of
 * 8 bytes, so that typed arrays can view the file's memory. All numbers are little endian. SectionWriter writes the file,
 * and Sections reads it.
 *
 *   0  magic "SAMFPLAN"      8  format number      12  bytes of the directory
 *  16  bytes of the file    24  SHA-256 over everything from byte 64 on
 *  64  directory: JSON [[name, kind, offset, length], …], then the sections
 */

/** Raise it whenever a section changes its name or meaning. Older files are then refused instead of misread. */
export const SNAPSHOT_FORMAT = 2;

export const SNAPSHOT_MAGIC = 'SAMFPLAN';
export const HEADER_BYTES = 64;
export const ALIGNMENT_BYTES = 8;

export const OFFSET_OF = { magic: 0, format: 8, directoryBytes: 12, fileBytes: 16, digest: 24 } as const;
export const DIGEST_BYTES = 32;

/** Array types of sections, by their names in the directory. */
export const SECTION_KINDS = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

export type SectionKind = keyof typeof SECTION_KINDS;
export type SectionArray =
  | Uint8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Name, kind, offset from the start of the file in bytes, length in elements. */
export type DirectoryEntry = readonly [string, SectionKind, number, number];

export function sectionKindOf(array: SectionArray): SectionKind {
  if (array instanceof Uint8Array) return 'uint8';
  if (array instanceof Uint16Array) return 'uint16';
  if (array instanceof Int16Array) return 'int16';
  if (array instanceof Uint32Array) return 'uint32';
  if (array instanceof Int32Array) return 'int32';
  return array instanceof Float32Array ? 'float32' : 'float64';
}

export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}
