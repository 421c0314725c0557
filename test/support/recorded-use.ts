/**
 * Records which account does what with which collection, by the profiler of a database server with logins. Callers: tests that
 * compare privileges with what processes really do.
 */
import type { Connection } from 'mongoose';
import type { DocumentRight } from '../../platform/area.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { Service } from './service.ts';

/** Holds some hundred thousand operations. */
const PROFILE_BYTES = 128 * 1024 * 1024;
const EVERYTHING = 2;
const REFUSED = 13;

interface Profiled {
  readonly op: string;
  readonly ns: string;
  readonly user: string;
  readonly errCode?: number;
  readonly command: Readonly<Record<string, unknown>>;
}

/** Call it before the story that the test tells. */
export async function recordUse(service: Service): Promise<void> {
  await inBoth(service, async ({ db }) => {
    await db?.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    await db?.command({ profile: EVERYTHING });
  });
}

export interface RecordedUse {
  /** `account collection right`, sorted. */
  readonly used: readonly string[];
  /** Commands that the server refused for want of a right. */
  readonly refused: readonly string[];
}

export async function readUse(service: Service): Promise<RecordedUse> {
  const used = new Set<string>();
  const refused = new Set<string>();
  await inBoth(service, async ({ db }) => {
    await db?.command({ profile: 0 });
    const found = db?.collection<Profiled>('system.profile').find({ user: { $ne: '' } }) ?? [];
    for await (const entry of found) {
      const account = entry.user.split('@')[0] ?? '';
      const collection = entry.ns.slice(entry.ns.indexOf('.') + 1);
      if (entry.errCode === REFUSED) refused.add(`${account} ${collection} ${entry.op}`);
      else for (const right of rightsOf(entry)) used.add(`${account} ${collection} ${right}`);
    }
  });
  return { used: [...used].sort(), refused: [...refused].sort() };
}

async function inBoth(service: Service, use: (connection: Connection) => Promise<void>): Promise<void> {
  for (const uri of [service.mongoUri, service.customerKeysUri]) {
    const connection = await connectMongo(uri);
    await use(connection).finally(() => connection.close());
  }
}

function rightsOf({ op, command }: Profiled): readonly DocumentRight[] {
  if (op === 'query') return ['find'];
  if (op === 'insert') return ['insert'];
  if (op === 'update') return command.upsert === true ? ['update', 'insert'] : ['update'];
  if (op === 'remove') return ['remove'];
  if ('findAndModify' in command) return command.upsert === true ? ['find', 'update', 'insert'] : ['find', 'update'];
  if ('createIndexes' in command || 'collMod' in command) return ['index'];
  if (JSON.stringify(command.pipeline ?? []).includes('$changeStream')) return ['watch'];
  return 'aggregate' in command || 'count' in command || 'distinct' in command ? ['find'] : [];
}
