/** Makes what the area needs of what a process has. Caller: api/server.ts. */
import type { Connection } from 'mongoose';
import { CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import { startDatasetImport } from '../../activities/timetable/dataset-import-start.ts';
import { ImportStore } from '../../activities/timetable/import-store.ts';
import { signalPlannerBuild } from '../../activities/timetable/planner-build-start.ts';
import { PrivateDatasetStore } from '../../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import { ReportStore } from '../../activities/timetable/report-store.ts';
import { VersionStore } from '../../activities/timetable/version-store.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { TimetableDependencies } from './dependencies.ts';

export interface TimetableParts {
  readonly connection: Connection;
  readonly objects: ObjectStore;
  readonly temporal: TemporalClient;
  readonly environment: EventEnvironment;
  readonly config: { readonly UPLOAD_LIMIT_BYTES: number; readonly PLANNER_URL?: string | undefined };
  readonly onReceived?: (bytes: number) => void;
}

export function composeTimetable(parts: TimetableParts): TimetableDependencies {
  const { connection, objects, temporal, environment, config } = parts;
  return {
    codespaces: new CodespaceStore(connection),
    imports: new ImportStore(connection, { environment }),
    receipts: new ReceiptStore(connection),
    versions: new VersionStore(connection),
    privateDatasets: new PrivateDatasetStore(connection),
    reports: new ReportStore(objects),
    objects,
    startImport: async (input) => await startDatasetImport(temporal, input),
    uploadLimitBytes: config.UPLOAD_LIMIT_BYTES,
    ...(parts.onReceived && { onReceived: parts.onReceived }),
    ...(config.PLANNER_URL !== undefined && { signalPlanner: () => signalPlannerBuild(temporal) }),
  };
}

/** Once at start of a process. */
export async function ensureTimetableIndexes({ codespaces, imports }: TimetableDependencies): Promise<void> {
  await Promise.all([codespaces.ensureIndexes(), imports.ensureIndexes()]);
}
