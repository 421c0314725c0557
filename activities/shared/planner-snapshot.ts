/**
 * The pointer to the journey planner's snapshot in use. Planner processes and areas that look up its journeys read it;
 * only the planner build moves it (`activities/timetable/planner-build-store.ts`).
 */
import type { Connection } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export interface PlannerPointer {
  /** Later builds have higher numbers; the pointer never goes back. */
  readonly build: number;
  /** The id inside the snapshot. */
  readonly snapshotId: string;
  /** SHA-256 of the stored file, lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly publishedAt: Date;
}

export interface PlannerPointerDocument extends PlannerPointer {
  readonly _id: 'current';
  /** Hash of the inputs that the snapshot was built from; see planner-input.ts. */
  readonly inputHash: string;
}

export const PLANNER_POINTER = new CollectionDefinition<PlannerPointerDocument>('planner_pointer');

/** Undefined before the first build. */
export async function findPlannerPointer(connection: Connection): Promise<PlannerPointerDocument | undefined> {
  return (await PLANNER_POINTER.open(connection).findOne({ _id: 'current' })) ?? undefined;
}

export const PLANNER_SNAPSHOTS = 'planner/';

export function plannerSnapshotKey(snapshotId: string): string {
  return `${PLANNER_SNAPSHOTS}${snapshotId}.snapshot`;
}
