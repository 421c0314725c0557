/**
 * Encrypts everything that Temporal stores for us: AES-256-GCM per payload, a 96-bit random nonce each, the key's id in
 * the metadata. Several keys can be read, the first one writes, so a key is replaced without a pause.
 *
 * Callers: clients and workers, by `platform/temporal/temporal.ts`. Never logs a payload or a key. What was written
 * without this codec is passed through unread, as the protocol demands for payloads of the server's own.
 */
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { openBytes, sealBytes } from '../keys/aes-gcm.ts';
import { type KeyRing, parseKeyRing } from '../keys/key-ring.ts';

const PayloadMessage = proto.temporal.api.common.v1.Payload;

const ENCODING = 'binary/encrypted';

/** Reads `keyId:base64 of 32 bytes`, comma-separated, the writing key first. Never repeats a key in an error. */
export function parsePayloadKeys(text: string): KeyRing {
  return parseKeyRing(text, 'PAYLOAD_KEYS');
}

export function createPayloadCodec({ writingKeyId, keys }: KeyRing): PayloadCodec {
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
  const data = sealBytes(key, PayloadMessage.encode(payload).finish(), keyId);
  return { metadata: { encoding: bytesOf(ENCODING), 'encryption-key-id': bytesOf(keyId) }, data };
}

function decrypt(payload: Payload, keyOf: (keyId: string) => Uint8Array): Payload {
  const keyId = textOf(payload.metadata?.['encryption-key-id']);
  return PayloadMessage.decode(openBytes(keyOf(keyId), payload.data ?? new Uint8Array(), keyId));
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
