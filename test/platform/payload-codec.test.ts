import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';
import { createPayloadCodec, openPayload, parsePayloadKeys } from '../../platform/temporal/payload-codec.ts';

const key = (): string => randomBytes(32).toString('base64');
const codecOf = (keys: string) => createPayloadCodec(parsePayloadKeys(keys));
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const workflow = (workflowId: string, namespace = 'default') => ({ type: 'workflow', namespace, workflowId }) as const;
const HERE = workflow('import/1');
const readValue = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload as Payload);

/** As the SDK does: converting a refused payload throws. */
async function read({ decode }: PayloadCodec, payload: Payload | undefined, context?: SerializationContext) {
  return readValue((await decode([payload as Payload], context))[0]);
}

describe('payload codec', () => {
  it('decrypts what it encrypted, metadata included, and the ciphertext reveals nothing', async () => {
    const codec = codecOf(`k1:${key()}`);
    const value = { codespace: 'rut', correlationId: 'a-secret-id' };
    const [stored] = await codec.encode([payloadOf(value)], HERE);
    const text = Buffer.from(JSON.stringify(stored)).toString() + Buffer.from(stored?.data ?? []).toString('latin1');
    assert.ok(!text.includes('a-secret-id') && !text.includes('json/plain'));
    const [read] = await codec.decode([stored as Payload], HERE);
    assert.deepEqual(readValue(read), value);
  });

  it('uses a new nonce for each payload, so that equal payloads look different', async () => {
    const codec = codecOf(`k1:${key()}`);
    const stored = await codec.encode(
      Array.from({ length: 500 }, () => payloadOf('same')),
      HERE,
    );
    const nonces = new Set(
      stored.map(({ data }) => Buffer.from((data ?? new Uint8Array()).subarray(0, 12)).toString('hex')),
    );
    assert.equal(nonces.size, 500);
  });

  it('writes with the first key and reads with every key', async () => {
    const [older, newer] = [key(), key()];
    const [written] = await codecOf(`old:${older}`).encode([payloadOf(1)], HERE);
    const rotated = codecOf(`new:${newer},old:${older}`);
    assert.equal(await read(rotated, written, HERE), 1);
    const [now] = await rotated.encode([payloadOf(2)], HERE);
    assert.equal(Buffer.from(now?.metadata?.['encryption-key-id'] ?? []).toString(), 'new');
  });

  it('names only the missing key', async () => {
    const [written] = await codecOf(`k1:${key()}`).encode([payloadOf(1)], HERE);
    await assert.rejects(
      read(codecOf(`k2:${key()}`), written as Payload, HERE),
      /the key k1, which PAYLOAD_KEYS lacks/,
    );
  });

  it('refuses a payload that was changed, cut, or moved to another key id', async () => {
    const shared = key();
    const codec = codecOf(`k1:${shared},k2:${shared}`);
    const [written] = await codec.encode([payloadOf({ amount: 1 })], HERE);
    const { metadata, data } = written as Payload & { data: Uint8Array };
    for (let at = 0; at < data.length; at += 7) {
      const changed = Uint8Array.from(data);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await assert.rejects(read(codec, { metadata: metadata ?? {}, data: changed }, HERE));
    }
    await assert.rejects(read(codec, { metadata: metadata ?? {}, data: data.subarray(0, 20) }, HERE));
    const moved = { ...metadata, 'encryption-key-id': new TextEncoder().encode('k2') };
    await assert.rejects(read(codec, { metadata: moved, data }, HERE));
  });

  it('refuses payloads that it did not seal, and names their encoding', async () => {
    const codec = codecOf(`k1:${key()}`);
    await assert.rejects(read(codec, payloadOf('forged'), HERE), /encoding "json\/plain" instead of binary\/sealed/);
    await assert.rejects(read(codec, { data: new Uint8Array() }, HERE), /encoding "" instead/);
    const former = { metadata: { encoding: new TextEncoder().encode('binary/encrypted') } };
    await assert.rejects(read(codec, former, HERE), /an earlier revision wrote it/);
  });

  it('opens a payload in its own workflow and namespace alone, and in activities of that workflow', async () => {
    const codec = codecOf(`k1:${key()}`);
    const [written] = (await codec.encode([payloadOf(1)], HERE)) as [Payload];
    const activity = { ...HERE, type: 'activity', activityId: '7', isLocal: false } as const;
    assert.equal(await read(codec, written, activity), 1);
    await assert.rejects(
      read(codec, written, workflow('import/2')),
      /of the workflow import\/1 is in the workflow import\/2/,
    );
    await assert.rejects(read(codec, written, workflow('import/1', 'other')), /not sealed for .* namespace other/);
    const relabelled = { ...written, metadata: { ...written.metadata, 'workflow-id': Buffer.from('import/2') } };
    await assert.rejects(read(codec, relabelled, workflow('import/2')), /not sealed for/);
  });

  it('neither seals nor opens without a workflow', async () => {
    const codec = codecOf(`k1:${key()}`);
    const [written] = (await codec.encode([payloadOf(1)], HERE)) as [Payload];
    const alone: SerializationContext = { type: 'activity', namespace: 'default', activityId: 'a', isLocal: false };
    for (const context of [undefined, alone]) {
      await assert.rejects(codec.encode([payloadOf(1)], context), /outside a workflow/);
      await assert.rejects(read(codec, written, context), /outside a workflow/);
    }
  });

  it('lets runs of one schedule read what an earlier run or the schedule itself wrote', async () => {
    const codec = codecOf(`k1:${key()}`);
    const [result] = (await codec.encode([payloadOf(1)], workflow('nightly-2026-11-22T03:30:00Z'))) as [Payload];
    for (const id of ['nightly-2026-11-23T03:30:00Z', 'nightly']) {
      assert.equal(await read(codec, result, workflow(id)), 1);
    }
    await assert.rejects(read(codec, result, workflow('daily-2026-11-23T03:30:00Z')), /of the workflow nightly/);
  });

  it('opens for the codec server by the workflow that the payload names, in its namespace alone', async () => {
    const ring = parsePayloadKeys(`k1:${key()}`);
    const [written] = (await createPayloadCodec(ring).encode([payloadOf(1)], HERE)) as [Payload];
    assert.equal(readValue(openPayload(ring, written, { namespace: 'default' })), 1);
    assert.throws(() => openPayload(ring, written, { namespace: 'other' }), /not sealed for/);
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
