/**
 * Verifies a chain of audit entries against its keys and against heads that were kept elsewhere. Callers: `npm run
 * audit`, the anchoring.
 */
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { type AuditEntry, type AuditHead, EMPTY_LOG, findSealFault, hasRightHash, headOf } from './audit-entry.ts';

export interface Verification {
  /** The last entry before the first fault. */
  readonly head: AuditHead;
  /** The entry before it. */
  readonly before: AuditHead;
  /** Empty when the chain is whole; at most {@link MOST_FAULTS}. */
  readonly faults: readonly string[];
}

/** A writer to the database can make any number of them. */
export const MOST_FAULTS = 50;

/**
 * Goes on after a fault, so that one entry of a writer to the database hides nothing that follows. An entry that no
 * process wrote is a fault, and the chain goes on without it, as its writers do. `anchors` are heads of earlier times,
 * in any order.
 */
export async function verifyChain(
  entries: AsyncIterable<AuditEntry> | Iterable<AuditEntry>,
  keys: KeyRing,
  anchors: readonly AuditHead[] = [],
  start: AuditHead = EMPTY_LOG,
): Promise<Verification> {
  const expected = new Map(anchors.map(({ sequence, hash }) => [sequence, hash]));
  const faults: string[] = [];
  let right = { head: start, before: start };
  let last = start;
  /** The last number that is taken, also by an entry that no process wrote. */
  let taken = start.sequence;
  const note = (fault: string | undefined) => {
    if (fault !== undefined && faults.length < MOST_FAULTS) faults.push(fault);
  };
  for await (const entry of entries) {
    const sealFault = findSealFault(entry, keys);
    if (sealFault !== undefined) {
      note(sealFault);
      // Number(): a writer to the database chooses among several types of numbers.
      if (Number(entry._id) === taken + 1) taken += 1;
      continue;
    }
    note(findEntryFault(entry, last, taken) ?? findAnchorFault(entry, expected));
    if (faults.length === 0) right = { head: headOf(entry), before: last };
    last = headOf(entry);
    taken = entry._id;
  }
  const newest = [...expected.keys()].reduce((most, sequence) => Math.max(most, sequence), 0);
  if (newest > last.sequence) note(`the log ends at ${last.sequence}; entry ${newest} was anchored`);
  return { ...right, faults };
}

function findEntryFault(entry: AuditEntry, last: AuditHead, taken: number): string | undefined {
  if (entry._id !== taken + 1) return `the entry after ${taken} is ${entry._id}`;
  if (entry.previous !== last.hash) return `entry ${entry._id} does not follow entry ${last.sequence}`;
  return hasRightHash(entry) ? undefined : `entry ${entry._id} was changed`;
}

function findAnchorFault({ _id, hash }: AuditEntry, expected: ReadonlyMap<number, string>): string | undefined {
  const anchored = expected.get(_id);
  if (anchored === undefined || anchored === hash) return undefined;
  return `entry ${_id} is another than the one that was anchored`;
}
