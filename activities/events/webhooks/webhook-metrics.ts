/** Metrics of deliveries to webhooks. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebhookStore } from './webhook-store.ts';

export class WebhookMetrics {
  readonly #deliveries: Counter;
  readonly #webhooks: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#deliveries = new Counter({
      name: 'events_webhook_deliveries_total',
      help: 'Attempts of this process to deliver an event to a webhook, by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.#webhooks = new Gauge({
      name: 'events_webhooks',
      help: 'Webhooks by state; failing: at least one key is tried again',
      labelNames: ['state'],
      registers,
    });
    for (const outcome of ['delivered', 'failed']) this.#deliveries.inc({ outcome }, 0);
  }

  delivery(outcome: 'delivered' | 'failed'): void {
    this.#deliveries.inc({ outcome });
  }

  /** Every events process counts them. */
  async count(store: WebhookStore): Promise<void> {
    for (const [state, count] of Object.entries(await store.countByState())) this.#webhooks.set({ state }, count);
  }
}
