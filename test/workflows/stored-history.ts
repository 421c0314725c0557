/**
 * Recorded histories as files under test/histories. A file holds the server's message, compressed, with decrypted
 * payloads and without the parts that replay ignores. `node test/workflows/show-history.ts NAME` prints one as JSON.
 */
import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import { isSealed, openPayload, parsePayloadKeys } from '../../platform/temporal/payload-codec.ts';
import { PAYLOAD_KEYS } from './payload-keys.ts';

const { History } = proto.temporal.api.history.v1;
export type History = proto.temporal.api.history.v1.IHistory;

const FOLDER = join(import.meta.dirname, '../histories');
const ENDING = '.history.br';
/** Machine names, request ids and server statistics: replay reads none of them. */
const NOT_REPLAYED = new Set(
  'taskId identity requestId workerVersion meteringMetadata historySizeBytes stackTrace'.split(' '),
);
const NANOS_A_MILLISECOND = 1_000_000;

const keys = parsePayloadKeys(PAYLOAD_KEYS);
/** Where histories are recorded. */
const namespace = 'default';

export function listStoredHistories(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
}

export async function storeHistory(name: string, history: History): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const trimmed = await trim(History.toObject(History.fromObject(history)));
  const bytes = History.encode(History.fromObject(trimmed as object)).finish();
  await writeFile(join(FOLDER, `${name}${ENDING}`), brotliCompressSync(bytes));
}

/** Throws when the file holds no history. */
export async function readStoredHistory(name: string): Promise<History> {
  const history = History.decode(brotliDecompressSync(await readFile(join(FOLDER, `${name}${ENDING}`))));
  if (history.events.length === 0) throw new Error(`The history ${name} has no events`);
  return history;
}

async function trim(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map(trim));
  // Search attributes are not sealed.
  if (isPayload(value)) return isSealed(value) ? openPayload(keys, value, { namespace }) : value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (NOT_REPLAYED.has(name)) continue;
    if (name === 'nanos' && typeof member === 'number') members[name] = member - (member % NANOS_A_MILLISECOND);
    // A worker's own queue is named after its machine.
    else if (name === 'name' && 'normalName' in value) members[name] = 'sticky';
    else members[name] = await trim(member);
  }
  return members;
}

function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && 'metadata' in value && 'data' in value;
}
