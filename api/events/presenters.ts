/** How an event looks on the wire: CloudEvents 1.0 in JSON. */
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
