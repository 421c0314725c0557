/** A domain event as JSON of CloudEvents 1.0: the same for every reader, over the feed, a webhook or a broker. Pure. */
import type { OutboxEvent } from './outbox.ts';

export function cloudEvent({ id, source, type, subject, time, key, sequence, data }: OutboxEvent) {
  return {
    specversion: '1.0' as const,
    id,
    source,
    type,
    subject,
    time: time.toISOString(),
    datacontenttype: 'application/json' as const,
    partitionkey: key,
    sequence,
    data: { ...data, meta: { ...data.meta, occurredAt: data.meta.occurredAt.toISOString() } },
  };
}
