/**
 * The pointer to the journey planner's snapshot in use. Planner processes and areas that look up its journeys read it, and
 * trust what is signed alone; only the planner build moves it (`activities/timetable/planner-pointer-store.ts`).
 */
import type { Connection } from 'mongoose';
import type { PublicKeys } from '../../platform/keys/signing-keys.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { findFault, isDigest, type SignedSnapshot } from './snapshot-signature.ts';

/** The pointer never goes back. */
export interface PlannerPointer extends SignedSnapshot {
  readonly publishedAt: Date;
}

export interface PlannerPointerDocument extends PlannerPointer {
  readonly _id: 'current';
}

export const PLANNER_POINTER = new CollectionDefinition<PlannerPointerDocument>('planner_pointer');

/** The pointer was not written by the planner build, or its key is not among those that are trusted. */
export class UntrustedPointerError extends Error {
  constructor(fault: string) {
    super(`The pointer to the newest snapshot is not trusted: ${fault}`);
    this.name = 'UntrustedPointerError';
  }
}

/** Undefined before the first build. Throws UntrustedPointerError. */
export async function findPlannerPointer(
  connection: Connection,
  keys: PublicKeys,
  now: Date = new Date(),
): Promise<PlannerPointerDocument | undefined> {
  const found = await PLANNER_POINTER.open(connection).findOne({ _id: 'current' });
  if (!found) return undefined;
  const fault = found.publishedAt instanceof Date ? findFault(found, keys, now) : 'it has no time';
  if (fault !== undefined) throw new UntrustedPointerError(fault);
  return found;
}

export const PLANNER_SNAPSHOTS = 'planner/';

/** Throws RangeError for an id that no snapshot has: it may come from a database. */
export function plannerSnapshotKey(snapshotId: string): string {
  if (!isDigest(snapshotId)) throw new RangeError('The id of a snapshot is 64 hexadecimal digits');
  return `${PLANNER_SNAPSHOTS}${snapshotId}.snapshot`;
}
