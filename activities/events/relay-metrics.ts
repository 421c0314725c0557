/** Metrics of the events worker. Only the leader sets the metrics of outboxes; other processes show none. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { RelayObserver } from './event-relay.ts';

export class RelayMetrics implements RelayObserver {
  readonly #relayed: Counter;
  readonly #leader: Gauge;
  readonly #waiting: Gauge;
  #oldest: Date | undefined;

  constructor(registry: Registry, now: () => Date = () => new Date()) {
    const registers = [registry];
    this.#relayed = new Counter({
      name: 'events_relayed_total',
      help: 'Events this process has appended to the log',
      labelNames: ['topic'],
      registers,
    });
    this.#leader = new Gauge({
      name: 'events_relay_leader',
      help: '1 while this process moves events; of all processes together it should be 1',
      registers,
    });
    this.#waiting = new Gauge({
      name: 'events_outbox_documents',
      help: 'Documents with events that have yet to be moved, by collection; counted up to a bound',
      labelNames: ['collection'],
      registers,
    });
    const age = () => (this.#oldest ? Math.max(0, now().getTime() - this.#oldest.getTime()) / 1_000 : 0);
    new Gauge({
      name: 'events_outbox_age_seconds',
      help: 'How long the event that has waited longest has waited; grows while events cannot be moved',
      registers,
      collect() {
        this.set(age());
      },
    });
    this.#leader.set(0);
  }

  relayed(topic: string, count: number): void {
    this.#relayed.inc({ topic }, count);
  }

  oldestPending(since: Date | undefined): void {
    this.#oldest = since;
  }

  /** Every events process counts the documents of a collection. */
  waiting(collection: string, documents: number): void {
    this.#waiting.set({ collection }, documents);
  }

  leads(leading: boolean): void {
    this.#leader.set(leading ? 1 : 0);
    if (!leading) this.#oldest = undefined;
  }
}
