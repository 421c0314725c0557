/**
 * A back-up as a folder: the collections as files of BSON, the objects one file each with a note beside it, and the manifest,
 * which is written last. Callers: back-up and restore. Readable by its owner only.
 *
 * A folder without a manifest is no back-up yet; a back-up into the same folder continues it.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { z } from 'zod';
import { UserError } from './user-error.ts';

const { EJSON } = mongoose.mongo.BSON;
const OWNER_ONLY = 0o700;
const FILE_OWNER_ONLY = 0o600;
const MANIFEST = 'manifest.json';
const UNFINISHED = 'unfinished.json';

/** `customer-keys` holds the database of the keys alone, which `data` never holds. */
const KINDS = ['data', 'customer-keys'] as const;
export type BackupKind = (typeof KINDS)[number];

const collectionEntry = z.object({
  /** Only plain letters, because it names a file. */
  name: z.string().regex(/^\w[\w.-]*$/),
  documents: z.number().int(),
  bytes: z.number().int(),
  /** Of all documents' BSON in the order of their `_id`. */
  sha256: z.string(),
  /** Canonical extended JSON: of `createCollection` and `createIndexes`. */
  options: z.record(z.string(), z.unknown()),
  indexes: z.array(z.record(z.string(), z.unknown())),
});
const objectsEntry = z.object({ count: z.number().int(), bytes: z.number().int(), sha256: z.string() });
const manifest = z.object({
  format: z.literal(1),
  kind: z.enum(KINDS),
  id: z.string(),
  /** The documents are those of one instant at or after this. */
  documentsAsOf: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  collections: z.array(collectionEntry),
  objects: objectsEntry.optional(),
});

export type Manifest = z.infer<typeof manifest>;
export type CollectionEntry = z.infer<typeof collectionEntry>;
export type ObjectsEntry = z.infer<typeof objectsEntry>;

export class BackupFolder {
  readonly path: string;
  readonly objects: string;

  constructor(path: string) {
    this.path = path;
    this.objects = join(path, 'objects');
  }

  collectionFile(name: string): string {
    return join(this.path, 'documents', `${name}.bson.gz`);
  }

  /** Takes an empty folder, or one with an unfinished back-up of this kind. Throws for any other. */
  async begin(kind: BackupKind): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: OWNER_ONLY });
    if (existsSync(join(this.path, MANIFEST))) throw new UserError(`${this.path} holds a back-up: name another folder`);
    const begun = await readFile(join(this.path, UNFINISHED), 'utf8').catch(() => undefined);
    if (begun === undefined && (await readdir(this.path)).length > 0) throw new UserError(`${this.path} is not empty`);
    if (begun !== undefined && JSON.parse(begun).kind !== kind) {
      throw new UserError(`In ${this.path} a back-up of another kind (${JSON.parse(begun).kind}) was begun`);
    }
    if (begun === undefined) await writeWhole(join(this.path, UNFINISHED), JSON.stringify({ kind }));
    await rm(join(this.path, 'documents'), { recursive: true, force: true });
    for (const folder of ['documents', 'objects']) {
      await mkdir(join(this.path, folder), { recursive: true, mode: OWNER_ONLY });
    }
  }

  /** Writes the manifest, which completes the back-up. */
  async finish(contents: Omit<Manifest, 'format' | 'id' | 'finishedAt'>): Promise<Manifest> {
    const whole: Manifest = { format: 1, id: randomUUID(), finishedAt: new Date().toISOString(), ...contents };
    await writeWhole(join(this.path, MANIFEST), `${JSON.stringify(whole, null, 2)}\n`);
    await rm(join(this.path, UNFINISHED), { force: true });
    return whole;
  }

  async readManifest(kind?: BackupKind): Promise<Manifest> {
    const text = await readFile(join(this.path, MANIFEST), 'utf8').catch(() => undefined);
    if (text === undefined)
      throw new UserError(`${this.path} holds no back-up that was finished: manifest.json is missing`);
    const read = manifest.safeParse(parseJson(text));
    if (!read.success) throw new UserError(`${join(this.path, MANIFEST)} is damaged, or of another release`);
    if (kind !== undefined && read.data.kind !== kind) {
      throw new UserError(`${this.path} holds a back-up of ${read.data.kind}, not of ${kind}`);
    }
    return read.data;
  }
}

/** Readers see the old content or the new, also after a power cut. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'w', FILE_OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

export function toPlainJson(value: object): Record<string, unknown> {
  return EJSON.serialize(value, { relaxed: false }) as Record<string, unknown>;
}

export function fromPlainJson(value: Record<string, unknown>): Record<string, unknown> {
  return EJSON.deserialize(value, { relaxed: false }) as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
