/** Deliveries to webhooks as a leased job of the events worker. */
import type { ProcessBase, TaskPart } from '../../../platform/area.ts';
import type { KeyRing } from '../../../platform/keys/key-ring.ts';
import { EventLease } from '../event-lease.ts';
import { EVENT_LOG } from '../event-log-document.ts';
import type { EventLogReads } from '../event-log-reads.ts';
import { LeasedLoop } from '../leased-loop.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { WEBHOOKS } from './webhook-document.ts';
import { WebhookMetrics } from './webhook-metrics.ts';
import { WebhookRequests } from './webhook-request.ts';
import { WebhookSecrets } from './webhook-secrets.ts';
import { WebhookStore } from './webhook-store.ts';

export interface WebhookJobSettings {
  readonly keys: KeyRing;
  readonly headerPrefix: string;
}

const COUNT_EVERY_MS = 10_000;
const RENEW_EVERY_MS = 60_000;

export function startWebhookJob(
  { log: logger, mongo: connection, registry, eventEnvironment }: ProcessBase,
  log: EventLogReads,
  { keys, headerPrefix }: WebhookJobSettings,
): Required<Pick<TaskPart, 'repeated' | 'stop'>> {
  const metrics = new WebhookMetrics(registry);
  const store = new WebhookStore(connection);
  const secrets = new WebhookSecrets(keys);
  const requests = new WebhookRequests({ open: eventEnvironment === 'dev', headerPrefix });
  const onDelivery = (outcome: 'delivered' | 'failed') => metrics.delivery(outcome);
  const deliveries = new WebhookDeliveries({ log, store, secrets, requests, logger, onDelivery });
  const loop = new LeasedLoop({
    connection,
    log: logger,
    lease: new EventLease(connection, 'webhooks'),
    work: () => deliveries.turn(),
    collections: [EVENT_LOG.collection, WEBHOOKS.collection],
    onLeading: (leads) => void (leads || deliveries.stop()),
  });
  const stop = async () => {
    await loop.stop();
    await deliveries.stop();
    requests.close();
  };
  return {
    repeated: [
      { name: 'webhooks-counted', everyMs: COUNT_EVERY_MS, run: () => metrics.count(store) },
      { name: 'webhook-secrets-sealed-anew', everyMs: RENEW_EVERY_MS, run: () => renewSecrets(store, secrets) },
    ],
    stop: [stop],
  };
}

/** After a new key of WEBHOOK_KEYS writes, the one before it can soon be dropped. */
async function renewSecrets(store: WebhookStore, secrets: WebhookSecrets): Promise<void> {
  const failures: unknown[] = [];
  for (const webhook of await store.listActive(await store.listActiveIds())) {
    try {
      const sealed = secrets.renew(webhook);
      if (sealed) await store.replaceSecret(webhook._id, webhook.secretKeyId, sealed);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} secrets of webhooks are not sealed anew`);
}
