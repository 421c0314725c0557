/**
 * A back-up as a folder. It holds the collections as files of BSON, one file for each object with a note beside it, and
 * the manifest, which is written last. Every file is sealed, the manifest with its heading in clear. Callers: back-up
 * and restore. Readable by its owner only.
 *
 * A folder without a manifest is no back-up yet; a back-up into the same folder with the same writing key continues it.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { sealBytes } from '../../platform/keys/aes-gcm.ts';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { keyOfBackup } from './backup-keys.ts';
import {
  type BackupKind,
  boundTo,
  contents,
  type Heading,
  type Manifest,
  openSealed,
  parseJson,
  sealedManifest,
} from './manifest.ts';
import { type SealedFile, sealedFile } from './sealed-file.ts';
import { UserError } from './user-error.ts';
import { writeWhole } from './write-whole.ts';

const OWNER_ONLY = 0o700;
const MANIFEST = 'manifest.json';
const UNFINISHED = 'unfinished.json';

export class BackupFolder {
  readonly path: string;
  readonly objects: string;
  readonly #keys: KeyRing;
  #opened: { readonly heading: Heading; readonly key: Uint8Array } | undefined;

  constructor(path: string, keys: KeyRing) {
    this.path = path;
    this.objects = join(path, 'objects');
    this.#keys = keys;
  }

  /** Call after `begin` or `readManifest`. */
  collectionFile(name: string): SealedFile {
    return this.file(`documents/${name}.bson.gz`);
  }

  /** `place` is the path below the folder: the content opens nowhere else, and in no other back-up. */
  file(place: string): SealedFile {
    return sealedFile(join(this.path, place), this.#open().key, place);
  }

  /** Takes an empty folder, or one with an unfinished back-up of this kind. Throws for any other. */
  async begin(kind: BackupKind): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: OWNER_ONLY });
    if (existsSync(join(this.path, MANIFEST))) throw new UserError(`${this.path} holds a back-up: name another folder`);
    const text = await readFile(join(this.path, UNFINISHED), 'utf8').catch(() => undefined);
    if (text === undefined && (await readdir(this.path)).length > 0) throw new UserError(`${this.path} is not empty`);
    const begun = text === undefined ? undefined : this.#readBegun(text, kind);
    const own: Heading = begun ?? { format: 2, kind, id: randomUUID(), keyId: this.#keys.writingKeyId };
    const key = keyOfBackup(this.#keys, own.keyId, own.id);
    this.#opened = { heading: own, key };
    if (!begun) {
      const sealed = sealBytes(key, Buffer.alloc(0), boundTo(own, 'unfinished')).toString('base64');
      await writeWhole(join(this.path, UNFINISHED), JSON.stringify({ ...own, sealed }));
    }
    await rm(join(this.path, 'documents'), { recursive: true, force: true });
    for (const folder of ['documents', 'objects']) {
      await mkdir(join(this.path, folder), { recursive: true, mode: OWNER_ONLY });
    }
  }

  /** The heading of the back-up that was begun here. Throws UserError unless this installation began it with its writing key. */
  #readBegun(text: string, kind: BackupKind): Heading {
    const read = sealedManifest.safeParse(parseJson(text));
    if (!read.success) throw new UserError(`In ${this.path} an earlier release began a back-up: name another folder`);
    const { sealed, ...own } = read.data;
    if (own.kind !== kind) throw new UserError(`In ${this.path} a back-up of another kind (${own.kind}) was begun`);
    if (own.keyId !== this.#keys.writingKeyId) {
      throw new UserError(
        `In ${this.path} a back-up was begun with another key than the first one: name another folder`,
      );
    }
    const key = keyOfBackup(this.#keys, own.keyId, own.id);
    if (openSealed(key, sealed, boundTo(own, 'unfinished')) === undefined) {
      throw new UserError(`${join(this.path, UNFINISHED)} is damaged, or of another installation: name another folder`);
    }
    return own;
  }

  /** Writes the manifest, which completes the back-up. */
  async finish(found: Omit<z.infer<typeof contents>, 'finishedAt'>): Promise<Manifest> {
    const { heading: own, key } = this.#open();
    const whole = { finishedAt: new Date().toISOString(), ...found };
    const sealed = sealBytes(key, Buffer.from(JSON.stringify(whole)), boundTo(own, 'manifest')).toString('base64');
    await writeWhole(join(this.path, MANIFEST), `${JSON.stringify({ ...own, sealed }, null, 2)}\n`);
    await rm(join(this.path, UNFINISHED), { force: true });
    return { ...own, ...whole };
  }

  async readManifest(kind?: BackupKind): Promise<Manifest> {
    const text = await readFile(join(this.path, MANIFEST), 'utf8').catch(() => undefined);
    if (text === undefined)
      throw new UserError(`${this.path} holds no back-up that was finished: manifest.json is missing`);
    const damaged = new UserError(`${join(this.path, MANIFEST)} is damaged, or of another release or installation`);
    const read = sealedManifest.safeParse(parseJson(text));
    if (!read.success) throw damaged;
    const { sealed, ...own } = read.data;
    if (kind !== undefined && own.kind !== kind) {
      throw new UserError(`${this.path} holds a back-up of ${own.kind}, not of ${kind}`);
    }
    const key = keyOfBackup(this.#keys, own.keyId, own.id);
    const opened = contents.safeParse(parseJson(openSealed(key, sealed, boundTo(own, 'manifest')) ?? ''));
    if (!opened.success) throw damaged;
    this.#opened = { heading: own, key };
    return { ...own, ...opened.data };
  }

  #open() {
    if (!this.#opened) throw new Error('The folder of a back-up is used before it was begun or its manifest was read');
    return this.#opened;
  }
}
