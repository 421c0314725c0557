/**
 * The quota of a client around one upload: refused before the body is read, counted as it arrives, released when it
 * ends. Caller: the upload handler, with one instance for each process.
 *
 * Uploads of one client are admitted in turn, and those beyond the quota that run in this process are refused without
 * the database. So a client that begins thousands takes one connection to it, and not those of others.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import {
  type Admission,
  QUOTA_LEASE_MS,
  RETRY_AT_ONCE_SECONDS,
  type UploadQuotaStore,
} from '../../../activities/timetable/upload-quota-store.ts';
import { Mutex } from '../../../workflows/shared/mutex.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';

export interface SlotOptions {
  readonly clientId: string;
  /** The limit of an upload when the request comes in chunks. */
  readonly announcedBytes: number;
  readonly log: Logger;
}

export interface UploadCount {
  /** Call with the size of each chunk. */
  received(bytes: number): void;
  /** Call with what the archive unpacks to. Throws RATE_LIMITED when the client may not cost so much work now. */
  unpacked(bytes: number): Promise<void>;
}

/** A client's uploads in this process. */
class ClientUploads {
  readonly turns = new Mutex();
  running = 0;
  /** Running or waiting for their turn. */
  all = 0;
}

export class UploadSlots {
  readonly #quotas: UploadQuotaStore;
  readonly #clients = new Map<string, ClientUploads>();

  constructor(quotas: UploadQuotaStore) {
    this.#quotas = quotas;
  }

  /** Runs `upload`. Throws RATE_LIMITED when the client has used up its quota. */
  async use<T>(options: SlotOptions, upload: (count: UploadCount) => Promise<T>): Promise<T> {
    const { clientId } = options;
    const own = this.#clients.get(clientId) ?? new ClientUploads();
    this.#clients.set(clientId, own);
    own.all += 1;
    try {
      const uploadId = await own.turns.run(() => this.#admit(own, options));
      try {
        return await this.#run(uploadId, options, upload);
      } finally {
        own.running -= 1;
      }
    } finally {
      own.all -= 1;
      if (own.all === 0) this.#clients.delete(clientId);
    }
  }

  async #admit(own: ClientUploads, { clientId, announcedBytes }: SlotOptions): Promise<string> {
    const quotas = this.#quotas;
    if (own.running >= quotas.quota.atOnce) throw refusal('AT_ONCE', RETRY_AT_ONCE_SECONDS, quotas);
    const uploadId = randomUUID();
    refuseUnless(await quotas.begin({ clientId, uploadId, bytes: announcedBytes }), quotas);
    own.running += 1;
    return uploadId;
  }

  async #run<T>(
    uploadId: string,
    { clientId, log }: SlotOptions,
    upload: (count: UploadCount) => Promise<T>,
  ): Promise<T> {
    const quotas = this.#quotas;
    const warn = (error: unknown) => log.warn({ err: error }, 'the quota of an upload could not be changed');
    const renewal = setInterval(() => void quotas.renew(clientId, uploadId).catch(warn), QUOTA_LEASE_MS / 4);
    let receivedBytes = 0;
    try {
      return await upload({
        received: (bytes) => {
          receivedBytes += bytes;
        },
        unpacked: async (bytes) => refuseUnless(await quotas.countUnpacked(clientId, bytes), quotas),
      });
    } finally {
      clearInterval(renewal);
      await quotas.end(clientId, uploadId, receivedBytes).catch(warn);
    }
  }
}

function refuseUnless(admission: Admission, quotas: UploadQuotaStore): void {
  if (!admission.admitted) throw refusal(admission.exceeded, admission.retryAfterSeconds, quotas);
}

type Exceeded = (Admission & { readonly admitted: false })['exceeded'];

function refusal(exceeded: Exceeded, retryAfterSeconds: number, { quota }: UploadQuotaStore): ServiceError {
  const texts: Readonly<Record<Exceeded, string>> = {
    AT_ONCE: `${quota.atOnce} uploads of this client run already. Wait for one of them to end.`,
    BYTES_PER_HOUR: `This client may upload ${quota.bytesPerHour} bytes in an hour. Send the archive again in the next hour.`,
    BYTES_PER_DAY: `This client may upload ${quota.bytesPerDay} bytes in a day. Send the archive again later.`,
    UNPACKED_PER_HOUR: `The archives of this client may unpack to ${quota.unpackedPerHour} bytes in an hour. Send the archive again in the next hour.`,
    UNPACKED_PER_DAY: `The archives of this client may unpack to ${quota.unpackedPerDay} bytes in a day. Send the archive again later.`,
  };
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new ServiceError('RATE_LIMITED', texts[exceeded], { headers });
}
