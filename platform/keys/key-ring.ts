/**
 * Keys that are replaced without a pause: the first one writes, all can read. Callers: code that seals what is stored
 * or sent. Never repeats a key in an error.
 */
const KEY_BYTES = 32;

export interface KeyRing {
  /** Id of the key that seals what is written from now on. */
  readonly writingKeyId: string;
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

/** Reads `keyId:base64 of 32 bytes`, comma-separated, the writing key first. `variable` names the setting in errors. */
export function parseKeyRing(text: string, variable: string): KeyRing {
  const keys = new Map<string, Uint8Array>();
  for (const part of text.split(',')) {
    const [keyId = '', base64 = '', ...rest] = part.trim().split(':');
    const key = Buffer.from(base64, 'base64');
    if (!/^[\w.-]{1,64}$/.test(keyId) || rest.length > 0 || key.length !== KEY_BYTES) {
      throw new Error(`${variable}: each entry must be keyId:base64 of 32 bytes`);
    }
    if (keys.has(keyId)) throw new Error(`${variable}: the key id ${keyId} is given twice`);
    keys.set(keyId, key);
  }
  const [writingKeyId] = keys.keys();
  if (writingKeyId === undefined) throw new Error(`${variable}: at least one key is needed`);
  return { writingKeyId, keys };
}
