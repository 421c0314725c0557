/** Finds where the next audit entry goes. Caller: the audit log. */
import type { mongo } from 'mongoose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { type AuditEntry, type AuditHead, EMPTY_LOG, findSealFault, headOf, type Seal } from './audit-entry.ts';

export interface NextPlace {
  /** The newest entry that a process wrote: the next one follows it. */
  readonly head: AuditHead;
  /** The first free number after the head. */
  readonly sequence: number;
  /** How many entries after the head no process wrote. */
  readonly foreign: number;
}

const [FIRST, LAST] = [1, Number.MAX_SAFE_INTEGER];
const PROJECTION = { hash: 1, keyId: 1, mac: 1 } as const;
const BATCH = 10_000;
/** Passing over so many takes some seconds, before each act that is recorded. */
const MOST_FOREIGN = 100_000;
const LONGEST_SEARCH_MS = 5_000;

/**
 * Reads from the newest number down to the first entry with a right MAC, so that no entry of a writer to the database
 * stops the log or becomes a part of its chain. Throws UNAVAILABLE after {@link MOST_FOREIGN} of them.
 */
export async function findNextPlace(
  entries: mongo.Collection<AuditEntry>,
  keys: KeyRing,
  mostForeign = MOST_FOREIGN,
): Promise<NextPlace> {
  let above = Number.POSITIVE_INFINITY;
  let free = 1;
  let foreign = 0;
  for await (const seal of newestFirst(entries)) {
    // Number(): a writer to the database chooses among several types of numbers.
    const sequence = Number(seal._id);
    if (sequence + 1 < above) free = sequence + 1;
    if (findSealFault(seal, keys) === undefined) return { head: headOf(seal), sequence: free, foreign };
    above = sequence;
    foreign += 1;
    if (foreign > mostForeign) throw new ServiceError('UNAVAILABLE', 'Too many entries follow the audit log');
  }
  return { head: EMPTY_LOG, sequence: above > 1 ? 1 : free, foreign };
}

/** The newest one is read alone, as it mostly is the head. */
async function* newestFirst(entries: mongo.Collection<AuditEntry>): AsyncGenerator<Seal> {
  const options = { projection: PROJECTION, sort: { _id: -1 }, maxTimeMS: LONGEST_SEARCH_MS } as const;
  const newest = await entries.findOne<Seal>({ _id: { $gte: FIRST, $lte: LAST } }, options);
  if (!newest) return;
  yield newest;
  yield* entries.find<Seal>({ _id: { $gte: FIRST, $lt: newest._id } }, { ...options, batchSize: BATCH });
}
