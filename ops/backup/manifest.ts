/**
 * The manifest of a back-up: what it says, and its seal. The heading stands in clear, and the seal is bound to it.
 * Callers: the folder of a back-up; the types serve all code that makes or reads one.
 */
import { z } from 'zod';
import { openBytes } from '../../platform/keys/aes-gcm.ts';

/** `customer-keys` holds the database of the keys alone, which `data` never holds. */
const KINDS = ['data', 'customer-keys'] as const;
export type BackupKind = (typeof KINDS)[number];

const collectionEntry = z.object({
  /** Only plain letters, because it names a file. */
  name: z.string().regex(/^\w[\w.-]*$/),
  documents: z.number().int(),
  bytes: z.number().int(),
  /** Hash of all documents' BSON in the order of their `_id`. */
  sha256: z.string(),
  /** Canonical extended JSON: options of `createCollection` and `createIndexes`. */
  options: z.record(z.string(), z.unknown()),
  indexes: z.array(z.record(z.string(), z.unknown())),
});
const objectsEntry = z.object({ count: z.number().int(), bytes: z.number().int(), sha256: z.string() });
/** In clear and authenticated, because the seal of the contents is bound to it. */
const heading = z.object({
  format: z.literal(2),
  kind: z.enum(KINDS),
  id: z.string(),
  /** Id of a key in BACKUP_KEYS. */
  keyId: z.string(),
});
export const contents = z.object({
  /** The documents belong to one instant at or after this one. */
  documentsAsOf: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  collections: z.array(collectionEntry),
  objects: objectsEntry.optional(),
});
export const sealedManifest = heading.extend({ sealed: z.base64() });

export type Heading = z.infer<typeof heading>;
export type Manifest = Heading & z.infer<typeof contents>;
export type CollectionEntry = z.infer<typeof collectionEntry>;
export type ObjectsEntry = z.infer<typeof objectsEntry>;

export function boundTo({ format, kind, id, keyId }: Heading, file: 'manifest' | 'unfinished'): string {
  return `${file}/${JSON.stringify([format, kind, id, keyId])}`;
}

/** Undefined if the seal does not match this key and heading. */
export function openSealed(key: Uint8Array, sealed: string, heading: string): string | undefined {
  try {
    return openBytes(key, Buffer.from(sealed, 'base64'), heading).toString();
  } catch {
    return undefined;
  }
}

/** Undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
