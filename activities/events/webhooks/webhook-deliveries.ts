/**
 * Delivers to all webhooks: one runner for each, so a slow receiver holds no other. Caller: the leased job of webhooks, which
 * calls `turn` after new events and every second.
 */
import type { Logger } from '../../../platform/log.ts';
import type { WebhookId } from '../../../workflows/shared/ids.ts';
import type { EventLogReads } from '../event-log-reads.ts';
import type { WebhookRequests } from './webhook-request.ts';
import { WebhookRunner } from './webhook-runner.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface WebhookDeliveriesOptions {
  readonly log: EventLogReads;
  readonly store: WebhookStore;
  readonly secrets: WebhookSecrets;
  readonly requests: WebhookRequests;
  readonly logger: Logger;
  readonly onDelivery: (outcome: 'delivered' | 'failed') => void;
  readonly now?: () => Date;
}

/** A new webhook is taken up, and a deleted one given up, within this time. */
const LIST_EVERY_MS = 1_000;

export class WebhookDeliveries {
  readonly #options: WebhookDeliveriesOptions;
  readonly #runners = new Map<WebhookId, { readonly runner: WebhookRunner; readonly topics: readonly string[] }>();
  #listedAtMs = Number.NEGATIVE_INFINITY;
  #stopped: Promise<unknown> = Promise.resolve();

  constructor(options: WebhookDeliveriesOptions) {
    this.#options = options;
  }

  async turn(): Promise<void> {
    await this.#stopped;
    if (performance.now() - this.#listedAtMs >= LIST_EVERY_MS) await this.#list();
    const topics = new Set([...this.#runners.values()].flatMap((each) => each.topics));
    const heads = new Map<string, number>();
    for (const topic of topics) heads.set(topic, await this.#options.log.lastOffset(topic));
    for (const { runner } of this.#runners.values()) runner.offer(heads);
  }

  /** Ends the deliveries in progress. Another process, or the next turn, goes on with them. */
  async stop(): Promise<void> {
    const runners = [...this.#runners.values()];
    this.#runners.clear();
    this.#listedAtMs = Number.NEGATIVE_INFINITY;
    this.#stopped = Promise.all([this.#stopped, ...runners.map(({ runner }) => runner.stop())]);
    await this.#stopped;
  }

  async #list(): Promise<void> {
    const { store } = this.#options;
    const active = new Set(await store.listActiveIds());
    this.#listedAtMs = performance.now();
    for (const [id, { runner }] of [...this.#runners]) {
      if (active.has(id) && runner.isRunning) continue;
      await runner.stop();
      this.#runners.delete(id);
    }
    // Read after the former runner of a webhook has stored its progress.
    for (const webhook of await store.listActive([...active].filter((id) => !this.#runners.has(id)))) {
      const { topics } = webhook;
      this.#runners.set(webhook._id, { runner: new WebhookRunner({ ...this.#options, webhook }), topics });
    }
  }
}
