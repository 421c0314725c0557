/**
 * Opens a separate database with a log and one collection of aggregates with outboxes, and a proxy that can refuse
 * connections to it.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Connection } from 'mongoose';
import type { LoggedEvent } from '../../../activities/events/event-log-document.ts';
import { EventLogStore } from '../../../activities/events/event-log-store.ts';
import { EventRelay, type RelayObserver } from '../../../activities/events/event-relay.ts';
import { KeptEventStore } from '../../../activities/events/kept-event-store.ts';
import { OutboxSource } from '../../../activities/events/outbox-source.ts';
import type { LedgerWriter } from '../../../activities/shared/ledger.ts';
import type { OutboxEvent } from '../../../platform/events/outbox.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { useMongo } from '../../support/stack.ts';

export const TOPIC = 'order-events-dev';
export const COLLECTIONS_TOPIC = 'order-event-collections-dev';
export const KEPT_TOPICS = new Set([TOPIC, COLLECTIONS_TOPIC]);
export const COLLECTION = 'orders';
export const ONE = 1 as OrganisationId;
export const TWO = 2 as OrganisationId;

export interface Order {
  _id: string;
  sequence: number;
  outbox: OutboxEvent[];
}

export interface EventsWorld {
  readonly uri: string;
  readonly connection: Connection;
  readonly log: EventLogStore;
  readonly source: OutboxSource;
  readonly relay: EventRelay;
  readonly observed: { relayed: number; oldest: Date | undefined };
  orders(): ReturnType<typeof orderCollection>;
  /** The events of the topic in the log. */
  logged(topic?: string): Promise<readonly LoggedEvent[]>;
}

export function orderEvent(orderId: string, sequence: number, organisationId = ONE, topic = TOPIC): OutboxEvent {
  const time = new Date();
  return {
    id: `order/${orderId}/${sequence}`,
    sequence,
    topic,
    key: orderId,
    subject: orderId,
    source: '/sales/order',
    time,
    type: 'service.order.OrderCreated.v1',
    data: { meta: { orderId, organisationId, correlationId: randomUUID(), occurredAt: time } },
  };
}

/** A relay of another process. */
export function newRelay(connection: Connection, observer: RelayObserver = QUIET, ledger?: LedgerWriter): EventRelay {
  const sources = [new OutboxSource(connection, COLLECTION)];
  const log = new EventLogStore(connection);
  const kept = new KeptEventStore(connection);
  return new EventRelay({ log, kept, keptTopics: KEPT_TOPICS, sources, observer, ledger });
}

const QUIET: RelayObserver = { relayed: () => undefined, oldestPending: () => undefined };

export const always = async () => true;

export async function openEvents(): Promise<EventsWorld> {
  const uri = (await useMongo()).uri(`events_${randomUUID().slice(0, 8)}`);
  const connection = await connectMongo(uri);
  const observed: EventsWorld['observed'] = { relayed: 0, oldest: undefined };
  const relay = newRelay(connection, {
    relayed: (_topic, count) => {
      observed.relayed += count;
    },
    oldestPending: (since) => {
      observed.oldest = since;
    },
  });
  await relay.ensureIndexes();
  const log = new EventLogStore(connection);
  return {
    uri,
    connection,
    log,
    relay,
    observed,
    source: new OutboxSource(connection, COLLECTION),
    orders: () => orderCollection(connection),
    logged: async (topic = TOPIC) => await log.list(topic, 'ANY', { after: 0, upTo: 1_000_000, limit: 1_000_000 }),
  };
}

function orderCollection(connection: Connection) {
  return connection.collection<Order>(COLLECTION);
}

/** Changes the order and adds its event in one write, as every store does. */
export async function changeOrder(connection: Connection, orderId: string, organisationId = ONE): Promise<void> {
  const orders = orderCollection(connection);
  for (;;) {
    const present = await orders.findOne({ _id: orderId }, { projection: { sequence: 1 } });
    const sequence = (present?.sequence ?? 0) + 1;
    const event = orderEvent(orderId, sequence, organisationId);
    const change = { $set: { sequence }, $push: { outbox: event } };
    if (!present) {
      await orders.insertOne({ _id: orderId, sequence, outbox: [event] });
      return;
    }
    const { matchedCount } = await orders.updateOne({ _id: orderId, sequence: sequence - 1 }, change);
    if (matchedCount === 1) return;
  }
}

/** The rules that a log breaks: offsets from 1 without a gap, each event once, events of each order in order. */
export function brokenRules(logged: readonly LoggedEvent[], written: ReadonlyMap<string, number>): readonly string[] {
  const broken: string[] = [];
  const reached = new Map<string, number>();
  for (const [index, { offset, event }] of logged.entries()) {
    if (offset !== index + 1) broken.push(`offset ${offset} stands at place ${index + 1}`);
    const before = reached.get(event.key) ?? 0;
    if (event.sequence !== before + 1) broken.push(`${event.id} follows ${event.key}/${before}`);
    reached.set(event.key, event.sequence);
  }
  for (const [key, count] of written) {
    if (reached.get(key) !== count) broken.push(`of ${key} ${reached.get(key)} events instead of ${count}`);
  }
  return broken.slice(0, 10);
}

/** A proxy in front of the database that can refuse connections. */
export interface DatabaseProxy {
  readonly uri: string;
  refuse(): void;
  accept(): void;
  close(): Promise<void>;
}

export async function openProxy(uri: string): Promise<DatabaseProxy> {
  const target = new URL(uri.replace('mongodb://', 'http://'));
  const sockets = new Set<Socket>();
  let refusing = false;
  const server = createServer((caller) => {
    if (refusing) {
      caller.destroy();
      return;
    }
    const behind = connect(Number(target.port), target.hostname);
    for (const socket of [caller, behind]) {
      sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
    }
    caller.pipe(behind).pipe(caller);
    caller.once('close', () => behind.destroy());
    behind.once('close', () => caller.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    uri: `mongodb://127.0.0.1:${port}${target.pathname}?directConnection=true`,
    refuse: () => {
      refusing = true;
      cut();
    },
    accept: () => {
      refusing = false;
    },
    close: async () => {
      server.close();
      cut();
    },
  };
}
