/** Metrics of the publisher for Kafka. Only the leader sets the age; other processes show none. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { PublisherObserver } from './kafka-publisher.ts';

export class KafkaMetrics implements PublisherObserver {
  readonly #published: Counter;
  readonly #failed: Counter;
  readonly #oldest = new Map<string, Date>();

  /** Every topic is shown from the start. */
  constructor(registry: Registry, topics: readonly string[], now: () => Date = () => new Date()) {
    const registers = [registry];
    this.#published = new Counter({
      name: 'events_kafka_published_total',
      help: 'Events this process has published to Kafka',
      labelNames: ['topic'],
      registers,
    });
    this.#failed = new Counter({
      name: 'events_kafka_failures_total',
      help: 'Attempts to publish a topic to Kafka that have failed',
      labelNames: ['topic'],
      registers,
    });
    const age = (since: Date | undefined) => (since ? Math.max(0, now().getTime() - since.getTime()) / 1_000 : 0);
    const ages = () => topics.map((topic) => [topic, age(this.#oldest.get(topic))] as const);
    new Gauge({
      name: 'events_kafka_lag_seconds',
      help: 'Age of the oldest event that Kafka lacks; grows while a topic cannot be published',
      labelNames: ['topic'],
      registers,
      collect() {
        for (const [topic, seconds] of ages()) this.set({ topic }, seconds);
      },
    });
    for (const topic of topics) for (const counter of [this.#published, this.#failed]) counter.inc({ topic }, 0);
  }

  published(topic: string, count: number): void {
    this.#published.inc({ topic }, count);
  }

  behind(topic: string, since: Date | undefined): void {
    if (since) this.#oldest.set(topic, since);
    else this.#oldest.delete(topic);
  }

  failed(topic: string): void {
    this.#failed.inc({ topic });
  }

  leads(leading: boolean): void {
    if (!leading) this.#oldest.clear();
  }
}
