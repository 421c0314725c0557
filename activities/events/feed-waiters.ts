/**
 * The callers of one process that wait for events of a topic. The process reads once and wakes all of them. Knows
 * nothing of databases or requests.
 */
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { Readership } from './event-log-document.ts';

export interface Waiter {
  readonly topic: string;
  readonly readers: Readership;
  /** The offset that it has read up to. */
  readonly after: number;
  readonly wake: () => void;
}

export interface Owner {
  readonly offset: number;
  readonly organisationId: OrganisationId;
}

export class FeedWaiters {
  readonly #byTopic = new Map<string, { seen: number; readonly waiters: Set<Waiter> }>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Topics with waiting callers, and the offset up to which they have been woken. */
  listTopics(): readonly { readonly topic: string; readonly seen: number }[] {
    return [...this.#byTopic].map(([topic, { seen }]) => ({ topic, seen }));
  }

  /** True when the topic had no waiting caller: then the events since the caller's read must be queried. */
  add(waiter: Waiter): boolean {
    const present = this.#byTopic.get(waiter.topic);
    this.#size += 1;
    if (!present) {
      this.#byTopic.set(waiter.topic, { seen: waiter.after, waiters: new Set([waiter]) });
      return true;
    }
    present.waiters.add(waiter);
    // The others have been woken for events that this caller has not read yet.
    if (waiter.after < present.seen) waiter.wake();
    return false;
  }

  remove(waiter: Waiter): void {
    const present = this.#byTopic.get(waiter.topic);
    if (!present?.waiters.delete(waiter)) return;
    this.#size -= 1;
    if (present.waiters.size === 0) this.#byTopic.delete(waiter.topic);
  }

  /** Wakes the callers that may read one of these events; owners are in order of offset. */
  wake(topic: string, owners: readonly Owner[]): void {
    const present = this.#byTopic.get(topic);
    const last = owners.at(-1)?.offset;
    if (!present || last === undefined) return;
    present.seen = Math.max(present.seen, last);
    const newest = new Map<Readership, number>([['ANY', last]]);
    for (const { offset, organisationId } of owners) newest.set(organisationId, offset);
    for (const waiter of [...present.waiters]) {
      if ((newest.get(waiter.readers) ?? 0) > waiter.after) waiter.wake();
    }
  }

  wakeAll(): void {
    for (const { waiters } of [...this.#byTopic.values()]) for (const waiter of [...waiters]) waiter.wake();
  }
}
