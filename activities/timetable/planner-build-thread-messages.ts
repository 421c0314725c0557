/** Messages between the thread that builds a planner snapshot and its owner. Plain data. */
import type { ArchiveLimits } from '../../netex/zip/index.ts';
import type { SnapshotOptions } from '../../planner/index.ts';
import type { PlannerBuildReport } from './planner-build-model.ts';
import type { ImportProgress } from './planner-import/import-types.ts';

export interface SnapshotJob {
  readonly datasets: readonly { readonly codespace: string; readonly path: string }[];
  /** In shared memory. */
  readonly register: Uint8Array | undefined;
  readonly archiveLimits: ArchiveLimits;
  readonly options: SnapshotOptions;
}

/** Through its own fault: reading it again would not help. */
export interface UnreadableDataset {
  readonly codespace: string;
  readonly message: string;
}

export type SnapshotThreadMessage =
  | ({ readonly type: 'progress' } & ImportProgress)
  | {
      readonly type: 'built';
      /** Handed over, not copied. */
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly snapshotId: string;
      readonly sha256: string;
      readonly report: PlannerBuildReport;
    }
  | { readonly type: 'unreadable'; readonly datasets: readonly UnreadableDataset[] }
  | { readonly type: 'failed'; readonly message: string };
