/** The quota of uploads counts what an archive says that it unpacks to. */
import assert from 'node:assert/strict';
import { DEFAULT_ARCHIVE_LIMITS } from '../../netex/zip/limits.ts';
import { bufferRangeReader } from '../../netex/zip/range-reader.ts';
import { statedBytes } from '../../netex/zip/stated-bytes.ts';
import { writeZip } from '../support/zip-writer.ts';

const { maxEntries } = DEFAULT_ARCHIVE_LIMITS;

describe('the stated size of an archive', () => {
  const sizeOf = async (files: number) => {
    const entries = Array.from({ length: files }, (_, index) => ({ name: `${index}.xml`, data: 'x' }));
    return await statedBytes(bufferRangeReader(writeZip(entries)));
  };

  it('is the sum of its files', async () => {
    assert.equal(await sizeOf(3), 3);
  });

  it('is not read from a directory of more files than any import accepts', async () => {
    assert.equal(await sizeOf(maxEntries), maxEntries);
    assert.equal(await sizeOf(maxEntries + 1), undefined);
  });

  it('is unknown for what is no archive', async () => {
    assert.equal(await statedBytes(bufferRangeReader(Buffer.from('no archive'))), undefined);
  });
});
