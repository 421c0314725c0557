/** Dependencies of the handlers of this area. Set by api/server.ts and by tests. */

import type { CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import type { DifferencesStore } from '../../activities/timetable/differences-store.ts';
import type { ImportStore } from '../../activities/timetable/import-store.ts';
import type { PrivateDatasetStore } from '../../activities/timetable/private-dataset-store.ts';
import type { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import type { ReportStore } from '../../activities/timetable/report-store.ts';
import type { UploadQuotaStore } from '../../activities/timetable/upload-quota-store.ts';
import type { VersionStore } from '../../activities/timetable/version-store.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import type { DownloadSlots } from './downloads/download-slots.ts';

export interface TimetableDependencies {
  readonly codespaces: CodespaceStore;
  readonly receipts: ReceiptStore;
  readonly imports: ImportStore;
  readonly versions: VersionStore;
  readonly privateDatasets: PrivateDatasetStore;
  readonly reports: ReportStore;
  readonly differences: DifferencesStore;
  readonly objects: ObjectStore;
  /** Of datasets and reports together. */
  readonly downloads: DownloadSlots;
  /** Starts the workflow of an accepted import; safe to repeat, bounded in time. */
  readonly startImport: (input: DatasetImportInput) => Promise<void>;
  /**
   * Signals a withdrawal to the planner, bounded in time. It is only a hint: the planner's own sweep finds the
   * withdrawal a little later. Absent when there is no planner.
   */
  readonly signalPlanner?: () => Promise<void>;
  readonly uploadLimitBytes: number;
  readonly quotas: UploadQuotaStore;
  /** Called with the size of each archive that arrived whole, even when its import fails later. */
  readonly onReceived?: (bytes: number) => void;
  readonly now?: () => Date;
}
