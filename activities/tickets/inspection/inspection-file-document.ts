/** The one document that holds the newest inspection file. Callers: its store, and the manifest. */
import { CollectionDefinition } from '../../../platform/mongo/collection.ts';

export const NEWEST = 'newest';

export interface InspectionFileDocument {
  readonly _id: typeof NEWEST;
  readonly number: number;
  /** Of the keys in it. */
  readonly keyIds: readonly number[];
  /** Tickets that were revoked then, also those that found no room. Absent in files from before it was kept. */
  readonly revokedCount?: number;
  /** A compact JWS. */
  readonly file: string;
  /** What it was made of, to notice a change. */
  readonly madeOf: string;
  readonly createdAt: Date;
  readonly validUntil: Date;
}

export const TICKET_INSPECTION_FILES = new CollectionDefinition<InspectionFileDocument>('ticket_inspection_files');
