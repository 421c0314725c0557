/** Archives whose ends, directory or extents are wrong. */
import type { HostileArchive } from '../hostile-archives.ts';
import { LINE_FILE, STOPS_FILE } from '../netex-samples.ts';
import { deflate, endRecord, extraField, pack, writeZip } from '../zip-writer.ts';

const LINE = { name: 'TST_line_1.xml', data: LINE_FILE };
const SECOND = { name: 'TST_line_2.xml', data: STOPS_FILE };
const good = (): Buffer => writeZip([LINE, SECOND]);
/** Lengths of the parts of a one-entry archive. */
const LOCAL_BYTES = 30 + LINE.name.length;
const DATA_BYTES = deflate(LINE_FILE).length;
const one = (): Buffer => writeZip([LINE]);
const text = (value: string): Buffer => Buffer.from(value);

export const structureArchives: readonly HostileArchive[] = [
  { name: 'empty file', bytes: () => text(''), expectedCode: 'ERROR_FILE_NOT_A_ZIP_FILE' },
  { name: 'one byte', bytes: () => text('P'), expectedCode: 'ERROR_FILE_NOT_A_ZIP_FILE' },
  { name: 'plain text', bytes: () => text('stop_id,stop_name\n'), expectedCode: 'ERROR_FILE_NOT_A_ZIP_FILE' },
  { name: 'bare NeTEx file', bytes: () => text(LINE_FILE), expectedCode: 'ERROR_FILE_NOT_A_ZIP_FILE' },
  { name: 'gzip', bytes: () => pack([4, 0x00088b1f], new Uint8Array(40)), expectedCode: 'ERROR_FILE_NOT_A_ZIP_FILE' },
  { name: 'zeros', bytes: () => new Uint8Array(100_000), expectedCode: 'ERROR_FILE_NOT_A_ZIP_FILE' },
  { name: 'archive of no files', bytes: () => writeZip([]), expectedCode: 'ERROR_VALIDATION_NO_DATA' },
  { name: 'cut in a local header', bytes: () => one().subarray(0, 20), expectedCode: 'ARCHIVE_DAMAGED' },
  { name: 'cut in the data', bytes: () => one().subarray(0, LOCAL_BYTES + 100), expectedCode: 'ARCHIVE_DAMAGED' },
  {
    name: 'cut in the directory',
    bytes: () => one().subarray(0, LOCAL_BYTES + DATA_BYTES + 30),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  { name: 'cut in the end', bytes: () => one().subarray(0, -5), expectedCode: 'ARCHIVE_DAMAGED' },
  {
    name: 'cut in the comment',
    bytes: () => writeZip([LINE], { comment: text('weekly export') }).subarray(0, -3),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  { name: 'front missing', bytes: () => good().subarray(10), expectedCode: 'ARCHIVE_DAMAGED' },
  {
    name: 'comment that holds another archive end',
    bytes: () =>
      writeZip([LINE], {
        comment: endRecord({
          disk: 0,
          directoryDisk: 0,
          entriesHere: 1,
          entries: 1,
          directoryBytes: 60,
          directoryOffset: 0,
          commentBytes: 0,
        }),
      }),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'bytes before the first file',
    bytes: () => writeZip([LINE], { before: text('#!/bin/sh\n') }),
    expectedCode: 'ARCHIVE_FOREIGN_BYTES',
  },
  {
    name: 'bytes before the first file, offsets not moved',
    bytes: () => Buffer.concat([text('#!/bin/sh\n'), good()]),
    expectedCode: 'ARCHIVE_FOREIGN_BYTES',
  },
  {
    name: 'bytes after the end',
    bytes: () => writeZip([LINE], { after: text('tail') }),
    expectedCode: 'ARCHIVE_FOREIGN_BYTES',
  },
  {
    name: 'bytes between directory and end',
    bytes: () => writeZip([LINE], { beforeEnd: text('signature') }),
    expectedCode: 'ARCHIVE_FOREIGN_BYTES',
  },
  {
    name: 'file that the directory does not name',
    bytes: () => writeZip([LINE, { ...SECOND, hidden: true }]),
    expectedCode: 'ARCHIVE_FOREIGN_BYTES',
  },
  {
    name: 'bytes between two files',
    bytes: () => writeZip([{ ...LINE, after: text('gap') }, SECOND]),
    expectedCode: 'ARCHIVE_FOREIGN_BYTES',
  },
  {
    name: 'two entries of one data',
    bytes: () => writeZip([LINE, { ...SECOND, directory: { offset: 0 } }]),
    expectedCode: 'ARCHIVE_OVERLAPPING',
  },
  { name: 'bomb of overlapping files', bytes: overlappingBomb, expectedCode: 'ARCHIVE_OVERLAPPING' },
  {
    name: 'data that reaches into the next file',
    bytes: () =>
      writeZip([
        { ...LINE, directory: { compressedBytes: DATA_BYTES + 50 }, local: { compressedBytes: DATA_BYTES + 50 } },
        SECOND,
      ]),
    expectedCode: 'ARCHIVE_OVERLAPPING',
  },
  {
    name: 'data that reaches beyond the archive',
    bytes: () => writeZip([{ ...LINE, directory: { compressedBytes: 1_000_000 } }]),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'file beyond the archive',
    bytes: () => writeZip([{ ...LINE, directory: { offset: 0x7ffffff0 } }]),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'file at a negative offset (zip64)',
    bytes: () => writeZip([{ ...LINE, directory: { offset: 0xffffffff, extra: extraField(1, pack([8, -1])) } }]),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'directory beyond the archive',
    bytes: () => writeZip([LINE], { end: { directoryOffset: 0xfffffffe } }),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'directory that is no directory',
    bytes: () => writeZip([LINE], { end: { directoryOffset: 0, directoryBytes: LOCAL_BYTES + DATA_BYTES + 60 } }),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'fewer files counted than listed',
    bytes: () => writeZip([LINE, SECOND], { end: { entries: 1, entriesHere: 1 } }),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'more files counted than listed',
    bytes: () => writeZip([LINE], { end: { entries: 9, entriesHere: 9 } }),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'one part of several',
    bytes: () => writeZip([LINE], { end: { disk: 2, directoryDisk: 1 } }),
    expectedCode: 'ARCHIVE_SPLIT',
  },
  {
    name: 'file on another part',
    bytes: () => writeZip([{ ...LINE, directory: { disk: 3 } }]),
    expectedCode: 'ARCHIVE_SPLIT',
  },
  {
    name: 'zip64 end that differs from the plain one',
    bytes: () => writeZip([LINE], { end64: { entries: 2, entriesHere: 2 } }),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'zip64 end that is elsewhere',
    bytes: () => writeZip([LINE], { end64: { recordOffset: 4 } }),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'zip64 end at an offset of 2^63',
    bytes: () => writeZip([LINE], { end64: { recordOffset: 2 ** 63 } }),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'zip64 end of another size',
    bytes: () => writeZip([LINE], { end64: { recordBytes: 5000 } }),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'zip64 archive in two parts',
    bytes: () => writeZip([LINE], { end64: { disks: 2 } }),
    expectedCode: 'ARCHIVE_SPLIT',
  },
];

/** Every entry begins within the one before, so that all share one block of packed data. */
function overlappingBomb(): Buffer {
  const packed = deflate(LINE_FILE);
  const inner = Array.from({ length: 200 }, (_, i) => ({
    name: `f${String(i).padStart(5, '0')}.xml`,
    data: LINE_FILE,
    packed: new Uint8Array(0),
    directory: { compressedBytes: (199 - i) * 40 + packed.length },
  }));
  return writeZip([...inner, { name: 'kernel.xml', data: LINE_FILE }]);
}
