/**
 * Which snapshot of the journey planner is in use, and where it lies. Read by planner processes and by areas that look up
 * its journeys; moved by the planner build alone (`activities/timetable/planner-build-store.ts`).
 */
import type { Connection } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export interface PlannerPointer {
  /** Of builds the later one has the higher number; the pointer only ever goes up. */
  readonly build: number;
  /** As the snapshot calls itself. */
  readonly snapshotId: string;
  /** Of the stored file, lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly publishedAt: Date;
}

export interface PlannerPointerDocument extends PlannerPointer {
  readonly _id: 'current';
  /** Of what the snapshot was made from; see planner-input.ts. */
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
