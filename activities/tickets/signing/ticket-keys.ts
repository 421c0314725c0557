/**
 * The signing keys of one process. It publishes the public halves before a key signs, and follows the file that lists the keys
 * while it runs. A file that has become unusable changes nothing: the keys before it go on signing.
 */
import { createPublicKey, verify } from 'node:crypto';
import type { Logger } from '../../../platform/log.ts';
import { type ChoosableKey, chooseKey, signsUntil } from './choose-key.ts';
import { openFileKey, openRetiredKey } from './file-key.ts';
import { type KeyEntry, type LoadedKeyFile, loadKeyFile } from './key-file.ts';
import { openKmsKey } from './kms-key.ts';
import { KeyNumberTakenError, type TicketKeyStore } from './ticket-key-store.ts';
import {
  type KeyMaterial,
  NoTicketKeyError,
  type SigningTicketKey,
  type TicketKeyFacts,
  type TicketSigner,
} from './ticket-signer.ts';

export interface TicketKeysOptions {
  /** Of the file. */
  readonly path: string;
  readonly environment: string;
  readonly store: TicketKeyStore;
  readonly log: Logger;
  readonly now?: () => Date;
}

interface OpenKey extends ChoosableKey, TicketKeyFacts {
  /** Of the file. `validTo` is earlier where the key was withdrawn elsewhere. */
  readonly listedTo: Date;
  readonly material: KeyMaterial;
}

export class TicketKeys implements TicketSigner {
  readonly #options: TicketKeysOptions;
  readonly #now: () => Date;
  #loaded: LoadedKeyFile;
  #keys: readonly OpenKey[] = [];
  #foreign: readonly number[] = [];
  #isFaulty = false;

  /** Throws where the file is unusable, and where a key cannot be reached or published. */
  static async open(options: TicketKeysOptions): Promise<TicketKeys> {
    const keys = new TicketKeys(options, loadKeyFile(options.path, options.environment));
    await keys.#use(keys.#loaded);
    return keys;
  }

  private constructor(options: TicketKeysOptions, loaded: LoadedKeyFile) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#loaded = loaded;
  }

  get issuerCode(): number {
    return this.#loaded.file.issuerCode;
  }

  /** False while the file is unusable. */
  get isSound(): boolean {
    return !this.#isFaulty;
  }

  get signsUntil(): Date {
    return signsUntil(this.#signing());
  }

  get published(): readonly TicketKeyFacts[] {
    return this.#keys;
  }

  /** Keys in the database that the file does not list and that have not ended: somebody else has put them there. */
  get foreign(): readonly number[] {
    return this.#foreign;
  }

  /** Keys that were published with an earlier end than the file has. The earlier one counts. */
  get differing(): readonly number[] {
    return this.#keys.filter(({ validTo, listedTo }) => validTo < listedTo).map(({ keyId }) => keyId);
  }

  current(at: Date, until: Date = at): SigningTicketKey {
    const key = chooseKey(this.#signing(), at, until);
    if (!key) throw new NoTicketKeyError();
    const { keyId, validTo } = key;
    return { keyId, validTo, sign: async (bytes) => await signVerified(key, bytes) };
  }

  /** Takes over a changed file. Repeated while the process lives. */
  async follow(): Promise<void> {
    const { path, environment, log } = this.#options;
    try {
      const loaded = loadKeyFile(path, environment);
      if (loaded.checksum !== this.#loaded.checksum) {
        await this.#use(loaded);
        log.info({ keys: this.#keys.map(({ keyId }) => keyId) }, 'uses other ticket signing keys');
      } else if (this.#isFaulty) await this.#use(loaded);
      this.#isFaulty = false;
    } catch (error) {
      if (!this.#isFaulty)
        log.error({ err: error }, 'the ticket signing keys are unusable: the former ones go on signing');
      this.#isFaulty = true;
    }
    await this.refresh();
  }

  /** Compares with what is published. A key that another worker has withdrawn ends here too. */
  async refresh(): Promise<void> {
    const { store } = this.#options;
    const published = await store.list();
    this.#keys = this.#keys.map((key) => asPublished(key, published));
    // A back-up that was restored may know a key with its former end, or not at all.
    for (const key of this.#keys) if (!isPublished(key, published)) await this.#publishAgain(key);
    const own = new Set(this.#keys.map(describe));
    const foreign = published.filter((key) => key.validTo > this.#now() && !own.has(describe(key)));
    this.#foreign = foreign.map(({ keyId }) => keyId);
  }

  /** `foreign` tells of another key under its number: the file of the devices is made all the same. */
  async #publishAgain(key: OpenKey): Promise<void> {
    try {
      await this.#options.store.publish(key, this.#now());
    } catch (error) {
      if (!(error instanceof KeyNumberTakenError)) throw error;
    }
  }

  close(): void {
    for (const { material } of this.#keys) material.close();
  }

  #signing(): readonly OpenKey[] {
    return this.#keys.filter(({ material }) => material.sign);
  }

  async #use(loaded: LoadedKeyFile): Promise<void> {
    const opened: { entry: KeyEntry; material: KeyMaterial }[] = [];
    try {
      for (const entry of loaded.file.keys) opened.push({ entry, material: await openKey(entry, loaded) });
      this.#keys = await this.#publish(loaded, opened, () => this.close());
      this.#loaded = loaded;
    } catch (error) {
      for (const { material } of opened) material.close();
      throw error;
    }
  }

  /** `closeFormer` is called when nothing can fail any more. */
  async #publish(
    { file: { issuerCode } }: LoadedKeyFile,
    opened: readonly { entry: KeyEntry; material: KeyMaterial }[],
    closeFormer: () => void,
  ): Promise<readonly OpenKey[]> {
    const { store } = this.#options;
    for (const { entry, material } of opened) {
      const { keyId, validFrom, validTo } = entry;
      const { publicKeyDer } = material;
      await store.publish({ issuerCode, keyId, publicKeyDer, validFrom, validTo }, this.#now());
    }
    const published = await store.list();
    closeFormer();
    return opened.flatMap(({ entry: { keyId, validFrom, validTo }, material }) => {
      const publishedAt = published.find((key) => key.issuerCode === issuerCode && key.keyId === keyId)?.publishedAt;
      const { publicKeyDer } = material;
      if (!publishedAt) return [];
      const key = { issuerCode, keyId, publicKeyDer, validFrom, validTo, publishedAt, listedTo: validTo, material };
      return [asPublished(key, published)];
    });
  }
}

/** Published is the earliest of either time: workers with different files agree. */
function asPublished(key: OpenKey, published: readonly TicketKeyFacts[]): OpenKey {
  const found = published.find((each) => describe(each) === describe(key));
  if (!found) return key;
  return { ...key, validFrom: earlier(found.validFrom, key.validFrom), validTo: earlier(found.validTo, key.validTo) };
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function isPublished(key: OpenKey, published: readonly TicketKeyFacts[]): boolean {
  return published.some(
    (each) => describe(each) === describe(key) && each.validFrom <= key.validFrom && each.validTo <= key.validTo,
  );
}

async function openKey(entry: KeyEntry, { privateKeys }: LoadedKeyFile): Promise<KeyMaterial> {
  if ('kmsKeyId' in entry) return await openKmsKey(entry);
  if ('publicKeyDer' in entry) return openRetiredKey(entry.publicKeyDer);
  return openFileKey(privateKeys.get(entry.keyId) ?? '');
}

function describe({ issuerCode, keyId, publicKeyDer }: TicketKeyFacts): string {
  return `${issuerCode}/${keyId}/${Buffer.from(publicKeyDer).toString('base64')}`;
}

/** A wrong signature would be found by an inspector, in a train. */
async function signVerified({ keyId, material }: OpenKey, bytes: Uint8Array): Promise<Uint8Array> {
  const signature = await material.sign?.(bytes);
  const publicKey = createPublicKey({ key: Buffer.from(material.publicKeyDer), format: 'der', type: 'spki' });
  if (signature && verify('sha256', bytes, publicKey, signature)) return signature;
  throw new Error(`Key ${keyId} has made a signature that is not its own`);
}
