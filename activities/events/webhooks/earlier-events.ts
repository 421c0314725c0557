/**
 * Finds what an event has to wait for: events of its aggregate that come before it in other topics of the webhook. The relay
 * appends them before it, so they are in the log. Caller: the runner.
 */
import type { OutboxEvent } from '../../../platform/events/outbox.ts';
import type { EventLogReads } from '../event-log-reads.ts';
import type { FailingKey, WebhookDocument } from './webhook-document.ts';
import type { WebhookLanes } from './webhook-lanes.ts';

/** `SOON`: an earlier event is on its way; a key: that fails. */
export type Hindrance = 'NOTHING' | 'SOON' | FailingKey;

export async function findHindrance(
  { topics, organisationId }: Pick<WebhookDocument, 'topics' | 'organisationId'>,
  event: OutboxEvent,
  lanes: WebhookLanes,
  log: EventLogReads,
): Promise<Hindrance> {
  const { key } = event;
  for (const topic of topics) {
    if (topic === event.topic) continue;
    const earlier = await log.listEarlier(topic, organisationId, event, lanes.undeliveredFrom(topic, key));
    if (earlier.some((offset) => !lanes.isDelivered(topic, key, offset)))
      return lanes.findFailing(topic, key) ?? 'SOON';
  }
  return 'NOTHING';
}
