/**
 * Tries what an access key may do with the objects below a prefix, and changes nothing. It reads and deletes what does
 * not exist, and aborts the upload that it begins. Caller: tried-access.ts.
 */
import { randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { ObjectRight } from '../../platform/area.ts';
import type { ObjectStoreConfig } from '../../platform/object-store/object-store.ts';

const FORBIDDEN = 403;

export class ObjectTries {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor({ S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: ObjectStoreConfig) {
    const credentials = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
    this.#client = new S3Client({ endpoint: S3_ENDPOINT, region: S3_REGION, credentials, forcePathStyle: true });
    this.#bucket = S3_BUCKET;
  }

  /** An empty prefix is the whole bucket. */
  async rightsBelow(prefix: string): Promise<ReadonlySet<ObjectRight>> {
    const key = { Bucket: this.#bucket, Key: `${prefix}${randomUUID()}` };
    const tries: Readonly<Record<ObjectRight, () => Promise<unknown>>> = {
      get: () => this.#client.send(new GetObjectCommand(key)),
      put: () => this.#beginUpload(key),
      list: () => this.#client.send(new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, MaxKeys: 1 })),
      delete: () => this.#client.send(new DeleteObjectCommand(key)),
    };
    const allowed = new Set<ObjectRight>();
    for (const [right, attempt] of Object.entries(tries) as [ObjectRight, () => Promise<unknown>][]) {
      if (await isAllowed(attempt)) allowed.add(right);
    }
    return allowed;
  }

  close(): void {
    this.#client.destroy();
  }

  async #beginUpload(key: { readonly Bucket: string; readonly Key: string }): Promise<void> {
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(key));
    await this.#client.send(new AbortMultipartUploadCommand({ ...key, UploadId }));
  }
}

async function isAllowed(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    return error.$metadata.httpStatusCode !== FORBIDDEN;
  }
}
