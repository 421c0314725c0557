/** Webhooks: an organisation has its events delivered to an address of its own. */
import type { WebhookSecrets } from '../../activities/events/webhooks/webhook-secrets.ts';
import type { WebhookOwner, WebhookStore } from '../../activities/events/webhooks/webhook-store.ts';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { WebhookId } from '../../workflows/shared/ids.ts';
import type { Caller, Finds, Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { presentWebhook } from './presenters.ts';
import { checkNewWebhook } from './webhook-requests.ts';

type WebhookOperations = Pick<Operations, 'createWebhook' | 'listWebhooks' | 'getWebhook' | 'deleteWebhook'>;

export interface WebhooksDependencies {
  readonly webhooks: WebhookStore;
  readonly secrets: WebhookSecrets;
  readonly topics: ReadonlySet<string>;
  readonly lastOffset: (topic: string) => Promise<number>;
  /** In development receivers are on this machine. */
  readonly openAddresses: boolean;
}

const EVERY_ORGANISATION = 'organisation:any';

export function webhookOperations(dependencies: WebhooksDependencies): Handlers<WebhookOperations> {
  const { webhooks, secrets, lastOffset } = dependencies;
  return {
    createWebhook: async ({ body, caller, idempotency }) => {
      checkNewWebhook(body, dependencies);
      const { workId } = await idempotency.claim();
      const { url, topics, secret } = body;
      const owner = { _id: workItemId(workId, 'webhook') as WebhookId, organisationId: caller.organisationId };
      const heads = await Promise.all(topics.map(async (topic) => [topic, await lastOffset(topic)] as const));
      const positions = Object.fromEntries(heads);
      const content = { url, topics, positions, createdAt: new Date(), ...secrets.seal(owner, secret) };
      const created = await webhooks.create({ ...owner, ...content });
      const headers = { location: `/v1/webhooks/${created._id}` };
      return { status: 201, json: presentWebhook(created), headers };
    },
    listWebhooks: async ({ caller, query: { page = 1, perPage = 25 } }) => {
      const { items, total } = await webhooks.list(ownerOf(caller), page, perPage);
      return { status: 200, json: toSearchPage({ page, perPage }, items.map(presentWebhook), total) };
    },
    getWebhook: async ({ caller, path }) => {
      const webhook = await webhooks.get(ownerOf(caller), path.webhookId);
      return { status: 200, json: presentWebhook(webhook) };
    },
    deleteWebhook: async ({ caller, path }) => {
      await webhooks.remove(ownerOf(caller), path.webhookId);
      return { status: 204 };
    },
  };
}

export function webhookFinds({ webhooks }: WebhooksDependencies): Finds<WebhookOperations> {
  const find = async ({
    caller,
    path,
  }: {
    readonly caller: Caller;
    readonly path: { readonly webhookId: WebhookId };
  }) => await webhooks.get(ownerOf(caller), path.webhookId);
  return { getWebhook: find, deleteWebhook: find };
}

function ownerOf(caller: Caller): WebhookOwner {
  return caller.scopes.has(EVERY_ORGANISATION) ? 'ANY' : caller.organisationId;
}
