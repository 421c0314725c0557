/** A domain event as JSON of CloudEvents 1.0. */
import type { OutboxEvent } from '../../platform/events/outbox.ts';

export function presentEvent({ id, source, type, subject, time, key, sequence, data }: OutboxEvent) {
  return {
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time: time.toISOString(),
    datacontenttype: 'application/json',
    partitionkey: key,
    sequence,
    data,
  };
}
