/**
 * Delivers topics to the areas that have subscribed to them in their manifests: in the order of the offsets, from a stored
 * position, each event at least once. A subscription that fails holds no other; its events come again, from the first that was
 * not done with.
 *
 * Caller: the role of the events worker, in one process at a time. A second one would deliver events again.
 */
import type { Connection } from 'mongoose';
import type { Area, HandleEvents, ProcessBase } from '../../platform/area.ts';
import { topicName } from '../../platform/events/event-family.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { Logger } from '../../platform/log.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { LoggedEvent } from './event-log-document.ts';
import type { EventLogReads } from './event-log-reads.ts';
import { type PositionDocument, PositionStore } from './position-store.ts';

export const SUBSCRIPTION_POSITIONS = new CollectionDefinition<PositionDocument>('subscription_positions');

export interface Subscription {
  readonly name: string;
  /** With the environment at its end. */
  readonly topic: string;
  readonly handle: HandleEvents;
}

export interface SubscriptionObserver {
  delivered(subscription: string, count: number): void;
  /** Time of the oldest event that was not delivered; undefined when all were. */
  behind(subscription: string, since: Date | undefined): void;
  failed(subscription: string): void;
}

export interface SubscriptionsOptions {
  readonly connection: Connection;
  readonly log: EventLogReads;
  readonly subscriptions: readonly Subscription[];
  readonly observer: SubscriptionObserver;
  readonly logger: Logger;
}

const EVENTS_AT_ONCE = 200;

/** Those of all areas. */
export async function loadSubscriptions(base: ProcessBase): Promise<readonly Subscription[]> {
  const entries = subscriptionsOf(base.areas, base.eventEnvironment);
  return await Promise.all(
    entries.map(async ({ name, topic, load }) => ({ name, topic, handle: (await load())(base) })),
  );
}

function subscriptionsOf(areas: readonly Area[], environment: EventEnvironment) {
  const entries = areas.flatMap(({ subscriptions = [] }) => subscriptions);
  return entries.map((entry) => ({ ...entry, topic: topicName(entry.topic, environment) }));
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #positions: PositionStore;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#positions = new PositionStore(SUBSCRIPTION_POSITIONS.open(options.connection));
  }

  /** Throws after all have been tried, when one has failed. */
  async deliverPending(mayGoOn: () => Promise<boolean>): Promise<void> {
    const { subscriptions, observer } = this.#options;
    const failures: unknown[] = [];
    for (const subscription of subscriptions) {
      try {
        await this.#deliver(subscription, mayGoOn);
      } catch (error) {
        observer.failed(subscription.name);
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} subscriptions have failed`);
  }

  async #deliver({ name, topic, handle }: Subscription, mayGoOn: () => Promise<boolean>): Promise<void> {
    const { log, observer } = this.#options;
    for (;;) {
      const from = await this.#positions.find(name);
      const last = await log.lastOffset(topic);
      if (last <= from) return observer.behind(name, undefined);
      const events = await log.list(topic, 'ANY', { after: from, upTo: last, limit: EVENTS_AT_ONCE });
      observer.behind(name, events[0]?.event.time);
      if (!(await mayGoOn())) return;
      this.#reportExpired(name, from, events[0]);
      if (events.length > 0) await handle(events.map(({ event }) => event));
      // Where another process has moved it, the next turn of this loop reads where it stands.
      const moved = await this.#positions.move(name, from, events.at(-1)?.offset ?? last);
      if (moved) observer.delivered(name, events.length);
    }
  }

  /** Not at the first start: events that had expired before it were never to be delivered. */
  #reportExpired(subscription: string, position: number, first: LoggedEvent | undefined): void {
    if (position === 0 || first?.offset === position + 1) return;
    this.#options.logger.warn({ subscription, from: position + 1, to: first?.offset }, 'events expired undelivered');
  }
}
