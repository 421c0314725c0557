/**
 * Moves events from the outboxes of aggregates to the event log. An event leaves its outbox only after the log has it,
 * and the log accepts each once. So a crash between the two, or another relay that does the same, neither loses nor
 * repeats an event. What events mean in the ledger is written first, so that a reader of an event finds its entry.
 *
 * Caller: the role of the events worker.
 */
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { EventWithEntry, LedgerWriter } from '../shared/ledger.ts';
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
  /** Absent: no area has entries. */
  readonly ledger?: LedgerWriter | undefined;
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
    await this.#options.ledger?.ensureIndexes();
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
        await this.#move(source, await this.#recorded(pending));
      }
    }
  }

  /** Without the entries, which the ledger has now. Most events have none, and pass as they are. */
  async #recorded(pending: readonly PendingOutbox[]): Promise<readonly PendingOutbox[]> {
    const entered = pending.flatMap(({ events }) => events.filter(hasEntry));
    if (entered.length === 0) return pending;
    const { ledger } = this.#options;
    if (!ledger) throw new Error(`${entered[0]?.id} has an entry, and no area keeps a ledger`);
    await ledger.record(entered);
    return pending.map(({ id, events }) => ({ id, events: events.map(withoutEntry) }));
  }

  async #move(source: OutboxSource, pending: readonly PendingOutbox[]): Promise<void> {
    const { log, kept, keptTopics, observer } = this.#options;
    const moved = pending.flatMap(({ events }) => events);
    await kept.keep(moved.filter(({ topic }) => keptTopics.has(topic)));
    for (const round of roundsOf(pending)) {
      for (const [topic, events] of Map.groupBy(round, (event: OutboxEvent) => event.topic)) {
        for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
          const appended = await log.append(topic, events.slice(start, start + EVENTS_AT_ONCE));
          observer.relayed(topic, appended);
        }
      }
    }
    await source.remove(pending);
  }
}

function hasEntry(event: OutboxEvent): event is EventWithEntry {
  return event.entry !== undefined;
}

function withoutEntry({ entry: _entry, ...event }: OutboxEvent): OutboxEvent {
  return event;
}

/**
 * An aggregate's event is appended after those before it, also when they are of other topics: each round takes the next
 * events of one topic from each outbox.
 */
function roundsOf(pending: readonly PendingOutbox[]): readonly (readonly OutboxEvent[])[] {
  const rounds: OutboxEvent[][] = [];
  for (const { events } of pending) {
    let round = 0;
    for (const [index, event] of events.entries()) {
      if (index > 0 && events[index - 1]?.topic !== event.topic) round += 1;
      const taken = rounds[round] ?? [];
      rounds[round] = taken;
      taken.push(event);
    }
  }
  return rounds;
}

function earliest(dates: readonly Date[]): Date | undefined {
  return dates.reduce<Date | undefined>((first, date) => (first && first < date ? first : date), undefined);
}
