/** A webhook as its owner sees it: never its secret. */
import type { Failure } from '../../activities/events/webhooks/webhook-document.ts';
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
    lastFailure: lastFailure && presentFailure(lastFailure),
    disabledAt: disabledAt?.toISOString(),
  };
}

/** One reason for an unknown and for a refused name: to tell them apart would say which names exist in this network. */
function presentFailure({ reason, at, status }: Failure) {
  const hidden = reason === 'NAME_UNKNOWN' || reason === 'ADDRESS_REFUSED';
  const shown = hidden ? ('NO_PUBLIC_ADDRESS' as const) : reason;
  return { at: at.toISOString(), reason: shown, ...(status !== undefined && { status }) };
}

function stateOf({ disabledAt }: ShownWebhook, failingKeys: number): 'ACTIVE' | 'FAILING' | 'DISABLED' {
  if (disabledAt) return 'DISABLED';
  return failingKeys > 0 ? 'FAILING' : 'ACTIVE';
}
