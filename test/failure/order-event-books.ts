/**
 * The events of a run of orders: at the feed, in the history of each order, and at the broker none is missing, repeated
 * or out of order, and they tell the orders. Used by order-run.ts.
 */
import type { Connection } from 'mongoose';
import type { OrderDocument } from '../../activities/orders/order-document.ts';
import { toOrder } from '../../activities/orders/order-members.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { DocumentedEvents } from '../support/documented-events.ts';
import type { KafkaBroker } from '../support/kafka.ts';
import { checkReplay, checkSequence, toOrderEvent } from '../support/order-checks.ts';
import type { PatientClient } from './patient-client.ts';

const TOPICS = ['order-events-dev', 'order-event-collections-dev'] as const;
const PAGE = 500;

export interface FeedEvent extends OutboxEvent {
  /** The feed names no topic: this is the one that was read. */
  readonly topic: (typeof TOPICS)[number];
}

export interface CheckedEvents {
  readonly events: readonly FeedEvent[];
  readonly faults: readonly string[];
}

export async function checkEvents(
  connection: Connection,
  client: PatientClient,
  orders: readonly OrderDocument[],
): Promise<CheckedEvents> {
  const feed = (await Promise.all(TOPICS.map((topic) => readFeed(client, topic)))).flat();
  const bySubject = Map.groupBy(feed, ({ subject }) => subject);
  const documented = new DocumentedEvents();
  const faults = feed.flatMap(({ topic, ...event }) => [...documented.faultsOf(topic, [event])]);
  if (new Set(feed.map(({ id }) => id)).size !== feed.length) faults.push('an event is at the feed twice');
  for (const document of orders) {
    const own = bySubject.get(document._id) ?? [];
    const ordered = own.toSorted((one, other) => one.sequence - other.sequence);
    try {
      checkSequence(own);
      if (own.length !== document.sequence) throw new Error(`${own.length} events of ${document.sequence}`);
      for (const topic of TOPICS) checkOrder(own.filter((event) => event.topic === topic));
      checkReplay(toOrder(document), ordered.map(toOrderEvent));
      const kept = await connection
        .collection('kept_events')
        .find({ aggregate: `order/${document._id}` })
        .sort({ sequence: 1 })
        .toArray();
      if (kept.map(({ _id }) => String(_id)).join() !== ordered.map(({ id }) => id).join())
        throw new Error(`the history has ${kept.length} of ${ordered.length} events`);
    } catch (error) {
      faults.push(`events of ${document._id}: ${(error as Error).message}`);
    }
  }
  return { events: feed, faults };
}

/** A message may come twice, and then repeats the one that came; the first ones of a key are in their order. */
export async function checkKafka(
  broker: KafkaBroker,
  events: readonly FeedEvent[],
): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  let count = 0;
  for (const topic of TOPICS) {
    const due = events.filter((event) => event.topic === topic);
    const messages = await broker.read(topic, due.length);
    count += messages.length;
    const firsts = new Map<string, string[]>();
    for (const { key, value } of messages) {
      const { id } = JSON.parse(value) as { id: string };
      const ids = firsts.get(key) ?? [];
      firsts.set(key, ids);
      if (!ids.includes(id)) ids.push(id);
    }
    for (const [key, own] of Map.groupBy(due, ({ subject }) => subject)) {
      const ids = own.map(({ id }) => id).join();
      if (firsts.get(key)?.join() !== ids) faults.push(`${topic} has of ${key} ${firsts.get(key)} instead of ${ids}`);
    }
  }
  return { count, faults };
}

function checkOrder(events: readonly FeedEvent[]): void {
  const numbers = events.map(({ sequence }) => sequence);
  if (numbers.some((number, at) => number <= (numbers[at - 1] ?? 0))) throw new Error(`they came as ${numbers}`);
}

async function readFeed(client: PatientClient, topic: FeedEvent['topic']): Promise<readonly FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let after = 0; ; ) {
    const { json } = await client.send(`/v1/events/${topic}?after=${after}&limit=${PAGE}`);
    events.push(...json.events.map((event: OutboxEvent) => ({ ...event, topic })));
    if (json.events.length === 0) return events;
    after = json.nextOffset;
  }
}
