/** Metrics of subscriptions. Only the leader sets the age; other processes show none. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SubscriptionObserver } from './subscriptions.ts';

export class SubscriptionMetrics implements SubscriptionObserver {
  readonly #delivered: Counter;
  readonly #failed: Counter;
  readonly #oldest = new Map<string, Date>();

  /** Every subscription is shown from the start. */
  constructor(registry: Registry, subscriptions: readonly string[], now: () => Date = () => new Date()) {
    const shared = { labelNames: ['subscription'], registers: [registry] };
    this.#delivered = new Counter({
      name: 'events_subscription_delivered_total',
      help: 'Events this process has delivered to areas that act on them',
      ...shared,
    });
    this.#failed = new Counter({
      name: 'events_subscription_failures_total',
      help: 'Deliveries to a subscription that have failed and are repeated',
      ...shared,
    });
    const age = (since: Date | undefined) => (since ? Math.max(0, now().getTime() - since.getTime()) / 1_000 : 0);
    const ages = () => subscriptions.map((name) => [name, age(this.#oldest.get(name))] as const);
    new Gauge({
      name: 'events_subscription_lag_seconds',
      help: 'Age of the oldest event that a subscription lacks; grows while deliveries fail',
      ...shared,
      collect() {
        for (const [subscription, seconds] of ages()) this.set({ subscription }, seconds);
      },
    });
    for (const subscription of subscriptions)
      for (const counter of [this.#delivered, this.#failed]) counter.inc({ subscription }, 0);
  }

  delivered(subscription: string, count: number): void {
    this.#delivered.inc({ subscription }, count);
  }

  behind(subscription: string, since: Date | undefined): void {
    if (since) this.#oldest.set(subscription, since);
    else this.#oldest.delete(subscription);
  }

  failed(subscription: string): void {
    this.#failed.inc({ subscription });
  }

  leads(leading: boolean): void {
    if (!leading) this.#oldest.clear();
  }
}
