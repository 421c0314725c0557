/**
 * Uploads objects of unknown size in little memory: each part is gathered in a file and sent when it is full.
 *
 * Caller: object-store.ts only. S3 needs the length of a part before its bytes, and at least 5 MiB in each part but the
 * last. In memory, those parts would be most of the API's memory under many uploads. The source is not read while a
 * part is being sent, so a slow store slows the sender. An upload that fails is aborted; nothing is visible before it
 * is complete.
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
import { Part } from './object-store-part.ts';

export interface PutStreamOptions {
  readonly contentType: string;
  readonly signal?: AbortSignal;
}

/** The signature takes the hash that the request states; without one it hashes the whole body itself. */
function stateHash(command: UploadPartCommand, sha256: string): UploadPartCommand {
  command.middlewareStack.add(
    (next) => (call) => {
      (call.request as { readonly headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
      return next(call);
    },
    { step: 'build', name: 'stateHash' },
  );
  return command;
}

interface Target {
  readonly bucket: string;
  readonly key: string;
}

export async function putStream(
  client: S3Client,
  target: Target,
  source: AsyncIterable<Uint8Array>,
  options: PutStreamOptions,
): Promise<number> {
  const upload = new Upload(client, target, options);
  const part = await Part.open();
  let sizeBytes = 0;
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.length;
      for (let taken = 0; taken < chunk.length; ) {
        taken += await part.append(chunk.subarray(taken));
        if (part.isFull) await upload.sendPart(part);
      }
    }
    options.signal?.throwIfAborted();
    await upload.finish(part);
    return sizeBytes;
  } catch (error) {
    await upload.abort();
    throw error;
  } finally {
    await part.close();
  }
}

class Upload {
  readonly #client: S3Client;
  readonly #target: { readonly Bucket: string; readonly Key: string };
  readonly #contentType: string;
  readonly #sending: { readonly abortSignal?: AbortSignal };
  readonly #parts: CompletedPart[] = [];
  #uploadId: string | undefined;

  constructor(client: S3Client, target: Target, { contentType, signal }: PutStreamOptions) {
    this.#client = client;
    this.#target = { Bucket: target.bucket, Key: target.key };
    this.#contentType = contentType;
    this.#sending = signal === undefined ? {} : { abortSignal: signal };
  }

  async sendPart(part: Part): Promise<void> {
    this.#uploadId ??= await this.#create();
    const UploadId = this.#uploadId;
    const PartNumber = this.#parts.length + 1;
    const { ETag } = await part.withBytes((Body, sha256) => {
      const command = new UploadPartCommand({ ...this.#target, UploadId, PartNumber, Body });
      return this.#client.send(stateHash(command, sha256), this.#sending);
    });
    this.#parts.push({ PartNumber, ETag });
    part.clear();
  }

  async #create(): Promise<string> {
    const answer = await this.#client.send(
      new CreateMultipartUploadCommand({ ...this.#target, ContentType: this.#contentType }),
      this.#sending,
    );
    if (answer.UploadId === undefined) throw new Error('The object store opened an upload without an id');
    return answer.UploadId;
  }

  /** Sends the rest; what fits one part goes as one object, in one call. */
  async finish(rest: Part): Promise<void> {
    const UploadId = this.#uploadId;
    if (UploadId === undefined) {
      await rest.withBytes((Body) =>
        this.#client.send(
          new PutObjectCommand({ ...this.#target, ContentType: this.#contentType, Body }),
          this.#sending,
        ),
      );
      return;
    }
    if (!rest.isEmpty) await this.sendPart(rest);
    const MultipartUpload = { Parts: this.#parts };
    await this.#client.send(
      new CompleteMultipartUploadCommand({ ...this.#target, UploadId, MultipartUpload }),
      this.#sending,
    );
  }

  /** Best effort: the caller throws the first error, and `abortUploads` finds what is left. */
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
