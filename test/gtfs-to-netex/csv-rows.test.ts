/** Parsing of comma-separated values from various programs, in chunks of any size. */
import assert from 'node:assert/strict';
import { readCsvRows } from '../../gtfs-to-netex/feed/csv-rows.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string | Buffer, size = 1 << 16): Promise<(string | number)[][]> {
  const rows: (string | number)[][] = [];
  await readCsvRows(inChunks(Buffer.from(text), size), 'x.txt', (cells, line) => rows.push([line, ...cells]));
  return rows;
}

describe('CSV rows', () => {
  it('take quotes, doubled quotes, commas and line ends inside, a byte order mark, CRLF, empty lines and cells', async () => {
    const text =
      '\uFEFFa,b,c\r\n1,"x, ""y"" z",3\r\n\r\n"two\r\nlines",,\n,,\n "spaced" ,tail"quote,"æøå"\nlast,"",no newline';
    const expected = [
      [1, 'a', 'b', 'c'],
      [2, '1', 'x, "y" z', '3'],
      [4, 'two\r\nlines', '', ''],
      [6, '', '', ''],
      [7, 'spaced ', 'tail"quote', 'æøå'],
      [8, 'last', '', 'no newline'],
    ];
    for (const size of [1, 2, 3, 5, 7, 16, 1000])
      assert.deepEqual(await rowsOf(text, size), expected, `chunks of ${size}`);
  });

  it('end with a quoted cell at the very end of the text', async () => {
    for (const size of [1, 4, 100]) assert.deepEqual(await rowsOf('a,"b"', size), [[1, 'a', 'b']]);
  });

  it('are none in an empty text', async () => {
    assert.deepEqual(await rowsOf(''), []);
    assert.deepEqual(await rowsOf('\n\n'), []);
  });

  it('report the line of a quote that is never closed', async () => {
    await assert.rejects(rowsOf('a\nb\n"c,d\ne,f\n', 3), /^FeedError: x\.txt, line 3: a quote .* never closed/);
  });

  it('report a text that is not UTF-8', async () => {
    await assert.rejects(rowsOf(Buffer.from('a\nb\xe5\n', 'latin1')), /x\.txt.*: the text is not UTF-8/);
  });
});
