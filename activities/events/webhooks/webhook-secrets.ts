/**
 * Seals the secrets of webhooks, each bound to its webhook and organisation. The API seals, the events worker opens: it signs
 * deliveries with them. Nothing else ever needs one.
 */
import mongoose, { type mongo } from 'mongoose';
import { openBytes, sealBytes } from '../../../platform/keys/aes-gcm.ts';
import type { KeyRing } from '../../../platform/keys/key-ring.ts';
import type { WebhookDocument } from './webhook-document.ts';

type Owner = Pick<WebhookDocument, '_id' | 'organisationId'>;
export type SealedSecret = Pick<WebhookDocument, 'secret' | 'secretKeyId'>;

export class WebhookSecrets {
  readonly #keys: KeyRing;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  seal(owner: Owner, secret: string): SealedSecret {
    const { writingKeyId, keys } = this.#keys;
    const key = keys.get(writingKeyId);
    if (!key) throw new Error('WEBHOOK_KEYS has no key that writes');
    const sealed = sealBytes(key, Buffer.from(secret), placeOf(owner));
    return { secret: new mongoose.mongo.Binary(sealed), secretKeyId: writingKeyId };
  }

  /** Throws where its key is gone, or it was sealed for another webhook. */
  open({ secret, secretKeyId, ...owner }: Owner & SealedSecret): Buffer {
    const key = this.#keys.keys.get(secretKeyId);
    if (!key) throw new Error(`WEBHOOK_KEYS lacks the key ${secretKeyId}`);
    return openBytes(key, bytesOf(secret), placeOf(owner));
  }

  /** Sealed with the key that writes; undefined where it is already. */
  renew(webhook: Owner & SealedSecret): SealedSecret | undefined {
    if (webhook.secretKeyId === this.#keys.writingKeyId) return undefined;
    return this.seal(webhook, this.open(webhook).toString());
  }
}

function placeOf({ _id, organisationId }: Owner): string {
  return `webhook/${organisationId}/${_id}`;
}

function bytesOf(secret: mongo.Binary | Uint8Array): Uint8Array {
  return secret instanceof Uint8Array ? secret : secret.value();
}
