/**
 * What one webhook has yet to deliver, in memory: a lane for each key. An event is dispatched once, in the order of its topic,
 * and settled when it was delivered or belongs to a failing key. From that follows the position to store. No I/O.
 *
 * Caller: the runner. It changes lanes only between two awaits, so dispatching and settling never interleave.
 */
import type { LoggedEvent } from '../event-log-document.ts';
import type { FailingKey, WebhookProgress } from './webhook-document.ts';

export interface Lane {
  readonly id: string;
  readonly topic: string;
  readonly key: string;
}

export class WebhookLanes {
  readonly #scanned: Map<string, number>;
  readonly #failing: Map<string, FailingKey>;
  readonly #queues = new Map<string, { readonly lane: Lane; readonly events: LoggedEvent[] }>();
  readonly #unsettled = new Map<string, Set<number>>();

  constructor(topics: readonly string[], { positions, failing }: Pick<WebhookProgress, 'positions' | 'failing'>) {
    this.#scanned = new Map(topics.map((topic) => [topic, positions[topic] ?? 0]));
    this.#failing = new Map(failing.map((each) => [idOf(each.topic, each.key), each]));
  }

  /** Events of the topic that are dispatched and not settled. */
  queued(topic: string): number {
    return this.#unsettled.get(topic)?.size ?? 0;
  }

  get failing(): readonly FailingKey[] {
    return [...this.#failing.values()];
  }

  /** Events up to this offset were dispatched. */
  scanned(topic: string): number {
    return this.#scanned.get(topic) ?? 0;
  }

  findFailing(topic: string, key: string): FailingKey | undefined {
    return this.#failing.get(idOf(topic, key));
  }

  /** Every event of the key before this offset was delivered. */
  undeliveredFrom(topic: string, key: string): number {
    const position = this.#positionOf(topic) + 1;
    return Math.min(position, this.findFailing(topic, key)?.offset ?? position);
  }

  isDelivered(topic: string, key: string, offset: number): boolean {
    const failing = this.findFailing(topic, key);
    if (failing && offset >= failing.offset) return false;
    return offset <= this.scanned(topic) && !this.#unsettled.get(topic)?.has(offset);
  }

  /** Lanes with events to deliver for the first time. */
  waiting(): readonly Lane[] {
    return [...this.#queues.values()].map(({ lane }) => lane);
  }

  /** Each event up to this offset is settled. */
  positions(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#scanned.keys()].map((topic) => [topic, this.#positionOf(topic)]));
  }

  /** The next events of a topic, and the offset up to which there are no others. Those of failing keys wait in the log. */
  dispatch(topic: string, events: readonly LoggedEvent[], upTo: number): void {
    for (const logged of events) {
      const { key } = logged.event;
      const id = idOf(topic, key);
      if (this.#failing.has(id)) continue;
      const queue = this.#queues.get(id) ?? { lane: { id, topic, key }, events: [] };
      this.#queues.set(id, queue);
      queue.events.push(logged);
      this.#unsettled.set(topic, (this.#unsettled.get(topic) ?? new Set()).add(logged.offset));
    }
    this.#scanned.set(topic, upTo);
  }

  next({ id }: Lane): LoggedEvent | undefined {
    return this.#queues.get(id)?.events[0];
  }

  /** The first event of the lane was delivered. */
  delivered({ id, topic }: Lane): void {
    const queue = this.#queues.get(id);
    const done = queue?.events.shift();
    if (done) this.#settle(topic, done.offset);
    if (queue?.events.length === 0) this.#queues.delete(id);
  }

  /** The key fails from its offset on. What was dispatched of it is settled: it is read from the log again. */
  fail(key: FailingKey): void {
    const id = idOf(key.topic, key.key);
    for (const { offset } of this.#queues.get(id)?.events ?? []) this.#settle(key.topic, offset);
    this.#queues.delete(id);
    this.#failing.set(id, key);
  }

  /** The key has caught up: its next event is dispatched as any other. */
  recover({ topic, key }: FailingKey): void {
    this.#failing.delete(idOf(topic, key));
  }

  #positionOf(topic: string): number {
    const unsettled = this.#unsettled.get(topic);
    return unsettled && unsettled.size > 0 ? Math.min(...unsettled) - 1 : this.scanned(topic);
  }

  #settle(topic: string, offset: number): void {
    this.#unsettled.get(topic)?.delete(offset);
  }
}

export function laneOf({ topic, key }: Pick<FailingKey, 'topic' | 'key'>): Lane {
  return { id: idOf(topic, key), topic, key };
}

function idOf(topic: string, key: string): string {
  return `${topic}/${key}`;
}
