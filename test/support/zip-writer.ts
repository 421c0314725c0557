/**
 * Writes zip archives byte by byte and can falsify every field, for the hostile archives of the tests. A library writes
 * real archives (the demo data).
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The fields of an entry's header. Each can be overridden alone, in the local header and in the directory. */
export interface HeaderFields {
  flags: number;
  method: number;
  crc32: number;
  compressedBytes: number;
  bytes: number;
  name: Uint8Array;
  extra: Uint8Array;
}

export interface DirectoryFields extends HeaderFields {
  /** The upper byte is the system that packed: 3 is Unix. */
  versionMadeBy: number;
  disk: number;
  externalAttributes: number;
  offset: number;
  comment: Uint8Array;
}

export interface EntrySpec {
  readonly name: string | Uint8Array;
  readonly data?: string | Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  /** Replaces the packed form of `data`. */
  readonly packed?: Uint8Array;
  readonly local?: Partial<HeaderFields>;
  readonly directory?: Partial<DirectoryFields>;
  /** Bytes after the data; the correct descriptor by default with flag 8. */
  readonly after?: Uint8Array;
  /** Leaves the entry out of the directory. */
  readonly hidden?: boolean;
}

export interface EndFields {
  disk: number;
  directoryDisk: number;
  entriesHere: number;
  entries: number;
  directoryBytes: number;
  directoryOffset: number;
  commentBytes: number;
}

export interface ZipSpec {
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  readonly beforeEnd?: Uint8Array;
  readonly comment?: Uint8Array;
  readonly end?: Partial<EndFields>;
  /** Writes a zip64 end and its locator, with these values in place of the correct ones. */
  readonly end64?: Partial<EndFields & { recordBytes: number; recordOffset: number; disks: number }>;
}

export const FLAG_DESCRIPTOR = 8;
export const FLAG_UTF8 = 0x800;
const NONE = new Uint8Array(0);

/** Little-endian numbers as `[bytes, value]`, and raw bytes, one after the other. */
export function pack(...parts: ReadonlyArray<readonly [2 | 4 | 8, number] | Uint8Array>): Buffer {
  const size = parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : part[0]), 0);
  const packed = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) {
    if (part instanceof Uint8Array) packed.set(part, at);
    // A value that is too large for its field is cut, as a false header needs it.
    else if (part[0] === 2) packed.writeUInt16LE(part[1] & 0xffff, at);
    else if (part[0] === 4) packed.writeUInt32LE(Number(BigInt.asUintN(32, BigInt(part[1]))), at);
    else packed.writeBigUInt64LE(BigInt.asUintN(64, BigInt(part[1])), at);
    at += part instanceof Uint8Array ? part.length : part[0];
  }
  return packed;
}

export function extraField(id: number, data: Uint8Array): Buffer {
  return pack([2, id], [2, data.length], data);
}

export const deflate = (data: string | Uint8Array): Buffer => deflateRawSync(data, { level: constants.Z_BEST_SPEED });

/** Archives of thousands of entries repeat the same few texts. */
const deflated = new Map<string, Buffer>();
const LONGEST_KEPT = 100_000;

function packedForm({ packed, method = 8, data = '' }: EntrySpec): Uint8Array {
  if (packed) return packed;
  if (method !== 8) return Buffer.from(data as string);
  if (typeof data !== 'string' || data.length > LONGEST_KEPT) return deflate(data);
  const known = deflated.get(data) ?? deflate(data);
  deflated.set(data, known);
  return known;
}

export function writeZip(entries: readonly EntrySpec[], spec: ZipSpec = {}): Buffer {
  measured = NOTHING;
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = spec.before?.length ?? 0;
  for (const entry of entries) {
    const packed = packedForm(entry);
    const fields = correctFields(entry, packed, offset);
    const local = localPart(entry, packed, fields);
    locals.push(local);
    offset += local.length;
    if (!entry.hidden) directory.push(directoryHeader({ ...fields, ...entry.directory }));
  }
  const directoryBytes = Buffer.concat(directory);
  const end: EndFields = {
    disk: 0,
    directoryDisk: 0,
    entriesHere: directory.length,
    entries: directory.length,
    directoryBytes: directoryBytes.length,
    directoryOffset: offset,
    commentBytes: spec.comment?.length ?? 0,
  };
  const recordOffset = offset + directoryBytes.length + (spec.beforeEnd?.length ?? 0);
  return Buffer.concat([
    spec.before ?? NONE,
    ...locals,
    directoryBytes,
    spec.beforeEnd ?? NONE,
    spec.end64 ? end64(end, recordOffset, spec.end64) : NONE,
    endRecord({ ...end, ...spec.end }),
    spec.comment ?? NONE,
    spec.after ?? NONE,
  ]);
}

const NOTHING = { data: '' as string | Uint8Array, checksum: 0, bytes: 0 };
/** The data before in the same archive: a thousand entries may repeat it. */
let measured = NOTHING;

function measure(data: string | Uint8Array): typeof measured {
  if (data !== measured.data) measured = { data, checksum: crc32(data), bytes: Buffer.byteLength(data) };
  return measured;
}

function correctFields(entry: EntrySpec, packed: Uint8Array, offset: number): DirectoryFields {
  const { checksum, bytes } = measure(entry.data ?? '');
  return {
    flags: entry.flags ?? FLAG_UTF8,
    method: entry.method ?? 8,
    crc32: checksum,
    compressedBytes: packed.length,
    bytes,
    name: Buffer.from(entry.name as string),
    extra: NONE,
    versionMadeBy: 0x0314,
    disk: 0,
    externalAttributes: 0o100644 * 0x10000,
    offset,
    comment: NONE,
  };
}

function localPart(entry: EntrySpec, packed: Uint8Array, fields: DirectoryFields): Buffer {
  const streamed = (fields.flags & FLAG_DESCRIPTOR) !== 0;
  const unknown = streamed ? { crc32: 0, compressedBytes: 0, bytes: 0 } : {};
  const header = { ...fields, ...unknown, ...entry.local };
  const descriptor = streamed
    ? pack([4, 0x08074b50], [4, fields.crc32], [4, fields.compressedBytes], [4, fields.bytes])
    : NONE;
  return pack(
    [4, 0x04034b50],
    [2, 20],
    [2, header.flags],
    [2, header.method],
    [4, 0x58210000],
    [4, header.crc32],
    [4, header.compressedBytes],
    [4, header.bytes],
    [2, header.name.length],
    [2, header.extra.length],
    header.name,
    header.extra,
    packed,
    entry.after ?? descriptor,
  );
}

function directoryHeader(header: DirectoryFields): Buffer {
  return pack(
    [4, 0x02014b50],
    [2, header.versionMadeBy],
    [2, 20],
    [2, header.flags],
    [2, header.method],
    [4, 0x58210000],
    [4, header.crc32],
    [4, header.compressedBytes],
    [4, header.bytes],
    [2, header.name.length],
    [2, header.extra.length],
    [2, header.comment.length],
    [2, header.disk],
    [2, 0],
    [4, header.externalAttributes],
    [4, header.offset],
    header.name,
    header.extra,
    header.comment,
  );
}

/** `PK\5\6`; exported because some archives need a second one. */
export function endRecord(end: EndFields): Buffer {
  return pack(
    [4, 0x06054b50],
    [2, end.disk],
    [2, end.directoryDisk],
    [2, end.entriesHere],
    [2, end.entries],
    [4, end.directoryBytes],
    [4, end.directoryOffset],
    [2, end.commentBytes],
  );
}

function end64(end: EndFields, recordOffset: number, lies: NonNullable<ZipSpec['end64']>): Buffer {
  const header = { ...end, recordBytes: 44, recordOffset, disks: 1, ...lies };
  return pack(
    [4, 0x06064b50],
    [8, header.recordBytes],
    [2, 45],
    [2, 45],
    [4, header.disk],
    [4, header.directoryDisk],
    [8, header.entriesHere],
    [8, header.entries],
    [8, header.directoryBytes],
    [8, header.directoryOffset],
    pack([4, 0x07064b50], [4, 0], [8, header.recordOffset], [4, header.disks]),
  );
}
