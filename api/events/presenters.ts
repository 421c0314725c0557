/** A webhook as its owner sees it: never its secret. */
import type { ShownWebhook } from '../../activities/events/webhooks/webhook-store.ts';

export function presentWebhook(webhook: ShownWebhook) {
  const { _id: id, url, topics, createdAt, failing, lastDeliveredAt, lastFailure, disabledAt } = webhook;
  const waiting = failing.filter(({ stopped }) => !stopped);
  const since = waiting.map((key) => key.since).toSorted((one, other) => one.getTime() - other.getTime());
  return {
    id,
    url,
    topics,
    state: stateOf(webhook, waiting.length),
    createdAt: createdAt.toISOString(),
    lastDeliveredAt: lastDeliveredAt?.toISOString(),
    failingSince: since[0]?.toISOString(),
    failingKeys: waiting.length,
    stoppedKeys: failing.length - waiting.length,
    lastFailure: lastFailure && { ...lastFailure, at: lastFailure.at.toISOString() },
    disabledAt: disabledAt?.toISOString(),
  };
}

function stateOf({ disabledAt }: ShownWebhook, failingKeys: number): 'ACTIVE' | 'FAILING' | 'DISABLED' {
  if (disabledAt) return 'DISABLED';
  return failingKeys > 0 ? 'FAILING' : 'ACTIVE';
}
