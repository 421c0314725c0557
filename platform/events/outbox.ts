/**
 * The domain events in an aggregate's document. The write that makes them true puts them into the `outbox` array; the
 * relay (activities/events) moves them to the event log.
 *
 * Callers: the stores that write events, the relay that moves them. Types and names only; never a personal value.
 */
import type { JournalEntry } from './journal-entry.ts';

/** The environment's name in topic names. */
export type EventEnvironment = 'dev' | 'staging' | 'production';

export function eventEnvironment(environment: 'development' | 'staging' | 'production'): EventEnvironment {
  return environment === 'development' ? 'dev' : environment;
}

/** Common to all events; an area adds the ids of its aggregate. */
export interface EventMeta {
  /** Only this organisation reads the event. */
  readonly organisationId: number;
  readonly correlationId: string;
  readonly occurredAt: Date;
  readonly [id: string]: unknown;
}

export interface OutboxEvent {
  /** `customer/{customerNumber}/{sequence}`: aggregate and sequence, the same however often it is delivered. */
  readonly id: string;
  /** Sequence within the aggregate, gapless from 1. */
  readonly sequence: number;
  /** Ends with the environment. */
  readonly topic: string;
  /** Events of one key are delivered in their order. */
  readonly key: string;
  readonly subject: string;
  readonly source: string;
  readonly type: string;
  readonly time: Date;
  readonly data: { readonly meta: EventMeta; readonly [member: string]: unknown };
  /** Taken off by the relay: the event log, readers, webhooks and brokers never have it. */
  readonly entry?: JournalEntry;
}
