/**
 * The newest inspection file. Callers: the worker that makes it, the API that serves it to everybody. Each has a higher number
 * than the one before, also after a restore, so that a device notices an older one.
 */
import type { Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../../../platform/mongo/mongo.ts';
import { type InspectionFileDocument, NEWEST, TICKET_INSPECTION_FILES } from './inspection-file-document.ts';

export const INSPECTION_CONTENT_TYPE = 'application/jose';

export interface InspectionFileFacts {
  readonly number: number;
  readonly keyIds: readonly number[];
  readonly revokedCount?: number;
  readonly madeOf: string;
  readonly createdAt: Date;
  readonly validUntil: Date;
}

export interface StoredInspectionFile {
  readonly bytes: Uint8Array;
  readonly contentType: typeof INSPECTION_CONTENT_TYPE;
  readonly etag: string;
  readonly createdAt: Date;
  readonly validUntil: Date;
}

export class InspectionFileStore {
  readonly #files: mongo.Collection<InspectionFileDocument>;
  /** Kept, because files are large and many devices ask for the same one. */
  #read: (StoredInspectionFile & { readonly number: number }) | undefined;

  constructor(connection: Connection) {
    this.#files = TICKET_INSPECTION_FILES.open(connection);
  }

  /** Undefined before the first file. */
  async read(): Promise<StoredInspectionFile | undefined> {
    const facts = await this.findFacts();
    if (!facts) return undefined;
    if (this.#read?.number === facts.number) return this.#read;
    const found = await this.#files.findOne({ _id: NEWEST });
    if (!found) return undefined;
    const { number, file, createdAt, validUntil } = found;
    const bytes = Buffer.from(file, 'ascii');
    this.#read = { number, bytes, contentType: INSPECTION_CONTENT_TYPE, etag: `"${number}"`, createdAt, validUntil };
    return this.#read;
  }

  async findFacts(): Promise<InspectionFileFacts | undefined> {
    return (await this.#files.findOne({ _id: NEWEST }, { projection: { file: 0 } })) ?? undefined;
  }

  /** `replaced`: the number of the file before, undefined without one. False when another process has replaced that one. */
  async replace(replaced: number | undefined, facts: InspectionFileFacts, file: string): Promise<boolean> {
    const written = { ...facts, file };
    try {
      const { matchedCount, upsertedCount } = await this.#files.updateOne(
        { _id: NEWEST, ...(replaced !== undefined && { number: replaced }) },
        replaced === undefined ? { $setOnInsert: written } : { $set: written },
        { upsert: replaced === undefined },
      );
      return replaced === undefined ? upsertedCount > 0 : matchedCount > 0;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
