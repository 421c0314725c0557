import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createPayloadCodec, parsePayloadKeys } from '../../platform/temporal/payload-codec.ts';

const key = (): string => randomBytes(32).toString('base64');
const codecOf = (keys: string) => createPayloadCodec(parsePayloadKeys(keys));
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const readValue = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload as Payload);

describe('payload codec', () => {
  it('decrypts what it encrypted, metadata included, and the ciphertext reveals nothing', async () => {
    const codec = codecOf(`k1:${key()}`);
    const value = { codespace: 'rut', correlationId: 'a-secret-id' };
    const [stored] = await codec.encode([payloadOf(value)]);
    const text = Buffer.from(JSON.stringify(stored)).toString() + Buffer.from(stored?.data ?? []).toString('latin1');
    assert.ok(!text.includes('a-secret-id') && !text.includes('json/plain'));
    const [read] = await codec.decode([stored as Payload]);
    assert.deepEqual(readValue(read), value);
  });

  it('takes another nonce for each payload, so that equal payloads look different', async () => {
    const codec = codecOf(`k1:${key()}`);
    const stored = await codec.encode(Array.from({ length: 500 }, () => payloadOf('same')));
    const nonces = new Set(
      stored.map(({ data }) => Buffer.from((data ?? new Uint8Array()).subarray(0, 12)).toString('hex')),
    );
    assert.equal(nonces.size, 500);
  });

  it('writes with the first key and reads with every key', async () => {
    const [older, newer] = [key(), key()];
    const [written] = await codecOf(`old:${older}`).encode([payloadOf(1)]);
    const rotated = codecOf(`new:${newer},old:${older}`);
    assert.equal(readValue((await rotated.decode([written as Payload]))[0]), 1);
    const [now] = await rotated.encode([payloadOf(2)]);
    assert.equal(Buffer.from(now?.metadata?.['encryption-key-id'] ?? []).toString(), 'new');
  });

  it('says which key is missing, and nothing else', async () => {
    const [written] = await codecOf(`k1:${key()}`).encode([payloadOf(1)]);
    await assert.rejects(codecOf(`k2:${key()}`).decode([written as Payload]), /the key k1, which PAYLOAD_KEYS lacks/);
  });

  it('refuses a payload that was changed, cut, or moved to another key id', async () => {
    const shared = key();
    const codec = codecOf(`k1:${shared},k2:${shared}`);
    const [written] = await codec.encode([payloadOf({ amount: 1 })]);
    const { metadata, data } = written as Payload & { data: Uint8Array };
    for (let at = 0; at < data.length; at += 7) {
      const changed = Uint8Array.from(data);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await assert.rejects(codec.decode([{ metadata: metadata ?? {}, data: changed }]));
    }
    await assert.rejects(codec.decode([{ metadata: metadata ?? {}, data: data.subarray(0, 20) }]), /shorter/);
    const moved = { ...metadata, 'encryption-key-id': new TextEncoder().encode('k2') };
    await assert.rejects(codec.decode([{ metadata: moved, data }]));
  });

  it('passes through what the server wrote itself', async () => {
    const plain = payloadOf('of the server');
    assert.deepEqual(await codecOf(`k1:${key()}`).decode([plain]), [plain]);
  });

  it('refuses unusable keys without repeating them', () => {
    const secret = key();
    for (const keys of [
      '',
      'k1',
      'k1:c2hvcnQ=',
      `:${secret}`,
      `k 1:${secret}`,
      `k1:${secret}:x`,
      `k1:${secret},k1:${secret}`,
    ]) {
      assert.throws(
        () => parsePayloadKeys(keys),
        (error: Error) => error.message.startsWith('PAYLOAD_KEYS') && !error.message.includes(secret),
      );
    }
  });
});
