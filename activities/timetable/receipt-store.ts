/**
 * The receipt of an upload, written before its bytes. Whenever the process dies, either the sweep finds what to remove, or
 * the import is accepted.
 *
 *   begin (RECEIVING, invisible) → object stored → markStored → accept (IN_PROGRESS, or FAILED as a duplicate)
 *                                                 ↘ abandon → object removed → forget
 *
 * Callers: the upload handler, the sweep. Never touches the object store itself.
 */
import type { Connection } from 'mongoose';
import { conditionalPipeline, conditionalUpdate } from '../../platform/aggregate/conditional-update.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Codespace, CorrelationId, ImportKey, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { settleGuard } from './import-guard.ts';
import { IMPORT_INDEX, IMPORTS, type ImportCollection, type ImportDocument } from './import-model.ts';
import { type ImportRecord, toRecord } from './import-record.ts';

/** A handler that has not renewed its lease for this long is taken for dead. It renews several times within. */
export const RECEIPT_LEASE_MS = 120_000;

export interface ReceiptStart {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
  readonly organisationId: OrganisationId;
  readonly clientId: string;
}

export interface StoredFile {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface Abandoned {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
}

export class ReceiptStore {
  readonly #imports: ImportCollection;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#imports = IMPORTS.open(connection);
    this.#now = now;
  }

  /**
   * Call before the first byte is stored. Takes over what an earlier attempt under the same id has left RECEIVING. The
   * caller lets one attempt run at a time. Throws UNAVAILABLE while the sweep removes that earlier attempt.
   */
  async begin({ codespace, correlationId, organisationId, clientId }: ReceiptStart): Promise<void> {
    const now = this.#now();
    try {
      await this.#imports.updateOne(
        { _id: correlationId, codespace, state: 'RECEIVING' },
        {
          $set: { organisationId, clientId, beganAt: now, leaseUntil: this.#lease(now) },
          $unset: { sha256: 1, sizeBytes: 1, fileName: 1 },
          $setOnInsert: { sequence: 0, outbox: [] },
          $inc: { revision: 1 },
        },
        { upsert: true },
      );
    } catch (error) {
      if (!isDuplicateKey(error, '_id_')) throw error;
      throw gone(error);
    }
  }

  /** Shows that the handler is alive. Throws UNAVAILABLE when the sweep has removed the receipt. */
  async renewLease(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    await this.#whileReceiving(codespace, correlationId, {});
  }

  /**
   * Records that the archive is complete in the object store. Throws UNAVAILABLE when the sweep has removed the
   * receipt.
   */
  async markStored(codespace: Codespace, correlationId: CorrelationId, file: StoredFile): Promise<void> {
    const { fileName, sizeBytes, sha256 } = file;
    await this.#whileReceiving(codespace, correlationId, { fileName, sizeBytes, sha256 });
  }

  async #whileReceiving(codespace: Codespace, correlationId: CorrelationId, file: Partial<StoredFile>): Promise<void> {
    const now = this.#now();
    const { matchedCount } = await this.#imports.updateOne(
      { _id: correlationId, codespace, state: 'RECEIVING' },
      conditionalUpdate<ImportDocument>({ set: { ...file, leaseUntil: this.#lease(now) } }, now),
    );
    if (matchedCount === 0) throw gone();
  }

  /** True when the archive of an earlier attempt is complete in the object store, accepted or not. */
  async isStored(codespace: Codespace, correlationId: CorrelationId): Promise<boolean> {
    const stored = { _id: correlationId, codespace, state: { $ne: 'ABANDONED' }, sha256: { $exists: true } } as const;
    return (await this.#imports.findOne(stored, { projection: { _id: 1 } })) !== null;
  }

  /**
   * Accepts the import: its key, its position in the order of versions, and the pending start of its workflow, in one
   * write. The same bytes as an import in progress or the latest version make it FAILED. A repeat answers the stored
   * record.
   */
  async accept(codespace: Codespace, correlationId: CorrelationId): Promise<ImportRecord> {
    await settleGuard(this.#imports, codespace, this.#now());
    let asDuplicateOf: ImportDocument | undefined;
    for (let at = this.#now(); ; ) {
      try {
        const written = await this.#accept(codespace, correlationId, at, asDuplicateOf);
        const record = toRecord(written ?? (await this.#imports.findOne({ _id: correlationId, codespace })));
        if (!record) throw gone();
        return record;
      } catch (error) {
        if (isDuplicateKey(error, IMPORT_INDEX.importKey)) {
          at = new Date(at.getTime() + 1);
        } else if (isDuplicateKey(error, IMPORT_INDEX.activeBytes)) {
          await settleGuard(this.#imports, codespace, this.#now());
          asDuplicateOf = await this.#holder(codespace, correlationId);
        } else throw error;
      }
    }
  }

  async #accept(
    codespace: Codespace,
    correlationId: CorrelationId,
    at: Date,
    asDuplicateOf: ImportDocument | undefined,
  ): Promise<ImportDocument | null> {
    const transfer = { startedAt: '$beganAt', endedAt: at };
    const outcome = asDuplicateOf
      ? {
          state: 'FAILED',
          purgeAfter: at,
          'actions.FILE_TRANSFER': { ...transfer, ...duplicateOf(asDuplicateOf) },
        }
      : {
          state: 'IN_PROGRESS',
          guardSha256: '$sha256',
          'actions.FILE_TRANSFER': { ...transfer, state: 'OK' },
          'actions.FILE_CLASSIFICATION': { state: 'PENDING', startedAt: at },
        };
    const receipt = { $set: { ...outcome, receivedAt: at, importKey: importKeyOf(codespace, at) } };
    return await this.#imports.findOneAndUpdate(
      { _id: correlationId, codespace, state: 'RECEIVING', sha256: { $exists: true } },
      conditionalPipeline([receipt, { $unset: ['leaseUntil'] }], at, asDuplicateOf ? {} : { pendingStart: true }),
      { returnDocument: 'after' },
    );
  }

  /** The import that holds the guard of these bytes; undefined when it has just lost it. */
  async #holder(codespace: Codespace, correlationId: CorrelationId): Promise<ImportDocument | undefined> {
    const own = await this.#imports.findOne({ _id: correlationId, codespace });
    if (own?.sha256 === undefined) return undefined;
    const holder = await this.#imports.findOne({ codespace, guardSha256: own.sha256 });
    return holder ?? undefined;
  }

  /**
   * From now on the upload cannot be accepted, and its object may be removed. False when it has been accepted. True also
   * when the sweep has removed the receipt: nothing refers to an object that was stored since.
   */
  async abandon(codespace: Codespace, correlationId: CorrelationId): Promise<boolean> {
    const now = this.#now();
    const changed = await this.#imports.updateOne(
      { _id: correlationId, codespace, state: { $in: ['RECEIVING', 'ABANDONED'] } },
      conditionalUpdate<ImportDocument>({ set: { state: 'ABANDONED', leaseUntil: now } }, now),
    );
    return (
      changed.matchedCount > 0 ||
      (await this.#imports.findOne({ _id: correlationId }, { projection: { _id: 1 } })) === null
    );
  }

  /** Makes uploads ABANDONED whose handler has died, one by one. */
  async abandonStale(limit: number): Promise<readonly Abandoned[]> {
    const abandoned: Abandoned[] = [];
    while (abandoned.length < limit) {
      const now = this.#now();
      const found = await this.#imports.findOneAndUpdate(
        { leaseUntil: { $lte: now }, state: { $in: ['RECEIVING', 'ABANDONED'] } },
        // With a lease: when a sweep dies before the end, the next one does the rest.
        conditionalUpdate<ImportDocument>({ set: { state: 'ABANDONED', leaseUntil: this.#lease(now) } }, now),
        { sort: { leaseUntil: 1 } },
      );
      if (!found) break;
      abandoned.push({ codespace: found.codespace, correlationId: found._id });
    }
    return abandoned;
  }

  /** Removes the receipt, after its object is deleted. */
  async forget(codespace: Codespace, correlationId: CorrelationId): Promise<void> {
    await this.#imports.deleteOne({ _id: correlationId, codespace, state: 'ABANDONED' });
  }

  #lease(now: Date): Date {
    return new Date(now.getTime() + RECEIPT_LEASE_MS);
  }
}

/** The receipt's instant in UTC, to the millisecond. */
export function importKeyOf(codespace: Codespace, receivedAt: Date): ImportKey {
  return `${codespace}_${receivedAt.toISOString().slice(0, -1).replaceAll(':', '_')}` as ImportKey;
}

function duplicateOf(holder: ImportDocument) {
  const message =
    holder.state === 'IN_PROGRESS'
      ? 'The same archive is being imported already.'
      : 'The same archive is the latest version already.';
  return {
    state: 'DUPLICATE',
    errorCode: 'DUPLICATE',
    details: { $literal: { message, correlationId: holder._id, importKey: holder.importKey } },
  };
}

function gone(cause?: unknown): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The upload was given up; send it again', {
    cause,
    headers: { 'retry-after': '1' },
  });
}
