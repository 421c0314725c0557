import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import {
  type ArchiveErrorCode,
  DEFAULT_ARCHIVE_LIMITS,
  openArchive,
  planReading,
  readEntry,
  streamEntry,
} from '../../netex/zip/index.ts';
import { LINE_FILE } from '../support/netex-samples.ts';
import { openBytes, openEntries, textOf } from '../support/zip-samples.ts';
import { deflate, type EntrySpec, extraField, FLAG_DESCRIPTOR, pack, writeZip } from '../support/zip-writer.ts';

const LINE: EntrySpec = { name: 'line.xml', data: LINE_FILE };
const UNSET = 0xffffffff;
const bytes = Buffer.byteLength(LINE_FILE);
const packedBytes = deflate(LINE_FILE).length;
const SIZES_64 = extraField(1, pack([8, bytes], [8, packedBytes]));

/** Valid archives as common programs write them. */
const SOUND: ReadonlyArray<readonly [string, EntrySpec]> = [
  ['packed', LINE],
  ['stored', { ...LINE, method: 0 }],
  ['an ASCII name without the UTF-8 flag', { ...LINE, flags: 0 }],
  [
    'other additional data before the data than in the list',
    { ...LINE, local: { extra: extraField(0x5455, new Uint8Array(9)) } },
  ],
  ['additional data that only pads', { ...LINE, local: { extra: new Uint8Array(3) } }],
  ['sizes behind the data', { ...LINE, flags: FLAG_DESCRIPTOR }],
  [
    'sizes behind the data without a signature',
    { ...LINE, flags: FLAG_DESCRIPTOR, after: pack([4, crc32(LINE_FILE)], [4, packedBytes], [4, bytes]) },
  ],
  [
    'zip64 sizes behind the data',
    {
      ...LINE,
      flags: FLAG_DESCRIPTOR,
      local: { bytes: UNSET, compressedBytes: UNSET, extra: extraField(1, new Uint8Array(16)) },
      after: pack([4, 0x08074b50], [4, crc32(LINE_FILE)], [8, packedBytes], [8, bytes]),
    },
  ],
  [
    'zip64 sizes in both headers',
    {
      ...LINE,
      local: { bytes: UNSET, compressedBytes: UNSET, extra: SIZES_64 },
      directory: { bytes: UNSET, compressedBytes: UNSET, extra: SIZES_64 },
    },
  ],
  ['no attributes', { ...LINE, directory: { externalAttributes: 0, versionMadeBy: 20 } }],
  ['a comment', { ...LINE, directory: { comment: Buffer.from('route 42') } }],
];

describe('opening an archive', () => {
  for (const [what, entry] of SOUND) {
    it(`reads an entry with ${what}`, async () => {
      const archive = await openEntries([entry]);
      assert.equal(await textOf(archive, 'line.xml'), LINE_FILE);
    });
  }

  it('reads an archive with a comment of the greatest length', async () => {
    const archive = await openEntries([LINE], { comment: Buffer.alloc(65_535, 'PK\x05') });
    assert.equal(await textOf(archive, 'line.xml'), LINE_FILE);
  });

  it('reads an archive with a zip64 end', async () => {
    const unset = { entries: 0xffff, entriesHere: 0xffff, directoryBytes: UNSET, directoryOffset: UNSET };
    const archive = await openEntries([LINE], { end: unset, end64: {} });
    assert.equal(await textOf(archive, 'line.xml'), LINE_FILE);
  });

  it('reads names in UTF-8 with the flag and without it, as macOS writes them', async () => {
    const archive = await openEntries([
      { name: 'Ås.xml', data: LINE_FILE },
      { name: 'Bø.xml', data: LINE_FILE, flags: 0 },
    ]);
    assert.deepEqual(
      archive.entries.map((entry) => entry.name),
      ['Bø.xml', 'Ås.xml'],
    );
  });

  it('lists common files by name, then line files by name, and other files separately', async () => {
    const names = ['line_b.xml', '_stops.xml', 'README.txt', 'line_a.XML', '_calendar.xml'];
    const archive = await openEntries(names.map((name) => ({ name, data: LINE_FILE })));
    assert.deepEqual(
      archive.entries.map(({ kind, name, index }) => [kind, name, index]),
      [
        ['common', '_calendar.xml', 4],
        ['common', '_stops.xml', 1],
        ['line', 'line_a.XML', 3],
        ['line', 'line_b.xml', 0],
      ],
    );
    assert.deepEqual(archive.otherNames, ['README.txt']);
  });

  it('reads the directory alone, for any size of the archive', async () => {
    const archive = writeZip(Array.from({ length: 500 }, (_, i) => ({ ...LINE, name: `${i}.xml`, method: 0 })));
    const reads: number[] = [];
    const read = async (offset: number, lengthBytes: number): Promise<Uint8Array> => {
      reads.push(lengthBytes);
      return archive.subarray(offset, offset + lengthBytes);
    };
    await openArchive({ sizeBytes: archive.length, read }, DEFAULT_ARCHIVE_LIMITS);
    assert.ok(reads.length <= 4, `${reads.length} reads`);
    assert.ok(reads.reduce((sum, length) => sum + length) < 150_000);
  });

  it('fails with the error of the reader, so that the caller may try again', async () => {
    const broken = { sizeBytes: 5000, read: () => Promise.reject(new Error('connection reset')) };
    await assert.rejects(openArchive(broken, DEFAULT_ARCHIVE_LIMITS), { name: 'Error', message: 'connection reset' });
    const short = { sizeBytes: 5000, read: async () => new Uint8Array(3) };
    await assert.rejects(openArchive(short, DEFAULT_ARCHIVE_LIMITS), {
      name: 'Error',
      message: /Read 3 of 5000 bytes/,
    });
  });

  it('applies the given limits', async () => {
    const archive = writeZip([LINE, { ...LINE, name: 'b.xml' }]);
    const refusedBy = (limit: Partial<typeof DEFAULT_ARCHIVE_LIMITS>, code: ArchiveErrorCode): Promise<void> =>
      assert.rejects(openBytes(archive, { ...DEFAULT_ARCHIVE_LIMITS, ...limit }), { code });
    await refusedBy({ maxEntries: 1 }, 'ARCHIVE_TOO_MANY_ENTRIES');
    await refusedBy({ maxEntryBytes: bytes - 1 }, 'ARCHIVE_TOO_LARGE');
    await refusedBy({ maxTotalBytes: 2 * bytes - 1 }, 'ARCHIVE_TOO_LARGE');
    await refusedBy({ maxDirectoryBytes: 50 }, 'ARCHIVE_TOO_LARGE');
    await refusedBy({ maxRatio: 1, ratioFloorBytes: 1 }, 'ARCHIVE_RATIO');
    const just = { maxEntries: 2, maxEntryBytes: bytes, maxTotalBytes: 2 * bytes };
    assert.equal((await openBytes(archive, { ...DEFAULT_ARCHIVE_LIMITS, ...just })).entries.length, 2);
  });
});

describe('reading an entry', () => {
  it('gives the whole of a file that comes in many chunks', async () => {
    const text = Array.from({ length: 300_000 }, (_, i) => `<x>${i * 7919}</x>`).join('');
    const archive = await openEntries([{ name: 'large.xml', data: text }]);
    const [entry] = archive.entries;
    assert.ok(entry && entry.compressedBytes > 1024 * 1024);
    assert.equal(Buffer.from(await readEntry(archive, entry)).toString(), text);
  });

  it('takes one read for header and data of a small entry', async () => {
    const archive = writeZip([LINE, { ...LINE, name: 'b.xml' }]);
    let reads = 0;
    const read = async (offset: number, lengthBytes: number): Promise<Uint8Array> => {
      reads++;
      return archive.subarray(offset, offset + lengthBytes);
    };
    const opened = await openArchive({ sizeBytes: archive.length, read }, DEFAULT_ARCHIVE_LIMITS);
    reads = 0;
    for (const entry of opened.entries) await readEntry(opened, entry);
    assert.equal(reads, 2);
  });

  it('unpacks at most a chunk beyond the size in a false header', async () => {
    const data = Buffer.alloc(100 * 1024 * 1024, ' ');
    const size = { bytes: 600_000 };
    const archive = await openEntries([{ name: 'bomb.xml', data, directory: size, local: size }]);
    const [entry] = archive.entries;
    assert.ok(entry);
    let given = 0;
    await assert.rejects(
      async () => {
        for await (const chunk of streamEntry(archive, entry)) given += chunk.length;
      },
      { code: 'ARCHIVE_CONTRADICTORY' },
    );
    assert.ok(given <= size.bytes);
  });

  it('stops at an aborted signal, and when the caller stops', async () => {
    const archive = await openEntries([{ name: 'large.xml', data: Buffer.alloc(900_000, 'x') }]);
    const [entry] = archive.entries;
    assert.ok(entry);
    await assert.rejects(readEntry(archive, entry, { signal: AbortSignal.abort(new Error('given up')) }), /given up/);
    for await (const chunk of streamEntry(archive, entry)) {
      assert.ok(chunk.length > 0);
      break;
    }
  });

  it('refuses an entry of another archive', async () => {
    const one = await openEntries([LINE]);
    const [foreign] = (await openEntries([{ ...LINE, name: 'other.xml' }])).entries;
    assert.ok(foreign);
    await assert.rejects(readEntry(one, foreign), RangeError);
  });

  it('reads small planned entries by one request, in any order', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${LINE_FILE}<!-- ${index} -->`);
    const zip = writeZip(texts.map((data, index) => ({ name: `${index}.xml`, data })));
    let requests = 0;
    const reader = {
      sizeBytes: zip.length,
      read: async (offset: number, lengthBytes: number) => {
        requests++;
        return zip.subarray(offset, offset + lengthBytes);
      },
    };
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    const planned = planReading(archive, archive.entries);
    requests = 0;
    for (const entry of planned.entries.toReversed()) {
      const text = Buffer.from(await readEntry(planned, entry)).toString();
      assert.equal(text, texts[Number.parseInt(entry.name, 10)]);
    }
    assert.equal(requests, 1);
  });
});
