/** Archives whose entry names are paths, unsafe, unreadable or duplicates. */

import { crc32 } from 'node:zlib';
import type { HostileArchive } from '../hostile-archives.ts';
import { LINE_FILE } from '../netex-samples.ts';
import { extraField, pack, writeZip } from '../zip-writer.ts';

const named = (...names: Array<string | Uint8Array>): Buffer =>
  writeZip(names.map((name) => ({ name, data: LINE_FILE })));

const PATHS = [
  'sub/line.xml',
  '../line.xml',
  '/etc/cron.d/line.xml',
  '..\\line.xml',
  'C:\\line.xml',
  '//host/line.xml',
  '__MACOSX/._line.xml',
  'folder/',
];
const UNSAFE = [
  '',
  '.',
  '..',
  'C:line.xml',
  'line.xml:hidden',
  'CON.xml',
  'aux',
  'Lpt1.xml',
  'line.xml.',
  'line.xml ',
  'li\0ne.xml',
  'li\nne.xml',
  'line\u202elmx.exe',
  'li\u200bne.xml',
  'li\u2028ne.xml',
  '<line>.xml',
  `${'a'.repeat(252)}.xml`,
];
const CP437 = Buffer.from([0x9b, 0x86, 0x91, 0x2e, 0x78, 0x6d, 0x6c]);

export const nameArchives: readonly HostileArchive[] = [
  ...PATHS.map(
    (name): HostileArchive => ({
      name: `path ${JSON.stringify(name)}`,
      bytes: () => named(name),
      expectedCode: 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
    }),
  ),
  ...UNSAFE.map(
    (name): HostileArchive => ({
      name: `name ${JSON.stringify(name.slice(0, 20))}`,
      bytes: () => named(name),
      expectedCode: 'ARCHIVE_UNSAFE_NAME',
    }),
  ),
  {
    name: 'name in CP437',
    bytes: () => writeZip([{ name: CP437, data: LINE_FILE, flags: 0 }]),
    expectedCode: 'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING',
  },
  {
    name: 'name that is marked as UTF-8 and is not',
    bytes: () => named(CP437),
    expectedCode: 'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING',
  },
  {
    name: 'second name in the additional data',
    bytes: () => {
      const name = Buffer.from('line.xml');
      const extra = extraField(0x7075, pack(Buffer.from([1]), [4, crc32(name)], Buffer.from('../other.xml')));
      return writeZip([{ name, data: LINE_FILE, directory: { extra } }]);
    },
    expectedCode: 'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING',
  },
  { name: 'a name twice', bytes: () => named('line.xml', 'line.xml'), expectedCode: 'ARCHIVE_DUPLICATE_NAME' },
  {
    name: 'names that differ in case only',
    bytes: () => named('Line.xml', 'line.XML'),
    expectedCode: 'ARCHIVE_DUPLICATE_NAME',
  },
  {
    name: 'names that differ in how å is composed',
    bytes: () => named('\u00e5l.xml', 'a\u030al.xml'),
    expectedCode: 'ARCHIVE_DUPLICATE_NAME',
  },
];
