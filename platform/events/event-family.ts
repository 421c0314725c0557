/**
 * Makes the CloudEvents envelope of domain events. An area declares its event family once; the aggregate kit wraps the area's
 * events in the same write that makes them true. Pure.
 */
import { assertBalanced, type JournalEntry } from './journal-entry.ts';
import type { EventEnvironment, OutboxEvent } from './outbox.ts';

/** A domain event of an area: a type and a payload. It never holds a personal value. */
export interface DomainEvent {
  /** As `CustomerCreated`. */
  readonly type: string;
  /** What it means in the ledger: no part of the event that readers get. */
  readonly entry?: JournalEntry;
}

/** The aggregate that events of one document belong to. */
export interface EventSubject {
  /** Second part of the event ids. */
  readonly aggregateId: string;
  /** `key` and `subject` of the event: events of one key are delivered in their order. */
  readonly key: string;
  /** Only this organisation reads the events. */
  readonly organisationId: number;
  /** Ids that `meta` repeats, by the names that readers know. */
  readonly ids: Readonly<Record<string, string>>;
}

/** `Source` holds at least the members of the document that `describe` reads. */
export interface EventFamily<Source> {
  /** First part of event ids, as `customer` of `customer/{aggregateId}/{sequence}`. */
  readonly aggregate: string;
  /** Without the environment, as `customer-changed` of `customer-changed-dev`. */
  readonly topic: string;
  /** Where some types of events go instead. All events of the aggregate share one sequence, whatever their topics. */
  readonly otherTopics?: readonly { readonly topic: string; readonly types: readonly string[] }[];
  /** As `/customers`. */
  readonly source: string;
  /** As `service.customer` of `service.customer.CustomerCreated.v1`. */
  readonly typePrefix: string;
  /** Deprecated: a member of `data` beside `meta` that holds the same as flat texts, for readers that know no other. */
  readonly flatMeta?: string;
  readonly describe: (document: Source) => EventSubject;
}

export interface Envelope<Source> {
  readonly document: Source;
  /** Sequence of the first event; the others follow without a gap. */
  readonly firstSequence: number;
  readonly correlationId: string;
  readonly clientId?: string | undefined;
  readonly causationId?: string | undefined;
  readonly environment: EventEnvironment;
  readonly at: Date;
}

/** The topic of an environment. */
export function topicName(topic: string, environment: EventEnvironment): string {
  return `${topic}-${environment}`;
}

/** What the ids of one aggregate's events begin with, as `order/K7QW2MXP`. */
export function aggregateOf({ id, sequence }: Pick<OutboxEvent, 'id' | 'sequence'>): string {
  return id.slice(0, -`/${sequence}`.length);
}

/** Keeps the order of the events. The order of the members is part of the wire format. Throws RangeError for an unbalanced entry. */
export function wrapEvents<Source>(
  family: EventFamily<Source>,
  events: readonly DomainEvent[],
  { document, firstSequence, environment, at, ...work }: Envelope<Source>,
): readonly OutboxEvent[] {
  const { aggregateId, key, organisationId, ids } = family.describe(document);
  const meta = { ...ids, organisationId, ...causes(work), occurredAt: at };
  const deprecated = family.flatMeta === undefined ? {} : { [family.flatMeta]: flatTexts(meta) };
  return events.map(({ type, entry, ...data }, index) => {
    const sequence = firstSequence + index;
    if (entry) assertBalanced(entry);
    return {
      id: `${family.aggregate}/${aggregateId}/${sequence}`,
      sequence,
      topic: topicName(topicOf(family, type), environment),
      key,
      subject: key,
      source: family.source,
      type: `${family.typePrefix}.${type}.v1`,
      time: at,
      data: { ...data, meta, ...deprecated },
      ...(entry && { entry }),
    };
  });
}

function flatTexts(meta: Readonly<Record<string, string | number | Date>>): Readonly<Record<string, string>> {
  const texts = Object.entries(meta).map(([member, value]) => [
    member,
    value instanceof Date ? value.toISOString() : String(value),
  ]);
  return Object.fromEntries(texts);
}

function causes({
  clientId,
  correlationId,
  causationId,
}: Pick<Envelope<never>, 'clientId' | 'correlationId' | 'causationId'>) {
  return {
    ...(clientId !== undefined && { clientId }),
    correlationId,
    ...(causationId !== undefined && { causationId }),
  };
}

function topicOf({ topic, otherTopics = [] }: Pick<EventFamily<never>, 'topic' | 'otherTopics'>, type: string): string {
  return otherTopics.find(({ types }) => types.includes(type))?.topic ?? topic;
}
