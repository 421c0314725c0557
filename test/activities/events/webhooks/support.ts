/** A log, webhooks that deliver from it, and receivers, for tests of webhooks. */
import { randomBytes, randomUUID } from 'node:crypto';
import { WebhookDeliveries } from '../../../../activities/events/webhooks/webhook-deliveries.ts';
import type { WebhookDocument } from '../../../../activities/events/webhooks/webhook-document.ts';
import {
  WebhookRequests,
  type WebhookRequestsOptions,
} from '../../../../activities/events/webhooks/webhook-request.ts';
import { WebhookSecrets } from '../../../../activities/events/webhooks/webhook-secrets.ts';
import { WebhookStore } from '../../../../activities/events/webhooks/webhook-store.ts';
import { parseKeyRing } from '../../../../platform/keys/key-ring.ts';
import type { OrganisationId, WebhookId } from '../../../../workflows/shared/ids.ts';
import { silentLog } from '../../../api/support/parcels.ts';
import { type EventsWorld, ONE, openEvents, orderEvent, TOPIC } from '../support.ts';
import { certificate, Receiver } from './receiver.ts';

export const SECRET = 'a secret of the receiver';

/** One process that delivers. */
export interface Deliverer {
  stop(): Promise<void>;
}

export class WebhookWorld {
  readonly events: EventsWorld;
  readonly store: WebhookStore;
  readonly secrets = new WebhookSecrets(parseKeyRing(`k1:${randomBytes(32).toString('base64')}`, 'WEBHOOK_KEYS'));
  readonly #deliverers: Deliverer[] = [];
  readonly #receivers: Receiver[] = [];

  private constructor(events: EventsWorld) {
    this.events = events;
    this.store = new WebhookStore(events.connection);
  }

  static async open(): Promise<WebhookWorld> {
    const world = new WebhookWorld(await openEvents());
    await world.store.ensureIndexes();
    return world;
  }

  async close(): Promise<void> {
    await Promise.all(this.#deliverers.map((each) => each.stop()));
    await Promise.all(this.#receivers.map((each) => each.close()));
    await this.events.connection.dropDatabase();
    await this.events.connection.close();
  }

  async receiver(plain = false): Promise<Receiver> {
    const receiver = await Receiver.open(plain ? undefined : certificate);
    this.#receivers.push(receiver);
    return receiver;
  }

  async webhook(
    url: string,
    organisationId: OrganisationId = ONE,
    topics: readonly string[] = [TOPIC],
  ): Promise<WebhookId> {
    const _id = randomUUID() as WebhookId;
    const heads = await Promise.all(
      topics.map(async (topic) => [topic, await this.events.log.lastOffset(topic)] as const),
    );
    const sealed = this.secrets.seal({ _id, organisationId }, SECRET);
    const positions = Object.fromEntries(heads);
    await this.store.create({ _id, organisationId, url, topics, positions, createdAt: new Date(), ...sealed });
    return _id;
  }

  async stored(id: WebhookId): Promise<WebhookDocument | undefined> {
    return (await this.events.connection.collection<WebhookDocument>('webhooks').findOne({ _id: id })) ?? undefined;
  }

  async append(
    key: string,
    from: number,
    to = from,
    organisationId: OrganisationId = ONE,
    topic = TOPIC,
  ): Promise<void> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    await this.events.log.append(
      topic,
      numbers.map((n) => orderEvent(key, n, organisationId, topic)),
    );
  }

  /** Turns as the leased loop does, but sooner. */
  deliver(
    how: Partial<WebhookRequestsOptions> & { readonly store?: WebhookStore; readonly now?: () => Date } = {},
  ): Deliverer {
    const { store = this.store, now, ...options } = how;
    const requests = new WebhookRequests({
      open: true,
      headerPrefix: 'Service',
      authorities: [certificate.cert],
      ...options,
    });
    const deliveries = new WebhookDeliveries({
      log: this.events.log,
      store,
      secrets: this.secrets,
      requests,
      logger: silentLog,
      onDelivery: () => undefined,
      ...(now && { now }),
    });
    let turning = Promise.resolve();
    const timer = setInterval(() => {
      turning = turning.then(() => deliveries.turn()).catch(() => undefined);
    }, 20);
    const deliverer = {
      stop: async () => {
        clearInterval(timer);
        await turning;
        await deliveries.stop();
        requests.close();
      },
    };
    this.#deliverers.push(deliverer);
    return deliverer;
  }
}

export const ids = (key: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `order/${key}/${from + index}`);
