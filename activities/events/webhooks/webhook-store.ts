/**
 * Webhooks of organisations. The API creates, shows and deletes them; the runner in the events worker alone writes their
 * progress, on condition of the revision that it has read.
 */
import type { Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../../../platform/mongo/mongo.ts';
import type { OrganisationId, WebhookId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { MAX_WEBHOOKS, WEBHOOKS, type WebhookDocument, type WebhookProgress } from './webhook-document.ts';
import type { SealedSecret } from './webhook-secrets.ts';

export type WebhookOwner = OrganisationId | 'ANY';
/** Without what no caller ever sees. */
export type ShownWebhook = Omit<WebhookDocument, 'secret' | 'secretKeyId'>;
export type NewWebhook = Omit<WebhookDocument, 'slot' | 'revision' | 'failing'>;

export interface WebhookPage {
  readonly items: readonly ShownWebhook[];
  readonly total: number;
}

const NO_SECRET = { secret: 0, secretKeyId: 0 } as const;
/** `DISABLED` is none of them. */
const ACTIVE = { disabledAt: { $exists: false } } as const;

export class WebhookStore {
  readonly #connection: Connection;
  readonly #webhooks: mongo.Collection<WebhookDocument>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#webhooks = WEBHOOKS.open(connection);
  }

  async ensureIndexes(): Promise<void> {
    await WEBHOOKS.ensureIndexes(this.#connection);
  }

  /** Repeated with the same id it answers the webhook as it is now. Throws INVALID_STATE when the organisation has too many. */
  async create(webhook: NewWebhook): Promise<ShownWebhook> {
    const { organisationId, _id } = webhook;
    const taken = new Set(await this.#webhooks.distinct('slot', { organisationId }));
    for (let slot = 0; slot < MAX_WEBHOOKS; slot += 1) {
      if (taken.has(slot)) continue;
      try {
        const document: WebhookDocument = { ...webhook, slot, failing: [], revision: 1 };
        await this.#webhooks.insertOne(document);
        return document;
      } catch (error) {
        // Another request took the slot, or an earlier attempt of this one made the webhook.
        if (!isDuplicateKey(error)) throw error;
        const earlier = await this.find(organisationId, _id);
        if (earlier) return earlier;
      }
    }
    const earlier = await this.find(organisationId, _id);
    if (earlier) return earlier;
    throw new ServiceError('INVALID_STATE', `An organisation has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
  }

  async find(owner: WebhookOwner, id: WebhookId): Promise<ShownWebhook | undefined> {
    const found = await this.#webhooks.findOne({ _id: id, ...ownedBy(owner) }, { projection: NO_SECRET });
    return found ?? undefined;
  }

  /** Throws NOT_FOUND, also for a webhook of another organisation. */
  async get(owner: WebhookOwner, id: WebhookId): Promise<ShownWebhook> {
    const found = await this.find(owner, id);
    if (!found) throw new ServiceError('NOT_FOUND', 'There is no such webhook.');
    return found;
  }

  /** Oldest first. */
  async list(owner: WebhookOwner, page: number, perPage: number): Promise<WebhookPage> {
    const filter = ownedBy(owner);
    const [items, total] = await Promise.all([
      this.#webhooks
        .find(filter, { projection: NO_SECRET })
        .sort({ createdAt: 1, _id: 1 })
        .skip((page - 1) * perPage)
        .limit(perPage)
        .toArray(),
      this.#webhooks.countDocuments(filter),
    ]);
    return { items, total };
  }

  /** Throws NOT_FOUND. From then on no delivery begins. */
  async remove(owner: WebhookOwner, id: WebhookId): Promise<void> {
    const { deletedCount } = await this.#webhooks.deleteOne({ _id: id, ...ownedBy(owner) });
    if (deletedCount === 0) throw new ServiceError('NOT_FOUND', 'There is no such webhook.');
  }

  /** Ids of all that are delivered to. */
  async listActiveIds(): Promise<readonly WebhookId[]> {
    const found = await this.#webhooks.find(ACTIVE, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  }

  /** Those of them that are delivered to, with their secrets. */
  async listActive(ids: readonly WebhookId[]): Promise<readonly WebhookDocument[]> {
    return ids.length === 0 ? [] : await this.#webhooks.find({ _id: { $in: [...ids] }, ...ACTIVE }).toArray();
  }

  async isActive(id: WebhookId): Promise<boolean> {
    return (await this.#webhooks.findOne({ _id: id, ...ACTIVE }, { projection: { _id: 1 } })) !== null;
  }

  /** False when it was deleted, or another process has written it since `revision` was read. */
  async save(id: WebhookId, revision: number, progress: WebhookProgress): Promise<boolean> {
    const present = Object.fromEntries(Object.entries(progress).filter(([, value]) => value !== undefined));
    const { matchedCount } = await this.#webhooks.updateOne(
      { _id: id, revision },
      { $set: present, $inc: { revision: 1 } },
    );
    return matchedCount === 1;
  }

  /** Seals a secret with another key. Progress goes on. */
  async replaceSecret(id: WebhookId, before: string, { secret, secretKeyId }: SealedSecret): Promise<void> {
    await this.#webhooks.updateOne({ _id: id, secretKeyId: before }, { $set: { secret, secretKeyId } });
  }

  async countByState(): Promise<Readonly<Record<'active' | 'failing' | 'disabled', number>>> {
    const failing = { 'failing.0': { $exists: true }, ...ACTIVE } as mongo.Filter<WebhookDocument>;
    const [all, disabled, failed] = await Promise.all([
      this.#webhooks.countDocuments(),
      this.#webhooks.countDocuments({ disabledAt: { $exists: true } }),
      this.#webhooks.countDocuments(failing),
    ]);
    return { active: all - disabled - failed, failing: failed, disabled };
  }
}

function ownedBy(owner: WebhookOwner): mongo.Filter<WebhookDocument> {
  return owner === 'ANY' ? {} : { organisationId: owner };
}
