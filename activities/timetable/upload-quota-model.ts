/** The quota of uploads and the document that counts them, one for each client. Caller: upload-quota-store.ts; the manifest. */
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export interface UploadQuota {
  readonly atOnce: number;
  readonly bytesPerHour: number;
  readonly bytesPerDay: number;
  /** Bytes of the archives' contents, as their directories state them. */
  readonly unpackedPerHour: number;
  readonly unpackedPerDay: number;
}

interface RunningUpload {
  readonly id: string;
  readonly bytes: number;
  readonly leaseUntil: Date;
}

interface HourlyBytes {
  /** Hours since 1970. */
  readonly hour: number;
  readonly bytes: number;
}

export interface QuotaDocument {
  /** The client. */
  _id: string;
  running: readonly RunningUpload[];
  /** Bytes of the last 24 hours. */
  received: readonly HourlyBytes[];
  /** Unpacked bytes of the last 24 hours, of archives that arrived whole. Absent before the first. */
  unpacked?: readonly HourlyBytes[];
  /** When nothing of it counts any more. */
  expiresAt: Date;
}

export const UPLOAD_QUOTAS = new CollectionDefinition<QuotaDocument>('timetable_upload_quotas', [
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
]);
