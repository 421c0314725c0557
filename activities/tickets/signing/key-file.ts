/**
 * The file that `TICKET_SIGNING_KEYS` names: which keys sign tickets, and where their private halves are. Callers: the
 * documents worker, and `npm run ticket-keys`, which writes it. Errors never show a key.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';

/** Of the header of the barcode. */
const HIGHEST_ISSUER = 32_000;
const HIGHEST_KEY_ID = 99_999;
/** The mode that lets everybody on the machine read the file. */
const READABLE_BY_ALL = 0o004;

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const common = { keyId: z.int().min(0).max(HIGHEST_KEY_ID), validFrom: instant, validTo: instant };
const keyShape = z
  .union([
    z.strictObject({ ...common, privateKeyFile: z.string().min(1) }),
    z.strictObject({
      ...common,
      kmsKeyId: z.string().min(1),
      region: z.string().optional(),
      endpoint: z.url({ protocol: /^https?$/ }).optional(),
    }),
    // It signs no more: its public half stays until its last ticket has ended.
    z.strictObject({ ...common, publicKeyDer: z.base64().min(1) }),
  ])
  .refine(({ validFrom, validTo }) => validFrom < validTo, 'ends before it begins');

const fileShape = z
  .strictObject({
    issuerCode: z.int().min(1).max(HIGHEST_ISSUER),
    /** Made by a local stack or a test. Other environments refuse them. */
    development: z.boolean().optional(),
    keys: z.array(keyShape).max(100),
  })
  .refine(({ keys }) => new Set(keys.map(({ keyId }) => keyId)).size === keys.length, 'two keys have one keyId');

export type KeyFile = z.infer<typeof fileShape>;
export type KeyEntry = KeyFile['keys'][number];

export interface LoadedKeyFile {
  readonly file: KeyFile;
  /** In PEM, by key id. */
  readonly privateKeys: ReadonlyMap<number, string>;
  /** Another whenever anything has changed. */
  readonly checksum: string;
}

export class KeyFileError extends Error {}

/** Paths in the file are relative to it. Throws KeyFileError. */
export function loadKeyFile(path: string, environment: string): LoadedKeyFile {
  const isDevelopment = environment === 'development';
  const text = readSecret(path, true);
  const file = parseKeyFile(text);
  if (file.development && !isDevelopment) {
    throw new KeyFileError('its keys are for development alone: make others with npm run ticket-keys');
  }
  const hash = createHash('sha256').update(text);
  const privateKeys = new Map<number, string>();
  for (const key of file.keys) {
    if (!('privateKeyFile' in key)) continue;
    const pem = readSecret(resolve(dirname(path), key.privateKeyFile), isDevelopment);
    hash.update(pem);
    privateKeys.set(key.keyId, pem);
  }
  return { file, privateKeys, checksum: hash.digest('hex') };
}

export function parseKeyFile(text: string): KeyFile {
  const result = fileShape.safeParse(tryToParse(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new KeyFileError(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyFileError('the file is no JSON');
  }
}

function readSecret(path: string, mayBeReadByAll: boolean): string {
  try {
    if (!mayBeReadByAll && statSync(path).mode & READABLE_BY_ALL) {
      throw new KeyFileError(`everybody on this machine may read ${path}: chmod 600`);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    throw new KeyFileError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
