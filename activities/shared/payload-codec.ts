/**
 * Encrypts everything that Temporal stores for us: AES-256-GCM per payload, a 96-bit random nonce each, the key's id in
 * the metadata. Several keys can be read, the first one writes, so a key is replaced without a pause.
 *
 * Callers: clients and workers, by `activities/shared/temporal.ts`. Never logs a payload or a key. What was written
 * without this codec is passed through unread, as the protocol demands for payloads of the server's own.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';

const PayloadMessage = proto.temporal.api.common.v1.Payload;

const ENCODING = 'binary/encrypted';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface PayloadKeys {
  /** Id of the key that encrypts what is written from now on. */
  readonly writingKeyId: string;
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

/** Reads `keyId:base64 of 32 bytes`, comma-separated, the writing key first. Never repeats a key in an error. */
export function parsePayloadKeys(text: string): PayloadKeys {
  const keys = new Map<string, Uint8Array>();
  for (const part of text.split(',')) {
    const [keyId = '', base64 = '', ...rest] = part.trim().split(':');
    const key = Buffer.from(base64, 'base64');
    if (!/^[\w.-]{1,64}$/.test(keyId) || rest.length > 0 || key.length !== KEY_BYTES) {
      throw new Error('PAYLOAD_KEYS: each entry must be keyId:base64 of 32 bytes');
    }
    if (keys.has(keyId)) throw new Error(`PAYLOAD_KEYS: the key id ${keyId} is given twice`);
    keys.set(keyId, key);
  }
  const [writingKeyId] = keys.keys();
  if (writingKeyId === undefined) throw new Error('PAYLOAD_KEYS: at least one key is needed');
  return { writingKeyId, keys };
}

export function createPayloadCodec({ writingKeyId, keys }: PayloadKeys): PayloadCodec {
  const keyOf = (keyId: string): Uint8Array => {
    const key = keys.get(keyId);
    if (key === undefined) throw new Error(`A payload was encrypted with the key ${keyId}, which PAYLOAD_KEYS lacks`);
    return key;
  };
  return {
    encode: async (payloads) => payloads.map((payload) => encrypt(payload, writingKeyId, keyOf(writingKeyId))),
    decode: async (payloads) => payloads.map((payload) => (isEncrypted(payload) ? decrypt(payload, keyOf) : payload)),
  };
}

function encrypt(payload: Payload, keyId: string, key: Uint8Array): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(Buffer.from(keyId));
  const data = Buffer.concat([
    nonce,
    cipher.update(PayloadMessage.encode(payload).finish()),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return { metadata: { encoding: bytesOf(ENCODING), 'encryption-key-id': bytesOf(keyId) }, data };
}

function decrypt(payload: Payload, keyOf: (keyId: string) => Uint8Array): Payload {
  const keyId = textOf(payload.metadata?.['encryption-key-id']);
  const data = payload.data ?? new Uint8Array();
  if (data.length < NONCE_BYTES + TAG_BYTES) throw new Error('An encrypted payload is shorter than its nonce and tag');
  const decipher = createDecipheriv(CIPHER, keyOf(keyId), data.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(keyId));
  decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
  const plain = Buffer.concat([decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return PayloadMessage.decode(plain);
}

function isEncrypted(payload: Payload): boolean {
  return textOf(payload.metadata?.encoding) === ENCODING;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return bytes ? new TextDecoder().decode(bytes) : '';
}
