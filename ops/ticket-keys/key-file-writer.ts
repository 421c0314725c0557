/**
 * Changes the file that lists the keys which sign tickets. Private keys lie beside it, readable by its owner alone. Callers:
 * `npm run ticket-keys`, and local stacks and tests, which make their own.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openFileKey } from '../../activities/tickets/signing/file-key.ts';
import { type KeyEntry, type KeyFile, parseKeyFile } from '../../activities/tickets/signing/key-file.ts';
import { LONGEST_TICKET_MS } from '../../workflows/shared/longest-ticket.ts';
import { DAY_MS } from '../../workflows/shared/spans.ts';

export interface NewKey {
  /** Needed for the first key. */
  readonly issuerCode?: number;
  readonly from: Date;
  /** For how long it signs. It is valid until the longest ticket of its last day has ended. */
  readonly signDays: number;
  /** A key of AWS KMS; absent: the private key is made and kept in a file. */
  readonly kms?: { readonly kmsKeyId: string; readonly region?: string; readonly endpoint?: string };
  readonly development?: true;
}

/** What is wrong with the arguments, or with the file. */
export class KeyWriteError extends Error {}

const OWNER_ONLY = 0o600;

/** Undefined where there is no file. Throws KeyFileError. */
export function readKeyFile(path: string): KeyFile | undefined {
  return existsSync(path) ? parseKeyFile(readFileSync(path, 'utf8')) : undefined;
}

/** Throws KeyWriteError, KeyFileError. */
export function addKey(path: string, { issuerCode, from, signDays, kms, development }: NewKey): KeyEntry {
  const file = readKeyFile(path);
  const issuer = file?.issuerCode ?? issuerCode;
  if (issuer === undefined)
    throw new KeyWriteError('The first key needs --issuer, the RICS code of the company that issues tickets');
  if (issuerCode !== undefined && issuerCode !== issuer) throw new KeyWriteError(`The file has issuer ${issuer}`);
  const keyId = Math.max(0, ...(file?.keys ?? []).map((key) => key.keyId)) + 1;
  const validity = {
    keyId,
    validFrom: from,
    validTo: new Date(from.getTime() + signDays * DAY_MS + LONGEST_TICKET_MS),
  };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const key: KeyEntry = kms ? { ...validity, ...kms } : { ...validity, privateKeyFile: writePrivateKey(path, keyId) };
  write(path, { issuerCode: issuer, ...(development && { development }), ...file, keys: [...(file?.keys ?? []), key] });
  return key;
}

/** From `at` on no device takes a ticket that it has signed. Throws KeyWriteError for an unknown key. */
export function withdrawKey(path: string, keyId: number, at: Date): void {
  const { file, key } = getKey(path, keyId);
  const validFrom = key.validFrom < at ? key.validFrom : new Date(at.getTime() - 1);
  write(path, { ...file, keys: file.keys.map((each) => (each === key ? { ...each, validFrom, validTo: at } : each)) });
}

/** Keeps the public half alone. Throws KeyWriteError for a key that has no file. */
export function retireKey(path: string, keyId: number): void {
  const { file, key } = getKey(path, keyId);
  if (!('privateKeyFile' in key)) throw new KeyWriteError(`Key ${keyId} has no private key in a file`);
  const privateKey = resolve(dirname(path), key.privateKeyFile);
  const { publicKeyDer } = openFileKey(readFileSync(privateKey, 'utf8'));
  const { validFrom, validTo } = key;
  const retired = { keyId, validFrom, validTo, publicKeyDer: Buffer.from(publicKeyDer).toString('base64') };
  write(path, { ...file, keys: file.keys.map((each) => (each === key ? retired : each)) });
  rmSync(privateKey);
}

function getKey(path: string, keyId: number) {
  const file = readKeyFile(path);
  const key = file?.keys.find((each) => each.keyId === keyId);
  if (!file || !key) throw new KeyWriteError(`The file has no key ${keyId}`);
  return { file, key };
}

/** Its number in the name: a name is never used twice. */
function writePrivateKey(path: string, keyId: number): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = `ticket-key-${keyId}.pem`;
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  writeFileSync(join(dirname(path), name), pem, { mode: OWNER_ONLY, flag: 'wx' });
  return name;
}

/** Replaces the file atomically: a worker may be reading it. */
function write(path: string, file: KeyFile): void {
  const unfinished = `${path}.${randomUUID()}`;
  writeFileSync(unfinished, `${JSON.stringify(file, null, 2)}\n`, { mode: OWNER_ONLY });
  renameSync(unfinished, path);
}
