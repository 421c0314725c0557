import assert from 'node:assert/strict';
import { HashSet } from '../../../netex/dataset/hash-set.ts';
import { IdHasher } from '../../../netex/dataset/id-hash.ts';
import { IdIndex } from '../../../netex/dataset/id-index.ts';
import { IdentifiersBuilder, readIdentifierHashes, readIdentifiers } from '../../../netex/dataset/identifiers.ts';
import { StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import { delivery, file } from '../support/sample-files.ts';

const manyIds = (count: number, kind = 'Quay') => Array.from({ length: count }, (_, n) => `NSR:${kind}:${n}`);

describe('ids of a dataset', () => {
  it('contain their ids with labels, and no others, also after storing and opening', () => {
    const stored = IdIndex.of(manyIds(50_000).map((id) => ({ id, label: 'Quay' }))).bytes;
    const index = IdIndex.open(new Uint8Array(stored));
    assert.equal(index.size, 50_000);
    for (const id of manyIds(50_000)) assert.equal(index.findLabel(id), 'Quay');
    for (const id of manyIds(50_000, 'StopPlace')) assert.equal(index.has(id), false);
  });

  it('open 300,000 ids of 6 MB without copying them', () => {
    const { bytes } = IdIndex.of(manyIds(300_000).map((id) => ({ id, label: 'Quay' })));
    assert.ok(bytes.length < 7_000_000, `${bytes.length} bytes`);
    const index = IdIndex.open(bytes);
    assert.equal(index.has('NSR:Quay:299999'), true);
    assert.equal(index.bytes, bytes);
  });

  it('open from shared memory and from the middle of a buffer', () => {
    const { bytes } = IdIndex.of([{ id: 'NSR:Quay:1', label: 'Quay' }]);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    assert.equal(IdIndex.open(shared).findLabel('NSR:Quay:1'), 'Quay');
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    assert.equal(IdIndex.open(shifted.subarray(1)).has('NSR:Quay:1'), true);
  });

  it('are none in an empty index; other bytes are refused', () => {
    assert.equal(IdIndex.of([]).has('NSR:Quay:1'), false);
    assert.throws(() => IdIndex.open(new Uint8Array(100)), /not an index/);
    assert.throws(() => IdIndex.open(IdIndex.of([]).bytes.subarray(0, 60)), /cut short/);
  });

  it('keep the first of two labels, or state that there are several', () => {
    const ids = [
      { id: 'ABC:Line:1', label: '_a.xml' },
      { id: 'ABC:Line:1', label: '_b.xml' },
    ];
    assert.equal(IdIndex.of(ids).findLabel('ABC:Line:1'), '_a.xml');
    assert.equal(IdIndex.of(ids, '*').findLabel('ABC:Line:1'), '*');
  });

  it('have different hashes for a million similar ids, with and without version', () => {
    const hasher = new IdHasher();
    const seen = new HashSet();
    for (const id of manyIds(500_000)) {
      hasher.hash(id);
      assert.ok(seen.add(hasher.high, hasher.low));
      hasher.extend('1');
      assert.ok(seen.add(hasher.high, hasher.low));
    }
    hasher.hash('NSR:Quay:1');
    hasher.extend(undefined);
    assert.equal(seen.has(hasher.high, hasher.low), false);
    assert.equal(seen.size, 1_000_000);
  });

  it('return their hashes in order when packed, and texts only of requested ids', () => {
    const builder = new IdentifiersBuilder();
    const hasher = new IdHasher();
    for (const [index, id] of manyIds(45_000).entries()) {
      hasher.hash(id);
      builder.add(id, hasher.high, hasher.low, index + 1, 7);
    }
    const packed = builder.build();
    hasher.hash('NSR:Quay:44999');
    assert.deepEqual([...readIdentifierHashes(packed).slice(-2)], [hasher.low, hasher.high]);
    assert.deepEqual(
      readIdentifiers(packed, [0, 20_000, 44_999]).map(({ id, line, column }) => `${id} ${line}:${column}`),
      ['NSR:Quay:0 1:7', 'NSR:Quay:20000 20001:7', 'NSR:Quay:44999 45000:7'],
    );
    assert.ok(packed.length < 45_000 * 20, `${packed.length} bytes`);
  });
});

describe('ids of the stop register', () => {
  const stops = (...ids: string[]) =>
    delivery(
      `<SiteFrame id="NSR:SiteFrame:1" version="1"><stopPlaces>${ids
        .map(
          (id) =>
            `<StopPlace id="${id}" version="1"><quays><Quay id="${id.replace('StopPlace', 'Quay')}"/></quays></StopPlace>`,
        )
        .join('')}</stopPlaces></SiteFrame>`,
    );

  it('are read with their kinds from several files', () => {
    const reader = new StopRegisterReader();
    reader.addFile(file('a.xml', stops('NSR:StopPlace:1')).bytes);
    reader.addFile(file('b.xml', stops('NSR:StopPlace:1', 'NSR:StopPlace:2')).bytes);
    const index = reader.build();
    assert.equal(index.size, 4);
    assert.equal(index.findLabel('NSR:StopPlace:2'), 'StopPlace');
    assert.equal(index.findLabel('NSR:Quay:1'), 'Quay');
    assert.equal(index.has('NSR:SiteFrame:1'), false);
  });

  it('are the same from a stream in small chunks', async () => {
    const reader = new StopRegisterReader();
    const { bytes } = file('a.xml', stops('NSR:StopPlace:1', 'NSR:StopPlace:2'));
    await reader.addStream(
      (async function* () {
        for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
      })(),
    );
    assert.equal(reader.build().size, 4);
  });
});
