/** Composes the timetable area for the API process. Callers: api/server.ts, by the area's name; tests. */
import type { Connection } from 'mongoose';
import { Histogram, type Registry } from 'prom-client';
import { z } from 'zod';
import { CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import { startDatasetImport } from '../../activities/timetable/dataset-import-start.ts';
import { DifferencesStore } from '../../activities/timetable/differences-store.ts';
import { ImportStore } from '../../activities/timetable/import-store.ts';
import { signalPlannerBuild } from '../../activities/timetable/planner-build-start.ts';
import { PrivateDatasetStore } from '../../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import { ReportStore } from '../../activities/timetable/report-store.ts';
import { plannerShape, readerShape } from '../../activities/timetable/timetable-config.ts';
import { UploadQuotaStore } from '../../activities/timetable/upload-quota-store.ts';
import { VersionStore } from '../../activities/timetable/version-store.ts';
import { fields } from '../../platform/config.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import { MAX_STORE_CONNECTIONS, type ObjectStore } from '../../platform/object-store/object-store.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { downloadPace, uploadPace } from '../shared/stream-pace.ts';
import type { TimetableDependencies } from './dependencies.ts';
import { DownloadSlots } from './downloads/download-slots.ts';
import { createTimetableArea } from './routes.ts';

/** Uploads and lookups need connections to the object store too. */
const MOST_DOWNLOADS = (MAX_STORE_CONNECTIONS * 4) / 5;

const config = {
  ...plannerShape,
  /** Downloads of datasets and reports in the process at the same time: of one client, and of all. */
  DOWNLOADS_PER_CLIENT: z.coerce.number().int().positive().default(8),
  DOWNLOADS_AT_ONCE: z.coerce.number().int().positive().max(MOST_DOWNLOADS).default(64),
  /** Limit of all downloads of the process, while it serves other requests. */
  DOWNLOAD_BYTES_PER_SECOND: fields.bytes.default(20_000_000),
  UPLOAD_LIMIT_BYTES: fields.bytes.default(150_000_000),
  /** Limit of all uploads of the process, while it serves other requests; docs/measured.md has the effect on others. */
  UPLOAD_BYTES_PER_SECOND: fields.bytes.default(10_000_000),
  /** Uploads of one client at the same time. */
  UPLOADS_PER_CLIENT: z.coerce.number().int().positive().default(5),
  /** Of one client: 33 of the largest archives in an hour, 160 in a day. */
  UPLOAD_BYTES_PER_HOUR: fields.bytes.default(5_000_000_000),
  UPLOAD_BYTES_PER_DAY: fields.bytes.default(25_000_000_000),
  /** Of one client too: timetables unpack to some ten times their size, and a worker validates some 100 GB in an hour. */
  UPLOAD_UNPACKED_BYTES_PER_HOUR: fields.bytes.default(50_000_000_000),
  UPLOAD_UNPACKED_BYTES_PER_DAY: fields.bytes.default(250_000_000_000),
};

export interface TimetableParts {
  readonly connection: Connection;
  readonly objects: ObjectStore;
  readonly temporal: TemporalClient;
  readonly environment: EventEnvironment;
  readonly config: z.infer<z.ZodObject<typeof config>>;
  readonly onReceived?: (bytes: number) => void;
}

export function composeTimetable(parts: TimetableParts): TimetableDependencies {
  const { connection, objects, temporal, environment, config: settings } = parts;
  const quota = {
    atOnce: settings.UPLOADS_PER_CLIENT,
    bytesPerHour: settings.UPLOAD_BYTES_PER_HOUR,
    bytesPerDay: settings.UPLOAD_BYTES_PER_DAY,
    unpackedPerHour: settings.UPLOAD_UNPACKED_BYTES_PER_HOUR,
    unpackedPerDay: settings.UPLOAD_UNPACKED_BYTES_PER_DAY,
  };
  return {
    codespaces: new CodespaceStore(connection),
    imports: new ImportStore(connection, { environment }),
    receipts: new ReceiptStore(connection),
    versions: new VersionStore(connection),
    privateDatasets: new PrivateDatasetStore(connection),
    reports: new ReportStore(objects),
    differences: new DifferencesStore(objects),
    objects,
    downloads: new DownloadSlots({ perClient: settings.DOWNLOADS_PER_CLIENT, inAll: settings.DOWNLOADS_AT_ONCE }),
    startImport: async (input) => await startDatasetImport(temporal, input),
    // An archive that no quota can admit is too large.
    uploadLimitBytes: Math.min(settings.UPLOAD_LIMIT_BYTES, quota.bytesPerHour, quota.bytesPerDay),
    quotas: new UploadQuotaStore(connection, quota),
    ...(parts.onReceived && { onReceived: parts.onReceived }),
    ...(settings.PLANNER === 'on' && { signalPlanner: () => signalPlannerBuild(temporal) }),
  };
}

export const composition: AreaComposition = {
  // The reader of rows, which the area's manifest provides to others.
  config: { ...config, ...readerShape },
  compose: ({ mongo: connection, objects, temporal, eventEnvironment: environment, registry, readConfig }) => {
    const settings = readConfig(config);
    uploadPace.setRate(settings.UPLOAD_BYTES_PER_SECOND);
    downloadPace.setRate(settings.DOWNLOAD_BYTES_PER_SECOND);
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
