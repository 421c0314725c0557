/**
 * Finds the directory of a zip: the end-of-central-directory record and its zip64 form.
 *
 * Caller: directory.ts. An archive must never be readable in two ways here, so contradictions are refused.
 */
import { ArchiveError, contradictory, damaged, foreignBytes, MAKE_ANEW } from './archive-error.ts';
import { looksLike } from './looks-like.ts';
import { type RangeReader, readExactly } from './range-reader.ts';

export interface DirectoryPlace {
  readonly entries: number;
  readonly offset: number;
  readonly sizeBytes: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
const MAX_COMMENT_BYTES = 0xffff;
const UNSET_16 = 0xffff;
const UNSET_32 = 0xffffffff;

/** A 64-bit number. Beyond 2^53 it is inexact, but then it is far outside any archive and refused anyway. */
export function readUInt64(bytes: Buffer, offset: number): number {
  return Number(bytes.readBigUInt64LE(offset));
}

interface Tail {
  /** Position of `bytes` in the archive. */
  readonly start: number;
  readonly bytes: Buffer;
}

export async function findDirectory(reader: RangeReader): Promise<DirectoryPlace> {
  if (reader.sizeBytes === 0) {
    throw new ArchiveError('ERROR_FILE_NOT_A_ZIP_FILE', 'The file is empty (0 bytes). Send a zip with NeTEx files.');
  }
  const length = Math.min(reader.sizeBytes, LOCATOR_BYTES + END_BYTES + MAX_COMMENT_BYTES);
  const start = reader.sizeBytes - length;
  const tail: Tail = { start, bytes: await readExactly(reader, start, length) };
  const end = await locateEnd(reader, tail);
  const place = await readEnd(reader, tail, end);
  const directoryEnd = place.offset + place.sizeBytes;
  if (directoryEnd > place.endsAt) {
    throw damaged('The list of files in the zip is said to lie where it cannot: the archive is damaged or cut off.');
  }
  if (directoryEnd < place.endsAt) {
    const strange = place.endsAt - directoryEnd;
    throw foreignBytes(
      `The archive holds ${strange} bytes, before its files or after their list, that belong to none.`,
    );
  }
  return place;
}

/** Offset of the end record within the tail. Exactly one record, with its comment, may end where the archive ends. */
async function locateEnd(reader: RangeReader, { bytes }: Tail): Promise<number> {
  const fitting: number[] = [];
  let tooLong = false;
  let tooShort = false;
  for (let at = bytes.length - END_BYTES; at >= 0; at--) {
    if (bytes[at] !== 0x50 || bytes.readUInt32LE(at) !== END_SIGNATURE) continue;
    const difference = at + END_BYTES + bytes.readUInt16LE(at + 20) - bytes.length;
    if (difference === 0) fitting.push(at);
    else if (difference > 0) tooLong = true;
    else tooShort = true;
  }
  const [end, second] = fitting;
  if (second !== undefined)
    throw contradictory('The archive ends in more than one way: its comment holds another end.');
  if (end !== undefined) return end;
  if (tooShort) throw foreignBytes('Bytes that belong to no file follow the end of the archive.');
  const head = await readExactly(reader, 0, Math.min(reader.sizeBytes, 512));
  const isZip = head.length >= 4 && head.readUInt32LE(0) === 0x04034b50;
  if (isZip || tooLong) throw damaged('The end of the archive is missing: it was probably cut off on the way.');
  const likeness = looksLike(head);
  throw new ArchiveError(
    'ERROR_FILE_NOT_A_ZIP_FILE',
    `The file is not a zip${likeness ? `: it looks like ${likeness}` : ''}. Send the NeTEx files packed in one zip.`,
  );
}

interface EndFields extends DirectoryPlace {
  readonly disk: number;
  readonly directoryDisk: number;
  readonly entriesHere: number;
}

/** The directory's place, and the start of the record that points to it. */
async function readEnd(reader: RangeReader, tail: Tail, at: number): Promise<DirectoryPlace & { endsAt: number }> {
  const { bytes, start } = tail;
  const plain: EndFields = {
    disk: bytes.readUInt16LE(at + 4),
    directoryDisk: bytes.readUInt16LE(at + 6),
    entriesHere: bytes.readUInt16LE(at + 8),
    entries: bytes.readUInt16LE(at + 10),
    sizeBytes: bytes.readUInt32LE(at + 12),
    offset: bytes.readUInt32LE(at + 16),
  };
  const locatorAt = at - LOCATOR_BYTES;
  const hasLocator = locatorAt >= 0 && bytes.readUInt32LE(locatorAt) === LOCATOR_SIGNATURE;
  if (!hasLocator) {
    refuseSplit(plain, 1);
    return { ...plain, endsAt: start + at };
  }
  const endsAt = readUInt64(bytes, locatorAt + 8);
  const large = await readLargeEnd(reader, endsAt, start + locatorAt);
  refuseSplit(large, bytes.readUInt32LE(locatorAt + 16));
  const agrees =
    [plain.entries, plain.entriesHere].every((value) => value === UNSET_16 || value === large.entries) &&
    [plain.disk, plain.directoryDisk].every((value) => value === UNSET_16 || value === 0) &&
    (plain.sizeBytes === UNSET_32 || plain.sizeBytes === large.sizeBytes) &&
    (plain.offset === UNSET_32 || plain.offset === large.offset);
  if (!agrees) throw contradictory('The two ends of the archive (zip and zip64) say different things about its files.');
  return { ...large, endsAt };
}

async function readLargeEnd(reader: RangeReader, at: number, locatorAt: number): Promise<EndFields> {
  const misplaced = 'The zip64 end of the archive is not where it is said to be.';
  if (at + END64_BYTES > locatorAt) throw damaged(misplaced);
  const bytes = await readExactly(reader, at, END64_BYTES);
  if (bytes.readUInt32LE(0) !== END64_SIGNATURE) throw damaged(misplaced);
  if (at + 12 + readUInt64(bytes, 4) !== locatorAt) throw contradictory('The zip64 end has another size than it says.');
  return {
    disk: bytes.readUInt32LE(16),
    directoryDisk: bytes.readUInt32LE(20),
    entriesHere: readUInt64(bytes, 24),
    entries: readUInt64(bytes, 32),
    sizeBytes: readUInt64(bytes, 40),
    offset: readUInt64(bytes, 48),
  };
}

function refuseSplit(end: EndFields, disks: number): void {
  if (end.disk === 0 && end.directoryDisk === 0 && end.entriesHere === end.entries && disks <= 1) return;
  throw new ArchiveError(
    'ARCHIVE_SPLIT',
    `The archive is one part of several. Pack all files in one part. ${MAKE_ANEW}`,
  );
}
