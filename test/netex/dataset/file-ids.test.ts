import assert from 'node:assert/strict';
import { addFileIds, addStreamIds } from '../../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../../netex/dataset/id-index.ts';
import { LINE_FILE } from '../../support/netex-samples.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

describe('ids of a common file', () => {
  const whole = Buffer.from(LINE_FILE.replace('Ring', 'Østmarka'));
  const cases = {
    'a sound file': whole,
    'a file cut off': whole.subarray(0, 330),
    'no XML': Buffer.from([0xff, 0xfe, 0xfd]),
  };

  for (const [what, bytes] of Object.entries(cases)) {
    it(`are the same from ${what} read whole and in pieces of any size`, async () => {
      const expected = new IdIndexBuilder();
      addFileIds({ name: '_a.xml', bytes }, expected);
      for (const size of [1, 7, 64, 1_000]) {
        const index = new IdIndexBuilder();
        await addStreamIds({ name: '_a.xml', chunks: inPieces(bytes, size) }, index);
        assert.deepEqual(index.build().bytes, expected.build().bytes, `in pieces of ${size}`);
      }
    });
  }

  it('have the name of their file as key', async () => {
    const index = new IdIndexBuilder();
    await addStreamIds({ name: '_a.xml', chunks: inPieces(whole, 10) }, index);
    assert.equal(index.build().findLabel('TST:Line:1'), '_a.xml');
  });
});
