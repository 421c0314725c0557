/** Archive bombs: small to send, but large, slow or endless to read. */
import type { HostileArchive } from '../hostile-archives.ts';
import { LINE_FILE } from '../netex-samples.ts';
import { deflate, extraField, pack, writeZip } from '../zip-writer.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const LINE = { name: 'TST_line_1.xml', data: LINE_FILE };
const zeros = (bytes: number): Uint8Array => new Uint8Array(bytes);
const spaces = (bytes: number): string => ' '.repeat(bytes);

export const sizeArchives: readonly HostileArchive[] = [
  {
    name: '20,000 files',
    bytes: () => writeZip(Array.from({ length: 20_000 }, (_, i) => ({ ...LINE, name: `${i}.xml` }))),
    expectedCode: 'ARCHIVE_TOO_MANY_ENTRIES',
  },
  {
    name: 'four thousand million files (zip64)',
    bytes: () =>
      writeZip([LINE], {
        end: { entries: 0xffff, entriesHere: 0xffff },
        end64: { entries: 4e9, entriesHere: 4e9 },
      }),
    expectedCode: 'ARCHIVE_TOO_MANY_ENTRIES',
  },
  {
    name: 'directory of 20 MB, made of comments',
    bytes: () =>
      writeZip(
        Array.from({ length: 320 }, (_, i) => ({ ...LINE, name: `${i}.xml`, directory: { comment: zeros(65_000) } })),
      ),
    expectedCode: 'ARCHIVE_TOO_LARGE',
  },
  {
    name: 'flat bomb',
    bytes: () => writeZip([{ name: 'bomb.xml', data: zeros(40 * MIB) }]),
    expectedCode: 'ARCHIVE_RATIO',
  },
  {
    name: 'bomb within a NeTEx file',
    bytes: () => writeZip([{ name: 'bomb.xml', data: LINE_FILE.replace('Ring', spaces(40 * MIB)) }]),
    expectedCode: 'ARCHIVE_RATIO',
  },
  {
    name: 'bomb of a thousand small files',
    bytes: () => {
      const data = zeros(MIB);
      const packed = deflate(data);
      return writeZip(Array.from({ length: 1000 }, (_, i) => ({ name: `${i}.xml`, data, packed })));
    },
    expectedCode: 'ARCHIVE_RATIO',
  },
  {
    name: 'bomb that says it is small',
    bytes: () =>
      writeZip([{ name: 'bomb.xml', data: zeros(40 * MIB), directory: { bytes: 900 }, local: { bytes: 900 } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'bomb behind a good beginning that says it is small',
    bytes: () => {
      const size = { bytes: 50_000 };
      const data = LINE_FILE + incompressible(20_000) + spaces(40 * MIB);
      return writeZip([{ name: 'bomb.xml', data, directory: size, local: size }]);
    },
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'file of 3 GiB (zip64)',
    bytes: () => writeZip([sized('large.xml', 3 * GIB, 100 * MIB)]),
    expectedCode: 'ARCHIVE_TOO_LARGE',
  },
  {
    name: 'five files of 1 GiB',
    bytes: () => writeZip(Array.from({ length: 5 }, (_, i) => sized(`${i}.xml`, GIB, 100 * MIB))),
    expectedCode: 'ARCHIVE_TOO_LARGE',
  },
  {
    name: 'archive within the archive',
    bytes: () => writeZip([LINE, { name: 'more.zip', data: writeZip([LINE]) }]),
    expectedCode: 'ARCHIVE_NESTED',
  },
  {
    name: 'nested bomb',
    bytes: () => {
      let archive = writeZip([{ name: 'bomb.xml', data: zeros(10 * MIB) }]);
      for (let depth = 0; depth < 6; depth++) {
        const inner = archive;
        archive = writeZip(Array.from({ length: 10 }, (_, i) => ({ name: `${i}.zip`, data: inner })));
      }
      return archive;
    },
    expectedCode: 'ARCHIVE_NESTED',
  },
  {
    name: 'archive named as XML within the archive',
    bytes: () => writeZip([{ name: 'line.xml', data: writeZip([{ name: 'line.xml', data: LINE_FILE }]), method: 0 }]),
    expectedCode: 'ARCHIVE_NESTED',
  },
  {
    name: 'gzip without a name beside a good file',
    bytes: () => writeZip([LINE, { name: 'notes', data: pack([4, 0x00088b1f], zeros(30)) }]),
    expectedCode: 'ARCHIVE_NESTED',
  },
];

/** An entry with these declared sizes and little data. */
function sized(name: string, bytes: number, compressedBytes: number): Parameters<typeof writeZip>[0][number] {
  const unset = { bytes: 0xffffffff, compressedBytes: 0xffffffff };
  return {
    name,
    data: LINE_FILE,
    directory: { ...unset, extra: extraField(1, pack([8, bytes], [8, compressedBytes])) },
  };
}

/** Text that hardly packs, the same at every call. */
function incompressible(characters: number): string {
  let state = 1;
  return Array.from({ length: characters }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (state % 26));
  }).join('');
}
