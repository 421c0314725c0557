/**
 * What an aggregate's document tells the world: events stand in its `outbox` array from the very write that makes them
 * true until the relay (activities/events) has moved them to the event log.
 *
 * Callers: the stores that write events, the relay that moves them. Types and names only; never a personal value.
 */
/** How an environment is written in topic names. */
export type EventEnvironment = 'dev' | 'staging' | 'production';

export function eventEnvironment(environment: 'development' | 'staging' | 'production'): EventEnvironment {
  return environment === 'development' ? 'dev' : environment;
}

/** Of every event; an area adds the ids of its aggregate. */
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
  /** Of the aggregate, gapless from 1. */
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
}
