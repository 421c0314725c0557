/** Composes the timetable area for the API process. Callers: api/server.ts, by the area's name; tests. */
import type { Connection } from 'mongoose';
import { Histogram, type Registry } from 'prom-client';
import { CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import { startDatasetImport } from '../../activities/timetable/dataset-import-start.ts';
import { ImportStore } from '../../activities/timetable/import-store.ts';
import { signalPlannerBuild } from '../../activities/timetable/planner-build-start.ts';
import { PrivateDatasetStore } from '../../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import { ReportStore } from '../../activities/timetable/report-store.ts';
import { plannerShape } from '../../activities/timetable/timetable-config.ts';
import { VersionStore } from '../../activities/timetable/version-store.ts';
import { fields } from '../../platform/config.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import type { TimetableDependencies } from './dependencies.ts';
import { createTimetableArea } from './routes.ts';

export interface TimetableParts {
  readonly connection: Connection;
  readonly objects: ObjectStore;
  readonly temporal: TemporalClient;
  readonly environment: EventEnvironment;
  readonly config: { readonly UPLOAD_LIMIT_BYTES: number; readonly PLANNER: 'on' | 'off' };
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
    ...(config.PLANNER === 'on' && { signalPlanner: () => signalPlannerBuild(temporal) }),
  };
}

const config = { ...plannerShape, UPLOAD_LIMIT_BYTES: fields.bytes.default(150_000_000) };

export const composition: AreaComposition = {
  config,
  compose: ({ mongo: connection, objects, temporal, eventEnvironment: environment, registry, readConfig }) => {
    const settings = readConfig(config);
    const onReceived = measureUploads(registry);
    const parts = { connection, objects, temporal, environment, config: settings, onReceived };
    return { area: createTimetableArea(composeTimetable(parts)) };
  },
};

/** Call the result with the size of each received archive, in bytes. */
function measureUploads(registry: Registry): (bytes: number) => void {
  const uploads = new Histogram({
    name: 'timetable_upload_bytes',
    help: 'Archives received whole, by size; the sum is the uploaded volume',
    buckets: [100_000, 1_000_000, 10_000_000, 50_000_000, 100_000_000, 150_000_000],
    registers: [registry],
  });
  return (bytes) => uploads.observe(bytes);
}
