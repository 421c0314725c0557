/**
 * Limits the uploads of a client: how many uploads at once, and how many bytes in an hour and a day, over all
 * processes. One document for each client, changed by one write, so that uploads that begin at the same moment cannot
 * pass together.
 *
 * Bytes count as they arrive, whether the upload succeeds or not; a running upload counts with its announced size. The
 * unpacked size of archives counts when they have arrived, because small uploads may cost much work. Callers: the
 * upload handler; the manifest.
 */
import type { Connection, mongo } from 'mongoose';
import { type QuotaDocument, UPLOAD_QUOTAS, type UploadQuota } from './upload-quota-model.ts';

/** A handler that has not renewed its lease for this long is taken for dead. It renews several times within. */
export const QUOTA_LEASE_MS = 120_000;

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

export interface UploadStart {
  readonly clientId: string;
  readonly uploadId: string;
  /** As announced; the limit of an upload when it is not. */
  readonly bytes: number;
}

export type Admission =
  | { readonly admitted: true }
  | {
      readonly admitted: false;
      readonly exceeded: 'AT_ONCE' | 'BYTES_PER_HOUR' | 'BYTES_PER_DAY' | 'UNPACKED_PER_HOUR' | 'UNPACKED_PER_DAY';
      readonly retryAfterSeconds: number;
    };

/** How soon a client may look whether one of its uploads has ended. */
export const RETRY_AT_ONCE_SECONDS = 10;

export class UploadQuotaStore {
  readonly #quotas: mongo.Collection<QuotaDocument>;
  readonly #connection: Connection;
  readonly #quota: UploadQuota;
  readonly #now: () => Date;

  constructor(connection: Connection, quota: UploadQuota, now: () => Date = () => new Date()) {
    this.#connection = connection;
    this.#quotas = UPLOAD_QUOTAS.open(connection);
    this.#quota = quota;
    this.#now = now;
  }

  get quota(): UploadQuota {
    return this.#quota;
  }

  async ensureIndexes(): Promise<void> {
    await UPLOAD_QUOTAS.ensureIndexes(this.#connection);
  }

  /** Admits the upload, or says which quota it would exceed. Call `end` for each upload that was admitted. */
  async begin({ clientId, uploadId, bytes }: UploadStart): Promise<Admission> {
    const now = this.#now();
    const upload = { id: uploadId, bytes, leaseUntil: this.#lease(now) };
    const admits = { $and: this.#conditions(bytes, now) };
    const running = { $cond: [admits, { $concatArrays: ['$running', [upload]] }, '$running'] };
    const document = await this.#change(clientId, now, [{ $set: { running } }]);
    if (document.running.some(({ id }) => id === uploadId)) return { admitted: true };
    return { admitted: false, ...this.#exceeded(document, bytes, now) };
  }

  /** Shows that the upload runs. */
  async renew(clientId: string, uploadId: string): Promise<void> {
    const leaseUntil = this.#lease(this.#now());
    await this.#quotas.updateOne(
      { _id: clientId, 'running.id': uploadId },
      { $set: { 'running.$.leaseUntil': leaseUntil } },
    );
  }

  /** Counts what has arrived in place of what was announced. */
  async end(clientId: string, uploadId: string, receivedBytes: number): Promise<void> {
    const now = this.#now();
    const hour = hourOf(now);
    const others = { $filter: { input: '$running', cond: { $ne: ['$$this.id', uploadId] } } };
    await this.#change(clientId, now, [
      { $set: { running: others, received: withBytes('$received', hour, receivedBytes) } },
    ]);
  }

  /** Counts what an archive unpacks to, or says which quota it would exceed. */
  async countUnpacked(clientId: string, bytes: number): Promise<Admission> {
    const now = this.#now();
    const hour = hourOf(now);
    const { unpackedPerHour, unpackedPerDay } = this.#quota;
    const recent = { $filter: { input: UNPACKED, cond: { $gt: ['$$this.hour', hour - DAY_HOURS] } } };
    const inHour = sumOf(UNPACKED, { $eq: ['$$this.hour', hour] });
    const admits = [
      { $lte: [{ $add: [inHour, bytes] }, unpackedPerHour] },
      { $lte: [{ $add: [sumOf(recent, true), bytes] }, unpackedPerDay] },
    ];
    const { matchedCount } = await this.#quotas.updateOne({ _id: clientId, $expr: { $and: admits } }, [
      { $set: { unpacked: withBytes(recent, hour, bytes) } },
    ]);
    if (matchedCount > 0) return { admitted: true };
    const { unpacked = [] } = (await this.#quotas.findOne({ _id: clientId })) ?? {};
    const counted = unpacked.filter((each) => each.hour > hour - DAY_HOURS);
    if ((counted.find((each) => each.hour === hour)?.bytes ?? 0) + bytes > unpackedPerHour) {
      return { admitted: false, exceeded: 'UNPACKED_PER_HOUR', retryAfterSeconds: secondsUntil(hour + 1, now) };
    }
    const oldest = Math.min(hour, ...counted.map((each) => each.hour));
    const retryAfterSeconds = secondsUntil(oldest + DAY_HOURS, now);
    return { admitted: false, exceeded: 'UNPACKED_PER_DAY', retryAfterSeconds };
  }

  /** Forgets first what counts no more. */
  async #change(clientId: string, now: Date, stages: readonly mongo.Document[]): Promise<QuotaDocument> {
    const alive = { $gt: ['$$this.leaseUntil', now] };
    const recent = { $gt: ['$$this.hour', hourOf(now) - DAY_HOURS] };
    const current = {
      running: { $filter: { input: { $ifNull: ['$running', []] }, cond: alive } },
      received: { $filter: { input: { $ifNull: ['$received', []] }, cond: recent } },
      expiresAt: new Date(now.getTime() + (DAY_HOURS + 1) * HOUR_MS),
    };
    const document = await this.#quotas.findOneAndUpdate({ _id: clientId }, [{ $set: current }, ...stages], {
      upsert: true,
      returnDocument: 'after',
    });
    if (!document) throw new Error('The quota of a client was neither found nor made');
    return document;
  }

  #conditions(bytes: number, now: Date): readonly mongo.Document[] {
    const { atOnce, bytesPerHour, bytesPerDay } = this.#quota;
    const announced = sumOf('$running', true);
    const hour = sumOf('$received', { $eq: ['$$this.hour', hourOf(now)] });
    return [
      { $lt: [{ $size: '$running' }, atOnce] },
      { $lte: [{ $add: [announced, hour, bytes] }, bytesPerHour] },
      { $lte: [{ $add: [announced, sumOf('$received', true), bytes] }, bytesPerDay] },
    ];
  }

  #exceeded(
    { running, received }: QuotaDocument,
    bytes: number,
    now: Date,
  ): Omit<Admission & { admitted: false }, 'admitted'> {
    const { atOnce, bytesPerHour } = this.#quota;
    if (running.length >= atOnce) return { exceeded: 'AT_ONCE', retryAfterSeconds: RETRY_AT_ONCE_SECONDS };
    const hour = hourOf(now);
    const announced = running.reduce((sum, each) => sum + each.bytes, 0);
    const inHour = received.find((each) => each.hour === hour)?.bytes ?? 0;
    if (announced + inHour + bytes > bytesPerHour) {
      return { exceeded: 'BYTES_PER_HOUR', retryAfterSeconds: secondsUntil(hour + 1, now) };
    }
    const oldest = Math.min(hour, ...received.map((each) => each.hour));
    return { exceeded: 'BYTES_PER_DAY', retryAfterSeconds: secondsUntil(oldest + DAY_HOURS, now) };
  }

  #lease(now: Date): Date {
    return new Date(now.getTime() + QUOTA_LEASE_MS);
  }
}

function hourOf(instant: Date): number {
  return Math.floor(instant.getTime() / HOUR_MS);
}

function secondsUntil(hour: number, now: Date): number {
  return Math.max(1, Math.ceil((hour * HOUR_MS - now.getTime()) / 1_000));
}

const UNPACKED = { $ifNull: ['$unpacked', []] };

/** The array with so many bytes more in that hour. */
function withBytes(array: mongo.Document | string, hour: number, bytes: number): mongo.Document {
  const inHour = { $eq: ['$$this.hour', hour] };
  const earlier = { $filter: { input: array, cond: { $not: inHour } } };
  return { $concatArrays: [earlier, [{ hour, bytes: { $add: [sumOf(array, inHour), bytes] } }]] };
}

/** The sum of `bytes` over the elements of an array that fulfil the condition. */
function sumOf(array: mongo.Document | string, condition: mongo.Document | true): mongo.Document {
  const summed = { $add: ['$$value', { $cond: [condition, '$$this.bytes', 0] }] };
  return { $reduce: { input: array, initialValue: 0, in: summed } };
}
