/**
 * Multipart uploads in bounded memory: one part buffer per upload, filled, sent, filled again.
 *
 * Caller: object-store.ts only. The source is not read while a part is on its way, so a slow store slows the sender
 * instead of growing this process. An upload that fails is aborted; nothing is visible before it is complete.
 */
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

export interface PutStreamOptions {
  readonly contentType: string;
  readonly signal?: AbortSignal;
}

interface Target {
  readonly bucket: string;
  readonly key: string;
}

/** The least that S3 takes for a part that is not the last. */
const PART_BYTES = 5 * 1024 * 1024;

export async function putStream(
  client: S3Client,
  target: Target,
  source: AsyncIterable<Uint8Array>,
  options: PutStreamOptions,
): Promise<number> {
  const upload = new Upload(client, target, options);
  // Never a pooled or zeroed buffer: pages that a small upload does not touch cost no memory.
  const part = Buffer.allocUnsafeSlow(PART_BYTES);
  let filled = 0;
  let sizeBytes = 0;
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.length;
      for (let taken = 0; taken < chunk.length; ) {
        const count = Math.min(chunk.length - taken, PART_BYTES - filled);
        part.set(chunk.subarray(taken, taken + count), filled);
        taken += count;
        filled += count;
        if (filled === PART_BYTES) {
          await upload.sendPart(part);
          filled = 0;
        }
      }
    }
    options.signal?.throwIfAborted();
    await upload.finish(part.subarray(0, filled));
    return sizeBytes;
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

class Upload {
  readonly #client: S3Client;
  readonly #target: { readonly Bucket: string; readonly Key: string };
  readonly #options: PutStreamOptions;
  readonly #parts: CompletedPart[] = [];
  #uploadId: string | undefined;

  constructor(client: S3Client, target: Target, options: PutStreamOptions) {
    this.#client = client;
    this.#target = { Bucket: target.bucket, Key: target.key };
    this.#options = options;
  }

  get #sending(): { abortSignal?: AbortSignal } {
    return this.#options.signal === undefined ? {} : { abortSignal: this.#options.signal };
  }

  async sendPart(bytes: Buffer): Promise<void> {
    this.#uploadId ??= await this.#create();
    const PartNumber = this.#parts.length + 1;
    const answer = await this.#client.send(
      new UploadPartCommand({ ...this.#target, UploadId: this.#uploadId, PartNumber, Body: bytes }),
      this.#sending,
    );
    this.#parts.push({ PartNumber, ETag: answer.ETag });
  }

  async #create(): Promise<string> {
    const answer = await this.#client.send(
      new CreateMultipartUploadCommand({ ...this.#target, ContentType: this.#options.contentType }),
      this.#sending,
    );
    if (answer.UploadId === undefined) throw new Error('The object store opened an upload without an id');
    return answer.UploadId;
  }

  /** Sends the rest; what fits one part goes as one object, in one call. */
  async finish(rest: Buffer): Promise<void> {
    if (this.#uploadId === undefined) {
      await this.#client.send(
        new PutObjectCommand({ ...this.#target, Body: rest, ContentType: this.#options.contentType }),
        this.#sending,
      );
      return;
    }
    if (rest.length > 0) await this.sendPart(rest);
    await this.#client.send(
      new CompleteMultipartUploadCommand({
        ...this.#target,
        UploadId: this.#uploadId,
        MultipartUpload: { Parts: this.#parts },
      }),
      this.#sending,
    );
  }

  /** Best effort: the first error is the one to tell, and `abortUploads` finds what is left. */
  async abort(): Promise<void> {
    if (this.#uploadId === undefined) return;
    await this.#client
      .send(new AbortMultipartUploadCommand({ ...this.#target, UploadId: this.#uploadId }))
      .catch(() => undefined);
  }
}

/** MinIO lists unfinished uploads only for a whole key, so this asks for exactly one. */
export async function abortUploadsOf(client: S3Client, { bucket, key }: Target): Promise<number> {
  let aborted = 0;
  for (;;) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }));
    const open = (page.Uploads ?? []).filter((upload) => upload.Key === key);
    for (const upload of open) {
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: upload.UploadId }));
    }
    aborted += open.length;
    if (!page.IsTruncated || open.length === 0) return aborted;
  }
}
