/**
 * Searches everything that a service stores for texts that must not be there (any more). It reads every document of
 * every database with the oplog, every object, every log and every workflow history, raw and decoded.
 *
 * A text may be stored unsealed in many forms, and all are searched. They are: the text itself, other capitals, escapes
 * of JSON or URLs, base64 at any offset, hexadecimal, UTF-16, and the bare SHA-256.
 */
import { createHash } from 'node:crypto';
import { GetObjectCommand, ListBucketsCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import type { Payload } from '@temporalio/common';
import mongoose from 'mongoose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { isSealed, openPayload, parsePayloadKeys } from '../../platform/temporal/payload-codec.ts';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import { ManyTexts, type Needle } from './many-texts.ts';

/** A stored item and its place: `mongodb samferd.customer_profiles`, `log api`, `history erase/1`. */
export interface Kept {
  readonly place: string;
  readonly bytes: Buffer;
}

export interface Places {
  /** The address of any database of the server; all databases are read. */
  readonly mongoUri: string;
  readonly temporalAddress: string;
  readonly payloadKeys: string;
  readonly objectStore: Readonly<Record<string, string>>;
  readonly logs: ReadonlyMap<string, string>;
}

/** `text` was found in `place`, in this form and perhaps in others. */
export interface Found {
  readonly text: string;
  readonly form: string;
  readonly place: string;
}

/** Yields every stored item once. */
export async function* everythingKept(places: Places): AsyncGenerator<Kept> {
  yield* documents(places.mongoUri);
  yield* objects(places.objectStore);
  yield* histories(places);
  for (const [name, text] of places.logs) yield { place: `log ${name}`, bytes: Buffer.from(text) };
}

export async function findTexts(
  kept: AsyncIterable<Kept> | Iterable<Kept>,
  texts: readonly string[],
): Promise<Found[]> {
  const search = new ManyTexts(needlesOf(texts));
  const found: Found[] = [];
  for await (const { place, bytes } of kept) {
    for (const { text, form } of search.find(bytes)) found.push({ text, form, place });
  }
  return found;
}

export function needlesOf(texts: readonly string[]): Needle[] {
  return texts.flatMap((text) => [...formsOf(text)].map(([form, bytes]) => ({ text, form, bytes })));
}

/** The forms of a text. Short texts match by chance: use at least eight characters. */
export function formsOf(text: string): ReadonlyMap<string, Buffer> {
  const forms = new Map<string, Buffer>();
  const variants = new Map([
    ['as it is', text],
    ['lower case', text.toLowerCase()],
    ['upper case', text.toUpperCase()],
    ['escaped for JSON', asciiJson(text)],
    ['escaped for URLs', encodeURIComponent(text)],
    ['escaped for forms', new URLSearchParams({ a: text }).toString().slice(2)],
  ]);
  for (const [form, variant] of variants) forms.set(form, Buffer.from(variant));
  forms.set('UTF-16', Buffer.from(text, 'utf16le'));
  for (const variant of [text, text.toLowerCase()]) {
    const bytes = Buffer.from(variant);
    const which = variant === text ? '' : ', lower case';
    forms.set(`hexadecimal${which}`, Buffer.from(bytes.toString('hex')));
    for (const shift of [0, 1, 2]) {
      for (const encoding of ['base64', 'base64url'] as const) {
        forms.set(`${encoding}, ${shift} bytes in${which}`, Buffer.from(innerBase64(bytes, shift, encoding)));
      }
    }
    const hash = createHash('sha256').update(variant).digest();
    forms.set(`SHA-256${which}`, hash);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      forms.set(`SHA-256 in ${encoding}${which}`, Buffer.from(hash.toString(encoding).replace(/=+$/, '')));
    }
  }
  return forms;
}

/**
 * Base64 of a text that begins `shift` bytes after a boundary of three, without the characters that depend on its
 * surroundings.
 */
function innerBase64(bytes: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  const text = shifted.toString(encoding).replace(/=+$/, '');
  const end = Math.floor((shifted.length * 8) / 6);
  return text.slice(Math.ceil((shift * 8) / 6), end);
}

function asciiJson(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, escaped);
}

async function* documents(uri: string): AsyncGenerator<Kept> {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    const { databases } = await client.db('admin').admin().listDatabases();
    for (const { name } of databases) {
      for (const collection of await client.db(name).listCollections({}, { nameOnly: true }).toArray()) {
        const place = `mongodb ${name}.${collection.name}`;
        const found = client.db(name).collection(collection.name).find({}, { raw: true });
        for await (const document of found) yield { place, bytes: document as unknown as Buffer };
      }
    }
  } finally {
    await client.close();
  }
}

async function* objects(store: Readonly<Record<string, string>>): AsyncGenerator<Kept> {
  const { S3_ENDPOINT = '', S3_REGION = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = store;
  const credentials = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
  const client = new S3Client({ endpoint: S3_ENDPOINT, region: S3_REGION, forcePathStyle: true, credentials });
  try {
    for (const { Name: Bucket = '' } of (await client.send(new ListBucketsCommand({}))).Buckets ?? []) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key = '' } of page.Contents ?? []) {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
          const content = Buffer.from((await Body?.transformToByteArray()) ?? []);
          yield { place: `object ${Bucket}/${Key}`, bytes: Buffer.concat([Buffer.from(`${Key}\n`), content]) };
        }
      }
    }
  } finally {
    client.destroy();
  }
}

async function* histories({ temporalAddress, payloadKeys }: Places): AsyncGenerator<Kept> {
  const config = { TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS: payloadKeys };
  const temporal = new TemporalClient(config);
  const keys = parsePayloadKeys(payloadKeys);
  try {
    const { workflow } = temporal.client;
    for await (const { workflowId, runId, searchAttributes, memo } of workflow.list()) {
      const history = await workflow.getHandle(workflowId, runId).fetchHistory();
      const place = `history ${workflowId}`;
      const parts: Buffer[] = [Buffer.from(JSON.stringify({ workflowId, searchAttributes, memo }))];
      collect(history, keys, parts);
      yield { place, bytes: Buffer.concat(parts) };
    }
  } finally {
    await temporal.close();
  }
}

/** Collects every text and all bytes of a message, and the opened content of sealed payloads. */
function collect(value: unknown, keys: KeyRing, into: Buffer[]): void {
  if (typeof value === 'string') into.push(Buffer.from(`${value}\n`));
  else if (value instanceof Uint8Array) into.push(Buffer.from(value), Buffer.from('\n'));
  else if (Array.isArray(value)) for (const item of value) collect(item, keys, into);
  else if (typeof value === 'object' && value !== null) {
    if ('data' in value && 'metadata' in value && isSealed(value as Payload)) {
      const { data } = openPayload(keys, value as Payload, { namespace: 'default' });
      if (data) into.push(Buffer.from(data), Buffer.from('\n'));
    }
    for (const [name, member] of Object.entries(value)) {
      into.push(Buffer.from(`${name}\n`));
      collect(member, keys, into);
    }
  }
}
