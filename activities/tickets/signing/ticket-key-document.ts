/** Public halves of the keys that sign tickets. Callers: the worker that publishes them, the API that serves them. */
import type { mongo } from 'mongoose';
import { CollectionDefinition } from '../../../platform/mongo/collection.ts';

export interface TicketKeyDocument {
  /** Issuer and key: `9901/7`. */
  readonly _id: string;
  readonly issuerCode: number;
  readonly keyId: number;
  /** SubjectPublicKeyInfo; never changed. */
  readonly publicKeyDer: mongo.Binary;
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly publishedAt: Date;
}

export const TICKET_KEYS = new CollectionDefinition<TicketKeyDocument>('ticket_keys');
