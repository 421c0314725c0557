/**
 * Checks the header before an entry's data, and the descriptor after it, against the directory. Programs that read from
 * the front use these, so they must agree.
 *
 * Callers: entry-data.ts before reading an entry, local-headers.ts for all of them.
 */
import type { Archive } from './archive.ts';
import { ArchiveError, contradictory, damaged, foreignBytes, MAKE_ANEW, shownName } from './archive-error.ts';
import {
  type DirectoryRecord,
  FLAG_DESCRIPTOR,
  FLAG_ENCRYPTED,
  FLAG_HEADERS_MASKED,
  FLAG_STRONG_ENCRYPTION,
} from './directory.ts';
import { readUInt64 } from './end-record.ts';
import { parseExtraFields } from './extra-fields.ts';
import { type RangeReader, readExactly } from './range-reader.ts';

export const LOCAL_HEADER_BYTES = 30;
export const MAX_DESCRIPTOR_BYTES = 24;
const HEADER_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const ZIP64 = 0x0001;
const UNSET_32 = 0xffffffff;
const FLAGS_THAT_MATTER = FLAG_DESCRIPTOR | FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION | FLAG_HEADERS_MASKED;

/** Offset of the entry's packed data. Throws ArchiveError when header and directory differ. */
export async function checkLocalHeader(
  archive: Archive,
  record: DirectoryRecord,
  reader: RangeReader = archive.reader,
): Promise<number> {
  const shown = shownName(record.name);
  const nameEnd = record.offset + LOCAL_HEADER_BYTES + record.nameBytes.length;
  const header = await readExactly(reader, record.offset, LOCAL_HEADER_BYTES + record.nameBytes.length);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE) {
    throw damaged(`"${shown}" is not where the list of files says.`, shown);
  }
  const extraBytes = header.readUInt16LE(28);
  const dataOffset = nameEnd + extraBytes;
  if (dataOffset + record.compressedBytes > archive.directoryOffset) {
    throw new ArchiveError('ARCHIVE_OVERLAPPING', `"${shown}" reaches into the list of files. ${MAKE_ANEW}`, shown);
  }
  const extra = parseExtraFields(await readExactly(reader, nameEnd, extraBytes), shown);
  const difference = findDifference(header, extra.get(ZIP64), record);
  if (difference) {
    throw contradictory(`The ${difference} of "${shown}" before its data differs from the list of files.`, shown);
  }
  return dataOffset;
}

function findDifference(header: Buffer, zip64: Buffer | undefined, record: DirectoryRecord): string | undefined {
  if (header.readUInt16LE(26) !== record.nameBytes.length) return 'name';
  if (!header.subarray(LOCAL_HEADER_BYTES).equals(record.nameBytes)) return 'name';
  if (header.readUInt16LE(8) !== record.method) return 'packing method';
  if (((header.readUInt16LE(6) ^ record.flags) & FLAGS_THAT_MATTER) !== 0) return 'set of flags';
  const streamed = (record.flags & FLAG_DESCRIPTOR) !== 0;
  const fits = (said: number, expected: number): boolean => said === expected || (streamed && said === 0);
  const size = (at: number, largeAt: number): number => {
    const said = header.readUInt32LE(at);
    return said === UNSET_32 && zip64 && zip64.length >= largeAt + 8 ? readUInt64(zip64, largeAt) : said;
  };
  if (!fits(header.readUInt32LE(14), record.crc32)) return 'checksum';
  if (!fits(size(22, 0), record.bytes)) return 'size';
  // The packed size is the second of the zip64 sizes, or the only one without the other.
  if (!fits(size(18, header.readUInt32LE(22) === UNSET_32 ? 8 : 0), record.compressedBytes)) return 'packed size';
  return undefined;
}

/**
 * Checks the bytes between an entry's data and the next record. There must be none, or a descriptor that repeats
 * checksum and sizes (with or without signature, sizes of 4 or 8 bytes).
 */
export async function checkWhatFollows(
  reader: RangeReader,
  record: DirectoryRecord,
  dataEnd: number,
  nextOffset: number,
): Promise<void> {
  const shown = shownName(record.name);
  const gap = nextOffset - dataEnd;
  if (gap < 0) {
    throw new ArchiveError('ARCHIVE_OVERLAPPING', `"${shown}" shares its bytes with another file. ${MAKE_ANEW}`, shown);
  }
  const streamed = (record.flags & FLAG_DESCRIPTOR) !== 0;
  if (!streamed && gap === 0) return;
  if (!streamed || gap > MAX_DESCRIPTOR_BYTES) {
    throw foreignBytes(`${gap} bytes that the list of files does not name follow "${shown}".`, shown);
  }
  if (!matchesDescriptor(await readExactly(reader, dataEnd, gap), record)) {
    throw contradictory(`The sizes or the checksum after the data of "${shown}" differ from the list of files.`, shown);
  }
}

function matchesDescriptor(bytes: Buffer, record: DirectoryRecord): boolean {
  const signed = bytes.length === 16 || bytes.length === 24;
  if (!signed && bytes.length !== 12 && bytes.length !== 20) return false;
  if (signed && bytes.readUInt32LE(0) !== DESCRIPTOR_SIGNATURE) return false;
  const fields = signed ? bytes.subarray(4) : bytes;
  const [packed, unpacked] =
    fields.length === 20
      ? [readUInt64(fields, 4), readUInt64(fields, 12)]
      : [fields.readUInt32LE(4), fields.readUInt32LE(8)];
  return fields.readUInt32LE(0) === record.crc32 && packed === record.compressedBytes && unpacked === record.bytes;
}
