/** Archives whose entry headers are wrong or need unsupported features. */
import type { HostileArchive } from '../hostile-archives.ts';
import { LINE_FILE } from '../netex-samples.ts';
import { deflate, extraField, FLAG_DESCRIPTOR, FLAG_UTF8, pack, writeZip } from '../zip-writer.ts';

const LINE = { name: 'TST_line_1.xml', data: LINE_FILE };
const STREAMED = { ...LINE, flags: FLAG_UTF8 | FLAG_DESCRIPTOR };
const UNSET = 0xffffffff;
const bytes = Buffer.byteLength(LINE_FILE);
const packedBytes = deflate(LINE_FILE).length;
const zip64 = (unpacked: number, packed: number): Uint8Array => extraField(1, pack([8, unpacked], [8, packed]));

export const headerArchives: readonly HostileArchive[] = [
  {
    name: 'another name before the data',
    bytes: () => writeZip([{ ...LINE, local: { name: Buffer.from('TST_line_9.xml') } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'longer name before the data',
    bytes: () => writeZip([{ ...LINE, local: { name: Buffer.from('../../etc/cron.d/evil.xml') } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'another method before the data',
    bytes: () => writeZip([{ ...LINE, local: { method: 0 } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'another size before the data',
    bytes: () => writeZip([{ ...LINE, local: { bytes: 17 } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'another checksum before the data',
    bytes: () => writeZip([{ ...LINE, local: { crc32: 1 } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'encrypted before the data only',
    bytes: () => writeZip([{ ...LINE, local: { flags: FLAG_UTF8 | 1 } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'no header before the data',
    bytes: () => {
      const archive = writeZip([LINE]);
      archive.write('JUNK', 0);
      return archive;
    },
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'additional data that is cut off',
    bytes: () => writeZip([{ ...LINE, directory: { extra: pack([2, 1], [2, 500], [4, 0]) } }]),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'zip64 sizes that are cut off',
    bytes: () =>
      writeZip([
        { ...LINE, directory: { bytes: UNSET, compressedBytes: UNSET, extra: extraField(1, pack([8, bytes])) } },
      ]),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'zip64 sizes twice',
    bytes: () =>
      writeZip([
        { ...LINE, directory: { bytes: UNSET, extra: pack(zip64(bytes, packedBytes), zip64(1, packedBytes)) } },
      ]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'zip64 sizes that differ from the plain ones',
    bytes: () => writeZip([{ ...LINE, directory: { extra: zip64(10, 10) } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'zip64 size of 2^63',
    bytes: () => writeZip([{ ...LINE, directory: { bytes: UNSET, extra: zip64(2 ** 63, packedBytes) } }]),
    expectedCode: 'ARCHIVE_TOO_LARGE',
  },
  {
    name: 'descriptor with other sizes',
    bytes: () => writeZip([{ ...STREAMED, after: pack([4, 0x08074b50], [4, 0], [4, packedBytes], [4, 99]) }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'descriptor announced but missing',
    bytes: () => writeZip([{ ...STREAMED, after: new Uint8Array(0) }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'descriptor with other bytes behind it',
    bytes: () => writeZip([{ ...STREAMED, after: new Uint8Array(400) }]),
    expectedCode: 'ARCHIVE_FOREIGN_BYTES',
  },
  {
    name: 'encrypted',
    bytes: () => writeZip([{ ...LINE, flags: FLAG_UTF8 | 1 }]),
    expectedCode: 'ARCHIVE_ENCRYPTED',
  },
  {
    name: 'encrypted with AES',
    bytes: () => writeZip([{ ...LINE, flags: 1, method: 99, packed: new Uint8Array(99) }]),
    expectedCode: 'ARCHIVE_ENCRYPTED',
  },
  {
    name: 'method AES without the flag',
    bytes: () => writeZip([{ ...LINE, method: 99, packed: new Uint8Array(99) }]),
    expectedCode: 'ARCHIVE_METHOD_UNSUPPORTED',
  },
  {
    name: 'packed with bzip2',
    bytes: () => writeZip([{ ...LINE, method: 12, packed: new Uint8Array(99) }]),
    expectedCode: 'ARCHIVE_METHOD_UNSUPPORTED',
  },
  {
    name: 'packed with a method that does not exist',
    bytes: () => writeZip([{ ...LINE, method: 4711, packed: new Uint8Array(99) }]),
    expectedCode: 'ARCHIVE_METHOD_UNSUPPORTED',
  },
  {
    name: 'symbolic link',
    bytes: () =>
      writeZip([{ name: 'link.xml', data: '/etc/passwd', directory: { externalAttributes: 0o120777 * 0x10000 } }]),
    expectedCode: 'ARCHIVE_SPECIAL_FILE',
  },
  {
    name: 'device',
    bytes: () => writeZip([{ ...LINE, directory: { externalAttributes: 0o060660 * 0x10000 } }]),
    expectedCode: 'ARCHIVE_SPECIAL_FILE',
  },
  {
    name: 'folder by its attributes',
    bytes: () => writeZip([{ name: 'lines.xml', data: '', directory: { externalAttributes: 0x10 } }]),
    expectedCode: 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
  },
];
