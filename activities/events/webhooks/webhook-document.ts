/** A webhook as it is stored: where it delivers, how far it has come, and which keys fail. Types only. */
import type { mongo } from 'mongoose';
import { CollectionDefinition } from '../../../platform/mongo/collection.ts';
import type { OrganisationId, WebhookId } from '../../../workflows/shared/ids.ts';

/** Why a delivery failed. Tells nothing of what the receiver answered but its status. */
export type FailureReason =
  | 'STATUS'
  | 'TIMEOUT'
  | 'NO_CONNECTION'
  | 'NAME_UNKNOWN'
  | 'CERTIFICATE'
  | 'ADDRESS_REFUSED'
  | 'SECRET_UNREADABLE';

export interface Failure {
  readonly reason: FailureReason;
  /** Of the answer. */
  readonly status?: number;
  readonly at: Date;
}

/** A key whose deliveries fail. Its events wait for it; those of other keys do not. */
export interface FailingKey {
  readonly topic: string;
  readonly key: string;
  /** The next event to deliver has this offset, or a later one. */
  readonly offset: number;
  readonly since: Date;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  /** It has failed for as long as a key may, while others did not: it is tried no more. */
  readonly stopped?: true;
}

/** The part that deliveries change. */
export interface WebhookProgress {
  /** By topic: each event up to this offset was delivered, belongs to a failing key, or to another organisation. */
  readonly positions: Readonly<Record<string, number>>;
  readonly failing: readonly FailingKey[];
  readonly lastDeliveredAt?: Date;
  readonly lastFailure?: Failure;
  /** Nothing was delivered for as long as a webhook may fail: it is tried no more. */
  readonly disabledAt?: Date;
}

export interface WebhookDocument extends WebhookProgress {
  readonly _id: WebhookId;
  readonly organisationId: OrganisationId;
  /** From 0: so an organisation has only so many. */
  readonly slot: number;
  readonly url: string;
  readonly topics: readonly string[];
  /** Sealed with the key of this id. */
  readonly secret: mongo.Binary;
  readonly secretKeyId: string;
  readonly createdAt: Date;
  /** Each write of progress raises it and is conditional on it. */
  readonly revision: number;
}

export const WEBHOOKS = new CollectionDefinition<WebhookDocument>('webhooks', [
  { name: 'slots', key: { organisationId: 1, slot: 1 }, unique: true },
]);

export const MAX_WEBHOOKS = 20;
