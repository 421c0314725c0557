/**
 * Publishes the event log to Kafka, topic by topic, from a stored position. The log stays authoritative: brokers that are
 * away delay events, and lose or reorder none. An event may be published twice; its id is then the same.
 *
 * Caller: the role of the events worker, in one process at a time. A second one would publish events again, each key's in
 * their order.
 */
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { Logger } from '../../platform/log.ts';
import type { LoggedEvent } from './event-log-document.ts';
import type { EventLogReads } from './event-log-reads.ts';
import type { KafkaPositionStore } from './kafka-position-store.ts';
import type { EventSender } from './kafka-producer.ts';

export interface PublisherObserver {
  published(topic: string, count: number): void;
  /** Time of the oldest event that the brokers lack; undefined when they have all. */
  behind(topic: string, since: Date | undefined): void;
  failed(topic: string): void;
}

export interface KafkaPublisherOptions {
  readonly log: EventLogReads;
  readonly positions: KafkaPositionStore;
  readonly sender: EventSender;
  readonly topics: readonly string[];
  readonly observer: PublisherObserver;
  readonly logger: Logger;
}

/** The sender sends them in as many requests as brokers take. */
const EVENTS_AT_ONCE = 200;

export class KafkaPublisher {
  readonly #options: KafkaPublisherOptions;

  constructor(options: KafkaPublisherOptions) {
    this.#options = options;
  }

  /** A topic that fails does not hold the others; throws afterwards. */
  async publishPending(mayGoOn: () => Promise<boolean>): Promise<void> {
    const { topics, observer } = this.#options;
    const failures: unknown[] = [];
    for (const topic of topics) {
      try {
        await this.#publishTopic(topic, mayGoOn);
      } catch (error) {
        observer.failed(topic);
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} topics are not published to Kafka`);
  }

  async #publishTopic(topic: string, mayGoOn: () => Promise<boolean>): Promise<void> {
    const { log, positions, sender, observer } = this.#options;
    for (;;) {
      const from = await positions.find(topic);
      const last = await log.lastOffset(topic);
      const events = await log.list(topic, 'ANY', { after: from, upTo: last, limit: EVENTS_AT_ONCE });
      const [first] = events;
      observer.behind(topic, first?.event.time);
      if (!first || !(await mayGoOn())) return;
      this.#reportExpired(topic, from, first);
      await sender.send(events.map(({ event }): OutboxEvent => event));
      // Another publisher has moved it: read where it stands.
      if (!(await positions.move(topic, from, events.at(-1)?.offset ?? from))) continue;
      observer.published(topic, events.length);
    }
  }

  /** Not at the first start: events that have expired before it were never to be published. */
  #reportExpired(topic: string, position: number, { offset }: LoggedEvent): void {
    if (position === 0 || offset === position + 1) return;
    const missing = { topic, from: position + 1, to: offset - 1 };
    this.#options.logger.error(missing, 'events have expired before Kafka had them: publish them from a back-up');
  }
}
