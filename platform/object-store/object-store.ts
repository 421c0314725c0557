/**
 * Large data by key: archives, reports, working files. Any S3 API serves.
 *
 * Callers: the upload and download handlers, the activities of the pipeline. Holds a whole object in memory only when
 * asked to by `put` and `getRange`. It leaves no multipart upload open while the process lives. `abortUploads` removes
 * those of a dying process; callers pass keys that the database knows to be unfinished.
 */
import type { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { abortUploadsOf, type PutStreamOptions, putStream } from './object-store-upload.ts';

export interface ObjectStoreConfig {
  readonly S3_ENDPOINT: string;
  readonly S3_REGION: string;
  readonly S3_BUCKET: string;
  readonly S3_ACCESS_KEY_ID: string;
  readonly S3_SECRET_ACCESS_KEY: string;
}

export interface ObjectInfo {
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModified: Date;
  /** Set by `head` alone. */
  readonly contentType?: string;
}

export interface ByteRange {
  readonly offset: number;
  readonly lengthBytes: number;
}

/** The key holds nothing. Retrying does not help. */
export class ObjectMissingError extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`The object store holds nothing under ${key}`);
    this.name = 'ObjectMissingError';
    this.key = key;
  }
}

/** DeleteObjects takes at most this many keys a call. */
const DELETE_BATCH = 1_000;

/** Connections of a process to the store, without those of `ping`. A stream that nobody reads holds one. */
export const MAX_STORE_CONNECTIONS = 100;
/** `ping` has connections of its own: while streams hold all others, the store is still up. */
const MAX_PING_CONNECTIONS = 4;
/** A ping without an answer frees its connection soon, so that later ones need not wait. */
const PING_SILENCE_MS = 5_000;

export class ObjectStore {
  readonly #client: S3Client;
  readonly #pingClient: S3Client;
  readonly #bucket: string;

  private constructor(config: ObjectStoreConfig) {
    this.#client = createClient(config, { maxSockets: MAX_STORE_CONNECTIONS, socketTimeoutMs: 30_000 });
    this.#pingClient = createClient(config, { maxSockets: MAX_PING_CONNECTIONS, socketTimeoutMs: PING_SILENCE_MS });
    this.#bucket = config.S3_BUCKET;
  }

  /** Opens no connection yet. */
  static connect(config: ObjectStoreConfig): ObjectStore {
    return new ObjectStore(config);
  }

  /** Connects and creates the bucket if it is missing. */
  static async open(config: ObjectStoreConfig): Promise<ObjectStore> {
    const store = ObjectStore.connect(config);
    await store.#ensureBucket();
    return store;
  }

  async #ensureBucket(): Promise<void> {
    try {
      await this.ping();
      return;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    try {
      await this.#client.send(new CreateBucketCommand({ Bucket: this.#bucket }));
    } catch (error) {
      // Another process made it between the two calls.
      if (!(error instanceof S3ServiceException) || !error.name.startsWith('BucketAlready')) throw error;
    }
  }

  /**
   * For readiness: throws when the store or the bucket is unavailable. It asks for the bucket's place, as every process may:
   * other requests for the bucket need the right to list all of it.
   */
  async ping(signal?: AbortSignal): Promise<void> {
    await this.#pingClient.send(new GetBucketLocationCommand({ Bucket: this.#bucket }), withSignal(signal));
  }

  /** The object, or one range of it, as a stream. Throws ObjectMissingError. */
  async get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable> {
    try {
      const answer = await this.#client.send(
        new GetObjectCommand({
          Bucket: this.#bucket,
          Key: key,
          ...(range && { Range: `bytes=${range.offset}-${range.offset + range.lengthBytes - 1}` }),
        }),
        withSignal(signal),
      );
      return answer.Body as Readable;
    } catch (error) {
      throw isMissing(error) ? new ObjectMissingError(key) : error;
    }
  }

  /** Exactly `lengthBytes` bytes from `offset`; throws RangeError when the object ends before. */
  async getRange(key: string, offset: number, lengthBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
    const bytes = new Uint8Array(lengthBytes);
    if (lengthBytes === 0) return bytes;
    let filled = 0;
    for await (const chunk of await this.get(key, { offset, lengthBytes }, signal)) {
      bytes.set(chunk as Uint8Array, filled);
      filled += (chunk as Uint8Array).length;
    }
    if (filled !== lengthBytes) throw new RangeError(`${key} ends ${lengthBytes - filled} bytes before the range does`);
    return bytes;
  }

  /** Writes a small object in one call; an object already there is replaced. */
  async put(key: string, bytes: Uint8Array, contentType: string, signal?: AbortSignal): Promise<void> {
    await this.#client.send(
      new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: bytes, ContentType: contentType }),
      withSignal(signal),
    );
  }

  /**
   * Writes an object of unknown size in bounded memory; visible only when complete. Throws what `source` throws, after
   * removing every part. Answers the number of bytes written.
   */
  async putStream(key: string, source: AsyncIterable<Uint8Array>, options: PutStreamOptions): Promise<number> {
    return await putStream(this.#client, { bucket: this.#bucket, key }, source, options);
  }

  /** Removes the parts of unfinished uploads to exactly this key. Answers how many there were. */
  async abortUploads(key: string): Promise<number> {
    return await abortUploadsOf(this.#client, { bucket: this.#bucket, key });
  }

  async head(key: string, signal?: AbortSignal): Promise<ObjectInfo | undefined> {
    try {
      const answer = await this.#client.send(
        new HeadObjectCommand({ Bucket: this.#bucket, Key: key }),
        withSignal(signal),
      );
      const { ContentLength: sizeBytes = 0, LastModified: lastModified = new Date(0), ContentType } = answer;
      return { key, sizeBytes, lastModified, ...(ContentType !== undefined && { contentType: ContentType }) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Every object whose key starts with `prefix`, in key order. */
  async *list(prefix: string): AsyncGenerator<ObjectInfo> {
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: prefix,
          ...(token !== undefined && { ContinuationToken: token }),
        }),
      );
      for (const item of page.Contents ?? []) {
        yield { key: item.Key ?? '', sizeBytes: item.Size ?? 0, lastModified: item.LastModified ?? new Date(0) };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  /** Deleting an absent object is no error. */
  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  /** Deletes every object under `prefix`, which must not be empty. Answers how many there were. */
  async deletePrefix(prefix: string): Promise<number> {
    if (prefix === '') throw new Error('Refusing to delete the whole bucket: the prefix is empty');
    let deleted = 0;
    let batch: string[] = [];
    const flush = async () => {
      await this.#deleteAll(batch);
      deleted += batch.length;
      batch = [];
    };
    for await (const item of this.list(prefix)) {
      if (batch.push(item.key) === DELETE_BATCH) await flush();
    }
    if (batch.length > 0) await flush();
    return deleted;
  }

  async #deleteAll(keys: readonly string[]): Promise<void> {
    const answer = await this.#client.send(
      new DeleteObjectsCommand({
        Bucket: this.#bucket,
        Delete: { Quiet: true, Objects: keys.map((key) => ({ Key: key })) },
      }),
    );
    const failed = answer.Errors?.[0];
    if (failed) throw new Error(`Could not delete ${failed.Key}: ${failed.Code}`);
  }

  close(): void {
    this.#client.destroy();
    this.#pingClient.destroy();
  }
}

interface Connections {
  readonly maxSockets: number;
  /** Bounds silence on a connection, not a whole transfer. */
  readonly socketTimeoutMs: number;
}

function createClient(config: ObjectStoreConfig, { maxSockets, socketTimeoutMs }: Connections): S3Client {
  return new S3Client({
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
    forcePathStyle: true,
    maxAttempts: 3,
    // The signature covers a hash of the body already; a further checksum would wrap, and copy, every body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: 3_000,
      socketTimeout: socketTimeoutMs,
      httpAgent: { keepAlive: true, maxSockets },
    },
  });
}

function withSignal(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}
