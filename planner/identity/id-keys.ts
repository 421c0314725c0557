/**
 * The keys that sign ids. The first key signs, and all keys verify, so a key can be replaced while clients still hold
 * ids signed with it. Caller: the configuration of the processes that make or read ids.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';

export interface IdKeys {
  readonly writingKeyId: string;
  /** Key objects, because signing with bytes takes four times as long. */
  readonly keys: ReadonlyMap<string, KeyObject>;
}

const KEY_BYTES = 32;

/** Reads a comma-separated list of `keyId:base64 of 32 bytes`. Errors never contain a key. */
export function parseIdKeys(text: string): IdKeys {
  const keys = new Map<string, KeyObject>();
  for (const part of text.split(',')) {
    const [keyId = '', base64 = '', ...rest] = part.trim().split(':');
    const key = Buffer.from(base64, 'base64');
    if (!/^[A-Za-z0-9_-]{1,16}$/.test(keyId) || rest.length > 0 || key.length !== KEY_BYTES) {
      throw new Error('each entry must be keyId:base64 of 32 bytes, the key id of at most 16 letters and digits');
    }
    if (keys.has(keyId)) throw new Error(`the key id ${keyId} is given twice`);
    keys.set(keyId, createSecretKey(key));
  }
  const [writingKeyId] = keys.keys();
  if (writingKeyId === undefined) throw new Error('at least one key is needed');
  return { writingKeyId, keys };
}
