/**
 * Reads the event log: by offsets of a topic, by key, by time. Callers: the feed, webhooks, Kafka, subscriptions, the
 * reconciliation. The relay alone writes it; see event-log-store.ts.
 */
import type { Connection, mongo } from 'mongoose';
import { aggregateOf } from '../../platform/events/event-family.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { EventLogReader } from '../shared/payment-books.ts';
import {
  EVENT_LOG,
  EVENT_TOPICS,
  type EventRange,
  type LogDocument,
  type LoggedEvent,
  type Readership,
  type TopicDocument,
} from './event-log-document.ts';

export class EventLogReads implements EventLogReader {
  protected readonly log: mongo.Collection<LogDocument>;
  protected readonly topics: mongo.Collection<TopicDocument>;

  constructor(connection: Connection) {
    this.log = EVENT_LOG.open(connection);
    this.topics = EVENT_TOPICS.open(connection);
  }

  /** Offset of the newest event; 0 before the first. */
  async lastOffset(topic: string): Promise<number> {
    return (await this.newest(topic)).offset;
  }

  /** Offset of the oldest kept event; undefined when there is none. */
  async findOldestOffset(topic: string): Promise<number | undefined> {
    const found = await this.log.findOne({ topic }, { sort: { offset: 1 }, projection: { _id: 0, offset: 1 } });
    return found?.offset;
  }

  /** Events are stored in the order of their offsets, whatever the clocks say. */
  async rangeOf(topic: string, from: Date, until: Date): Promise<{ readonly after: number; readonly upTo: number }> {
    const lastBefore = async (at: Date) => {
      const next = await this.log.findOne(
        { topic, storedAt: { $gte: at } },
        { sort: { storedAt: 1, offset: 1 }, projection: { _id: 0, offset: 1 } },
      );
      return next ? next.offset - 1 : await this.lastOffset(topic);
    };
    return { after: await lastBefore(from), upTo: await lastBefore(until) };
  }

  async listOfAll(topic: string, range: EventRange): Promise<readonly LoggedEvent[]> {
    return await this.list(topic, 'ANY', range);
  }

  async has(topic: string, offset: number): Promise<boolean> {
    return (await this.log.findOne({ _id: `${topic}/${offset}` }, { projection: { _id: 1 } })) !== null;
  }

  /** Events in order of offset. Read `upTo` before, so that no event appears below it later. */
  async list(topic: string, readers: Readership, { after, upTo, limit }: EventRange): Promise<readonly LoggedEvent[]> {
    return await this.log
      .find({ topic, ...ownedBy(readers), offset: { $gt: after, $lte: upTo } })
      .sort({ offset: 1 })
      .limit(limit)
      .project<LoggedEvent>({ _id: 0, offset: 1, event: 1 })
      .toArray();
  }

  /** The first event of a key between two offsets, both inclusive, that a reader may see. */
  async findOfKey(
    topic: string,
    readers: Readership,
    key: string,
    { from, upTo }: { readonly from: number; readonly upTo: number },
  ): Promise<LoggedEvent | undefined> {
    const found = await this.log.findOne(
      { topic, 'event.key': key, ...ownedBy(readers), offset: { $gte: from, $lte: upTo } },
      { sort: { offset: 1 }, projection: { _id: 0, offset: 1, event: 1 } },
    );
    return found ?? undefined;
  }

  /** Offsets of the events of an aggregate that come before one, from an offset on. */
  async listEarlier(
    topic: string,
    readers: Readership,
    event: Pick<OutboxEvent, 'id' | 'key' | 'sequence'>,
    from: number,
  ): Promise<readonly number[]> {
    const found = await this.log
      .find({
        topic,
        'event.key': event.key,
        ...ownedBy(readers),
        offset: { $gte: from },
        'event.sequence': { $lt: event.sequence },
      })
      .project<{ offset: number; eventId: string; event: Pick<OutboxEvent, 'sequence'> }>({
        ...{ _id: 0, offset: 1, eventId: 1, 'event.sequence': 1 },
      })
      .toArray();
    const aggregate = aggregateOf(event);
    return found.flatMap((each) =>
      aggregateOf({ id: each.eventId, sequence: each.event.sequence }) === aggregate ? [each.offset] : [],
    );
  }

  /** Owners of the appended events, for waiting callers, in order of offset. It reads no event itself. */
  async listOwners(
    topic: string,
    after: number,
    limit: number,
  ): Promise<readonly { readonly offset: number; readonly organisationId: OrganisationId }[]> {
    return await this.log
      .find({ topic, offset: { $gt: after } })
      .sort({ offset: 1 })
      .limit(limit)
      .project<{ offset: number; organisationId: OrganisationId }>({ _id: 0, offset: 1, organisationId: 1 })
      .toArray();
  }

  /** The last event, or where the next offset continues. */
  protected async newest(topic: string): Promise<{ readonly offset: number; readonly storedAt: number }> {
    const found = await this.log.findOne(
      { topic },
      { sort: { offset: -1 }, projection: { _id: 0, offset: 1, storedAt: 1 } },
    );
    if (found) return { offset: found.offset, storedAt: found.storedAt.getTime() };
    return { offset: (await this.topics.findOne({ _id: topic }))?.lastOffset ?? 0, storedAt: 0 };
  }
}

function ownedBy(readers: Readership): { readonly organisationId?: OrganisationId } {
  return readers === 'ANY' ? {} : { organisationId: readers };
}
