/**
 * Seals a stream of bytes as chunks of AES-256-GCM, in constant memory. Each chunk is bound to its number and to being the last,
 * so a file with changed, missing, repeated or reordered chunks does not open. Callers: the files of back-ups.
 *
 * Layout: a salt, then chunks of ciphertext and tag. The salt makes the key unique for the file, so numbers serve as nonces.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const CHUNK_BYTES = 256 * 1024;
const MAX_CHUNKS = 2 ** 32;

/** The stream is incomplete, or was sealed with another key or for another place. */
export class UnreadableChunks extends Error {}

/** The bytes are bound to `place` and open in no other. */
export async function* sealChunks(
  key: Uint8Array,
  place: string,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = deriveKey(key, salt, place);
  yield salt;
  let number = 0;
  for await (const { bytes, isLast } of inChunks(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, fileKey, nonceOf(number, isLast));
    yield cipher.update(bytes);
    cipher.final();
    yield cipher.getAuthTag();
    number += 1;
  }
}

/** Throws UnreadableChunks. Every yielded byte is authenticated. */
export async function* openChunks(
  key: Uint8Array,
  place: string,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let fileKey: Uint8Array | undefined;
  let number = 0;
  for await (const { bytes, isLast } of inChunks(sealed, CHUNK_BYTES + TAG_BYTES, SALT_BYTES)) {
    if (!fileKey) {
      fileKey = deriveKey(key, bytes, place);
      if (bytes.length < SALT_BYTES || isLast) throw new UnreadableChunks('The stream ends within its beginning');
      continue;
    }
    yield openChunk(fileKey, nonceOf(number, isLast), bytes);
    number += 1;
  }
}

function openChunk(key: Uint8Array, nonce: Uint8Array, bytes: Buffer): Buffer {
  const end = bytes.length - TAG_BYTES;
  if (end < 0) throw new UnreadableChunks('A chunk is shorter than its tag');
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(bytes.subarray(end));
  const plain = decipher.update(bytes.subarray(0, end));
  try {
    decipher.final();
  } catch (cause) {
    throw new UnreadableChunks('A chunk is not what was written, or not in its place', { cause });
  }
  return plain;
}

interface Chunk {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Yields chunks of `size`, after a first one of `firstSize` if given. The last chunk is shorter or empty. */
async function* inChunks(source: AsyncIterable<Uint8Array>, size: number, firstSize = size): AsyncGenerator<Chunk> {
  let wanted = firstSize;
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of source) {
    gathered.push(bytes);
    length += bytes.length;
    // One more byte shows that a chunk is not the last.
    if (length <= wanted) continue;
    let rest = Buffer.concat(gathered, length);
    while (rest.length > wanted) {
      yield { bytes: rest.subarray(0, wanted), isLast: false };
      rest = rest.subarray(wanted);
      wanted = size;
    }
    [gathered, length] = [[rest], rest.length];
  }
  yield { bytes: Buffer.concat(gathered, length), isLast: true };
}

function deriveKey(key: Uint8Array, salt: Uint8Array, place: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, salt, place, KEY_BYTES));
}

function nonceOf(number: number, isLast: boolean): Uint8Array {
  if (number >= MAX_CHUNKS) throw new RangeError('The stream has too many chunks for one key');
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES - 5);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}
