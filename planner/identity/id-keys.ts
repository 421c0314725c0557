/**
 * The keys that sign ids: the first writes, all read, so a key can be replaced while ids signed with it are still about.
 * Called by the configuration of the processes that make or read ids.
 */
export interface IdKeys {
  readonly writingKeyId: string;
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

const KEY_BYTES = 32;

/** Reads `keyId:base64 of 32 bytes`, comma-separated. Never repeats a key in an error. */
export function parseIdKeys(text: string): IdKeys {
  const keys = new Map<string, Uint8Array>();
  for (const part of text.split(',')) {
    const [keyId = '', base64 = '', ...rest] = part.trim().split(':');
    const key = Buffer.from(base64, 'base64');
    if (!/^[A-Za-z0-9_-]{1,16}$/.test(keyId) || rest.length > 0 || key.length !== KEY_BYTES) {
      throw new Error('each entry must be keyId:base64 of 32 bytes, the key id of at most 16 letters and digits');
    }
    if (keys.has(keyId)) throw new Error(`the key id ${keyId} is given twice`);
    keys.set(keyId, new Uint8Array(key));
  }
  const [writingKeyId] = keys.keys();
  if (writingKeyId === undefined) throw new Error('at least one key is needed');
  return { writingKeyId, keys };
}
