/**
 * Moves events from the outboxes of aggregates to the event log. An event leaves its outbox only after the log has it,
 * and the log accepts each once. So a crash between the two, or another relay that does the same, neither loses nor
 * repeats an event.
 *
 * Caller: the role of the events worker.
 */
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { EventLogStore } from './event-log-store.ts';
import type { KeptEventStore } from './kept-event-store.ts';
import type { OutboxSource, PendingOutbox } from './outbox-source.ts';

export interface RelayObserver {
  relayed(topic: string, count: number): void;
  /** Time of the oldest pending event; undefined when none is pending. */
  oldestPending(since: Date | undefined): void;
}

export interface EventRelayOptions {
  readonly log: EventLogStore;
  readonly kept: KeptEventStore;
  /** Names of the topics whose events stay readable by aggregate. */
  readonly keptTopics: ReadonlySet<string>;
  readonly sources: readonly OutboxSource[];
  readonly observer: RelayObserver;
}

/** Small enough for one command and a short time in the lease. */
const DOCUMENTS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 500;

export class EventRelay {
  readonly #options: EventRelayOptions;

  constructor(options: EventRelayOptions) {
    this.#options = options;
  }

  async ensureIndexes(): Promise<void> {
    await this.#options.log.ensureIndexes();
    await this.#options.kept.ensureIndexes();
    for (const source of this.#options.sources) await source.ensureIndex();
  }

  /** Moves all pending events. Calls `mayGoOn` before each batch and ends early when it answers false. */
  async relayPending(mayGoOn: () => Promise<boolean>): Promise<void> {
    const oldest = new Map<OutboxSource, Date>();
    for (const source of this.#options.sources) {
      for (;;) {
        if (!(await mayGoOn())) return;
        const pending = await source.listPending(DOCUMENTS_AT_ONCE);
        const since = pending[0]?.events[0]?.time;
        if (since) oldest.set(source, since);
        else oldest.delete(source);
        this.#options.observer.oldestPending(earliest([...oldest.values()]));
        if (pending.length === 0) break;
        await this.#move(source, pending);
      }
    }
  }

  async #move(source: OutboxSource, pending: readonly PendingOutbox[]): Promise<void> {
    const { log, kept, keptTopics, observer } = this.#options;
    const moved = pending.flatMap(({ events }) => events);
    await kept.keep(moved.filter(({ topic }) => keptTopics.has(topic)));
    const byTopic = Map.groupBy(moved, (event: OutboxEvent) => event.topic);
    for (const [topic, events] of byTopic) {
      for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
        const appended = await log.append(topic, events.slice(start, start + EVENTS_AT_ONCE));
        observer.relayed(topic, appended);
      }
    }
    await source.remove(pending);
  }
}

function earliest(dates: readonly Date[]): Date | undefined {
  return dates.reduce<Date | undefined>((first, date) => (first && first < date ? first : date), undefined);
}
