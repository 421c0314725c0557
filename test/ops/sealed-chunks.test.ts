/** A sealed stream opens whole and in order, or not at all. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { openChunks, sealChunks, UnreadableChunks } from '../../ops/backup/sealed-chunks.ts';

const CHUNK = 256 * 1024;
const SEALED_CHUNK = CHUNK + 16;
const SALT = 32;

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('sealed chunks', () => {
  const key = randomBytes(32);
  const seal = async (plain: Buffer, size = 70_000) =>
    Buffer.concat(await Array.fromAsync(sealChunks(key, 'place', inPieces(plain, size))));
  const open = async (sealed: Buffer, { place = 'place', with: by = key, size = 100_000 } = {}) =>
    Buffer.concat(await Array.fromAsync(openChunks(by, place, inPieces(sealed, size))));

  for (const length of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5]) {
    it(`open again with ${length} bytes, in pieces of any size`, async () => {
      const plain = randomBytes(length);
      for (const size of [13_001, CHUNK, 2 * SEALED_CHUNK + 1]) {
        assert.ok((await open(await seal(plain, size), { size })).equals(plain));
      }
    });
  }

  it('never look the same twice', async () => {
    const plain = Buffer.alloc(100);
    assert.ok(!(await seal(plain)).equals(await seal(plain)));
  });

  const chunk = (sealed: Buffer, number: number) =>
    sealed.subarray(SALT + number * SEALED_CHUNK, SALT + (number + 1) * SEALED_CHUNK);
  const changes: Readonly<Record<string, (sealed: Buffer) => Buffer>> = {
    'a changed byte': (sealed) => {
      sealed.writeUInt8(sealed.readUInt8(SALT + 5) ^ 1, SALT + 5);
      return sealed;
    },
    'a changed salt': (sealed) => {
      sealed.writeUInt8(sealed.readUInt8(0) ^ 1, 0);
      return sealed;
    },
    'the last chunk missing': (sealed) => sealed.subarray(0, SALT + 2 * SEALED_CHUNK),
    'the last byte missing': (sealed) => sealed.subarray(0, -1),
    'only the salt': (sealed) => sealed.subarray(0, SALT),
    'less than the salt': (sealed) => sealed.subarray(0, 10),
    nothing: () => Buffer.alloc(0),
    'chunks in another order': (sealed) =>
      Buffer.concat([sealed.subarray(0, SALT), chunk(sealed, 1), chunk(sealed, 0), chunk(sealed, 2)]),
    'a chunk twice': (sealed) => Buffer.concat([sealed.subarray(0, SALT), chunk(sealed, 0), chunk(sealed, 0)]),
    'bytes after the end': (sealed) => Buffer.concat([sealed, Buffer.from('x')]),
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`do not open with ${name}`, async () => {
      const sealed = await seal(randomBytes(2 * CHUNK + 100));
      await assert.rejects(open(change(sealed)), UnreadableChunks);
    });
  }

  it('do not open in another place or with another key', async () => {
    const sealed = await seal(Buffer.from('text'));
    await assert.rejects(open(sealed, { place: 'other' }), UnreadableChunks);
    await assert.rejects(open(sealed, { with: randomBytes(32) }), UnreadableChunks);
  });
});
