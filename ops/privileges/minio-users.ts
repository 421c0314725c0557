/**
 * Users and policies of a MinIO server, by its administration over HTTP. Caller: prepare-bucket.ts. Other object stores
 * differ: there the operator makes users by the policies that `docs/operations/privileges.md` lists.
 */
import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStoreConfig } from '../../platform/object-store/object-store.ts';
import type { BucketPolicy } from '../../platform/privileges/bucket-policy.ts';

/** The signer takes a request and adds the headers that prove the administrator's key. */
interface Signer {
  sign(request: object): Promise<{ readonly headers: Readonly<Record<string, string>> }>;
}

const PATH = '/minio/admin/v3';
const TIMEOUT_MS = 30_000;

export class MinioUsers {
  readonly #endpoint: URL;
  readonly #client: S3Client;
  readonly #secret: string;

  /** `config` holds the administrator's keys. */
  constructor({ S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: ObjectStoreConfig) {
    this.#endpoint = new URL(S3_ENDPOINT);
    this.#secret = S3_SECRET_ACCESS_KEY;
    const credentials = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
    this.#client = new S3Client({ region: S3_REGION, credentials });
  }

  /** Makes the user, or gives an existing one this secret. */
  async putUser(accessKey: string, secretKey: string): Promise<void> {
    const user = Buffer.from(JSON.stringify({ secretKey, status: 'enabled' }));
    await this.#put('add-user', { accessKey }, sealForMinio(this.#secret, user));
  }

  async putPolicy(name: string, policy: BucketPolicy): Promise<void> {
    await this.#put('add-canned-policy', { name }, Buffer.from(JSON.stringify(policy)));
  }

  /** Afterwards the user has this policy and no other. */
  async attachPolicy(userOrGroup: string, policyName: string): Promise<void> {
    await this.#put('set-user-or-group-policy', { userOrGroup, isGroup: 'false', policyName }, Buffer.alloc(0));
  }

  close(): void {
    this.#client.destroy();
  }

  async #put(command: string, query: Readonly<Record<string, string>>, body: Buffer): Promise<void> {
    const { protocol, hostname, port, host } = this.#endpoint;
    const path = `${PATH}/${command}`;
    const signer = (await this.#client.config.signer()) as unknown as Signer;
    const { headers } = await signer.sign({
      method: 'PUT',
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path,
      query,
      headers: { host, 'content-length': String(body.length) },
      body,
    });
    const url = new URL(`${path}?${new URLSearchParams(query)}`, this.#endpoint);
    const answer = await fetch(url, { method: 'PUT', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The object store refused ${command} with ${answer.status}: ${text.slice(0, 300)}`);
  }
}

const SALT_BYTES = 32;
const NONCE_BYTES = 8;
/** MinIO's id of a key by PBKDF2 and AES-256-GCM. */
const ALGORITHM = 0x02;
const ITERATIONS = 8_192;
const LAST_FRAGMENT = 0x80;
/** A longer text needs several fragments. */
const FRAGMENT_BYTES = 16_384;

/**
 * Secrets go to MinIO sealed with the administrator's own. The form is salt, algorithm, nonce, and one fragment of a
 * stream whose associated data is the tag of an empty message. Throws RangeError for more than one fragment.
 */
export function sealForMinio(secret: string, text: Buffer): Buffer {
  if (text.length > FRAGMENT_BYTES) throw new RangeError('The text is too long for one fragment');
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const key = pbkdf2Sync(secret, salt, ITERATIONS, 32, 'sha256');
  const seal = (sequence: number, plain: Buffer, associated: Buffer): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32LE(sequence);
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.concat([nonce, counter])).setAAD(associated);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  const none = Buffer.alloc(0);
  const associated = Buffer.concat([Buffer.of(LAST_FRAGMENT), seal(0, none, none)]);
  return Buffer.concat([salt, Buffer.of(ALGORITHM), nonce, seal(1, text, associated)]);
}
