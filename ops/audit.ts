/**
 * The audit log from a shell:
 *
 *     npm run -s audit -- verify [--file FILE]      # every hash, MAC and anchor; of an exported file with --file
 *     npm run -s audit -- export [--after SEQUENCE] # JSON lines, oldest first
 *
 * Works on the installation that MONGODB_URI and AUDIT_KEYS name, else on the running local stack; `--local DIR` for
 * one that keeps its state elsewhere. `verify` compares with the anchors in the object store when S3_ENDPOINT is set,
 * and with `--head SEQUENCE:HASH`, as the log output of the processes shows it. A broken log ends with the exit code 1.
 */
import { readFileSync } from 'node:fs';
import type { Connection } from 'mongoose';
import { AuditAnchors, type ListedAnchors } from '../activities/audit/audit-anchors.ts';
import type { AuditEntry, AuditHead } from '../activities/audit/audit-entry.ts';
import { AuditLog } from '../activities/audit/audit-log.ts';
import { type Verification, verifyChain } from '../activities/audit/verify-chain.ts';
import { auditShape } from '../activities/shared/audit.ts';
import { type Environment, objectStoreShape, parseConfig } from '../platform/config.ts';
import type { KeyRing } from '../platform/keys/key-ring.ts';
import { createLog, redactText } from '../platform/log.ts';
import { connectForRestore } from '../platform/mongo/mongo.ts';
import { ObjectStore } from '../platform/object-store/object-store.ts';
import { describeMissing, findInstallation } from './installation.ts';
import { readArguments, UsageError } from './read-arguments.ts';

const USAGE = `npm run -s audit -- verify [--file FILE] [--head SEQUENCE:HASH]
npm run -s audit -- export [--after SEQUENCE]`;
const NEEDED = ['MONGODB_URI', 'AUDIT_KEYS'] as const;

const options = {
  file: { type: 'string' },
  head: { type: 'string', multiple: true },
  after: { type: 'string' },
  local: { type: 'string' },
} as const;

type Given = ReturnType<typeof readArguments<typeof options>>['values'];

function readHead(text: string): AuditHead {
  const [, sequence, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) throw new UsageError(`--head ${text}: must be SEQUENCE:HASH`);
  return { sequence: Number(sequence), hash };
}

function* readExport(file: string): Generator<AuditEntry> {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const { sequence, at, ...entry } = JSON.parse(line) as Omit<AuditEntry, '_id' | 'at'> & {
      sequence: number;
      at: string;
    };
    yield { ...entry, _id: sequence, at: new Date(at) };
  }
}

async function listAnchors(installation: Environment, keys: KeyRing): Promise<ListedAnchors | undefined> {
  if (!installation.S3_ENDPOINT) return undefined;
  const objects = ObjectStore.connect(parseConfig(objectStoreShape, installation));
  try {
    return await new AuditAnchors(objects, keys).list();
  } finally {
    objects.close();
  }
}

async function verify(auditLog: AuditLog, keys: KeyRing, installation: Environment, given: Given): Promise<void> {
  const anchors = await listAnchors(installation, keys);
  const heads = [...(anchors?.heads ?? []), ...(given.head ?? []).map(readHead)];
  const entries = given.file === undefined ? auditLog.read() : readExport(given.file);
  const { head, ...found }: Verification = await verifyChain(entries, keys, heads);
  const faults = [...(anchors?.faults ?? []), ...found.faults];
  const compared = anchors ? `${anchors.heads.length} anchors` : 'no anchors, as S3_ENDPOINT is not set';
  if (faults.length > 0) {
    console.error(`The audit log is broken. It is right up to entry ${head.sequence}. Its first faults are:`);
    for (const fault of faults) console.error(`- ${fault}`);
    process.exitCode = 1;
  } else console.log(`The audit log is whole: ${head.sequence} entries, head ${head.hash}; compared with ${compared}.`);
}

async function exportEntries(auditLog: AuditLog, after = '0'): Promise<void> {
  if (!/^\d+$/.test(after)) throw new UsageError(`--after ${after}: must be a sequence`);
  for await (const { _id, ...entry } of auditLog.read(Number(after))) {
    console.log(JSON.stringify({ sequence: _id, ...entry }));
  }
}

try {
  const { values, positionals } = readArguments(options);
  const [command = '', ...more] = positionals;
  if (more.length > 0 || !['verify', 'export'].includes(command)) throw new UsageError(USAGE);
  const installation = findInstallation(NEEDED, values.local);
  if (!installation) throw new UsageError(describeMissing(NEEDED));
  const { AUDIT_KEYS: keys } = parseConfig(auditShape, installation);
  const connection: Connection = await connectForRestore(installation.MONGODB_URI);
  try {
    const auditLog = new AuditLog({ connection, keys, log: createLog({ level: 'silent', name: 'audit' }) });
    await (command === 'verify' ? verify(auditLog, keys, installation, values) : exportEntries(auditLog, values.after));
  } finally {
    await connection.close();
  }
} catch (error) {
  console.error(redactText(error instanceof Error ? error.message : String(error)));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
