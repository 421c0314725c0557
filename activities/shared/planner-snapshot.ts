/**
 * Which snapshot of the journey planner is in use, and where it lies. Read by planner processes and by areas that look up
 * its journeys; moved by the planner build alone (`activities/timetable/planner-build-store.ts`).
 */
import { type Connection, type Model, Schema } from 'mongoose';

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

const schema = new Schema<PlannerPointerDocument>(
  {
    _id: { type: String, required: true },
    build: { type: Number, required: true },
    snapshotId: { type: String, required: true },
    sha256: { type: String, required: true },
    sizeBytes: { type: Number, required: true },
    publishedAt: { type: Date, required: true },
    inputHash: { type: String, required: true },
  },
  { collection: 'planner_pointer', versionKey: false, autoIndex: false, autoCreate: false },
);

export function plannerPointerModel(connection: Connection): Model<PlannerPointerDocument> {
  return connection.models.PlannerPointer ?? connection.model<PlannerPointerDocument>('PlannerPointer', schema);
}

/** Undefined before the first build. */
export async function findPlannerPointer(connection: Connection): Promise<PlannerPointerDocument | undefined> {
  return (
    (await plannerPointerModel(connection).findOne({ _id: 'current' }).lean<PlannerPointerDocument>()) ?? undefined
  );
}

export const PLANNER_SNAPSHOTS = 'planner/';

export function plannerSnapshotKey(snapshotId: string): string {
  return `${PLANNER_SNAPSHOTS}${snapshotId}.snapshot`;
}
