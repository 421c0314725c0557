/**
 * Reads the central directory: one record per entry, each checked by itself (name, kind, encryption, method, sizes).
 *
 * Caller: archive.ts, which checks relations between entries (duplicates, overlaps, totals).
 */
import { setImmediate } from 'node:timers/promises';
import { ArchiveError, contradictory, damaged, MAKE_ANEW, shownName } from './archive-error.ts';
import { type DirectoryPlace, readUInt64 } from './end-record.ts';
import { checkEntryName, decodeEntryName } from './entry-name.ts';
import { parseExtraFields } from './extra-fields.ts';
import { type ArchiveLimits, shownBytes } from './limits.ts';
import { isNamedAsArchive } from './looks-like.ts';
import { type RangeReader, readExactly } from './range-reader.ts';

const STORED = 0;
export const DEFLATED = 8;
export const FLAG_ENCRYPTED = 0x0001;
export const FLAG_DESCRIPTOR = 0x0008;
export const FLAG_STRONG_ENCRYPTION = 0x0040;
export const FLAG_HEADERS_MASKED = 0x2000;
const ENCRYPTION_FLAGS = FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION | FLAG_HEADERS_MASKED;

/** The directory's record of one entry. */
export interface DirectoryRecord {
  readonly index: number;
  readonly name: string;
  readonly nameBytes: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  /** Offset of the local header. */
  readonly offset: number;
}

/** After so many, other work of the process runs: some milliseconds. */
const RECORDS_PER_TURN = 512;

const HEADER_SIGNATURE = 0x02014b50;
const HEADER_BYTES = 46;
const ZIP64 = 0x0001;
const UNICODE_PATH = 0x7075;
const UNSET_32 = 0xffffffff;
const UNSET_16 = 0xffff;
const METHOD_NAMES: Readonly<Record<number, string>> = {
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
  99: 'AES encryption',
};

export async function readDirectory(
  reader: RangeReader,
  place: DirectoryPlace,
  limits: ArchiveLimits,
): Promise<DirectoryRecord[]> {
  const bytes = await readExactly(reader, place.offset, place.sizeBytes);
  const records: DirectoryRecord[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (records.length % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await setImmediate();
    if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== HEADER_SIGNATURE) {
      throw damaged('The list of files in the zip cannot be read.');
    }
    const end =
      at + HEADER_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (end > bytes.length) throw damaged('The list of files in the zip is cut off.');
    if (records.length >= place.entries) break;
    records.push(readRecord(bytes.subarray(at, end), records.length, limits));
    at = end;
  }
  if (records.length !== place.entries || at !== bytes.length) {
    throw contradictory(`The zip says that it holds ${place.entries} files, but its list has another number.`);
  }
  return records;
}

function readRecord(bytes: Buffer, index: number, limits: ArchiveLimits): DirectoryRecord {
  const nameEnd = HEADER_BYTES + bytes.readUInt16LE(28);
  const nameBytes = bytes.subarray(HEADER_BYTES, nameEnd);
  const shown = shownName(nameBytes.toString('utf8'));
  const extra = parseExtraFields(bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(30)), shown);
  const name = decodeEntryName(nameBytes, extra.get(UNICODE_PATH));
  checkEntryName(name);
  checkFileType(bytes.readUInt32LE(38), shown);
  const record: DirectoryRecord = {
    index,
    name,
    nameBytes,
    flags: bytes.readUInt16LE(8),
    method: bytes.readUInt16LE(10),
    crc32: bytes.readUInt32LE(16),
    ...readSizes(bytes, extra.get(ZIP64), shown),
  };
  checkRecord(record, shown, limits);
  return record;
}

/** Reads the 32-bit fields. An unset one has a 64-bit value in the zip64 field, which lists them in this order. */
function readSizes(
  bytes: Buffer,
  zip64: Buffer | undefined,
  shown: string,
): Pick<DirectoryRecord, 'bytes' | 'compressedBytes' | 'offset'> {
  let used = 0;
  const field = (plain: number, unset: number, width: 8 | 4): number => {
    if (plain !== unset || !zip64) return plain;
    if (used + width > zip64.length) throw damaged(`The zip64 sizes of "${shown}" are cut off.`, shown);
    used += width;
    return width === 8 ? readUInt64(zip64, used - 8) : zip64.readUInt32LE(used - 4);
  };
  const unpacked = field(bytes.readUInt32LE(24), UNSET_32, 8);
  const compressedBytes = field(bytes.readUInt32LE(20), UNSET_32, 8);
  const offset = field(bytes.readUInt32LE(42), UNSET_32, 8);
  const disk = field(bytes.readUInt16LE(34), UNSET_16, 4);
  if (disk !== 0) {
    throw new ArchiveError('ARCHIVE_SPLIT', `"${shown}" lies in another part of the archive. ${MAKE_ANEW}`, shown);
  }
  if (zip64 && used === 0 && zip64.length >= 16) {
    const same = readUInt64(zip64, 0) === unpacked && readUInt64(zip64, 8) === compressedBytes;
    if (!same) throw contradictory(`"${shown}" has two different sizes in the list of files.`, shown);
  }
  return { bytes: unpacked, compressedBytes, offset };
}

/** Unix file types are in the upper half of the external attributes; 0 when the packing program gave none. */
function checkFileType(externalAttributes: number, shown: string): void {
  const type = (externalAttributes >>> 28) & 0xf;
  const isFolder = type === 0x4 || (type === 0 && (externalAttributes & 0x10) !== 0);
  if (isFolder) {
    throw new ArchiveError(
      'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
      `"${shown}" is a folder. Put all files at the top level of the zip and send it again.`,
      shown,
    );
  }
  if (type === 0 || type === 0x8) return;
  throw new ArchiveError(
    'ARCHIVE_SPECIAL_FILE',
    `"${shown}" is ${type === 0xa ? 'a link' : 'a device or a pipe'} and not a file. Pack the file itself and send the zip again.`,
    shown,
  );
}

function checkRecord(record: DirectoryRecord, shown: string, limits: ArchiveLimits): void {
  if ((record.flags & ENCRYPTION_FLAGS) !== 0) {
    throw new ArchiveError('ARCHIVE_ENCRYPTED', `"${shown}" is encrypted. Pack the files without a password.`, shown);
  }
  if (record.method !== STORED && record.method !== DEFLATED) {
    const method = METHOD_NAMES[record.method] ?? `method ${record.method}`;
    throw new ArchiveError(
      'ARCHIVE_METHOD_UNSUPPORTED',
      `"${shown}" is packed with ${method}. Pack the files with the usual method of zip (Deflate).`,
      shown,
    );
  }
  if (isNamedAsArchive(record.name)) {
    throw new ArchiveError(
      'ARCHIVE_NESTED',
      `"${shown}" is an archive within the archive. Put the files themselves in the zip.`,
      shown,
    );
  }
  if (record.method === STORED && record.compressedBytes !== record.bytes) {
    throw contradictory(`"${shown}" is stored as it is, yet has two different sizes.`, shown);
  }
  if (record.bytes > limits.maxEntryBytes) {
    throw new ArchiveError(
      'ARCHIVE_TOO_LARGE',
      `"${shown}" has ${shownBytes(record.bytes)} unpacked; at most ${shownBytes(limits.maxEntryBytes)} are accepted. Divide it into several files.`,
      shown,
    );
  }
  if (record.bytes > limits.ratioFloorBytes && record.bytes > record.compressedBytes * limits.maxRatio) {
    throw new ArchiveError(
      'ARCHIVE_RATIO',
      `"${shown}" unpacks to more than ${limits.maxRatio} times its packed size, which timetables never do. Check its content.`,
      shown,
    );
  }
}
